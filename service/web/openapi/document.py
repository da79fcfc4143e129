"""What the document says of every operation alike: its problems, its headers, its order."""

from __future__ import annotations

from typing import Any

from service.problems import KINDS

METHODS = ("get", "post", "put", "patch", "delete")
ORDER = ("tags", "summary", "description", "operationId", "security", "parameters", "requestBody", "responses")
Part = dict[str, Any]


def finished(document: Part) -> Part:
    """The document with all that follows from the form of its operations."""
    components = document["components"]
    components["headers"] = HEADERS
    answers: Part = {}
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                item[method] = _operation(item[method], method, path, item.get("parameters", []), answers)
    components["responses"] = dict(sorted(answers.items()))
    order = ("openapi", "info", "servers", "tags", "paths", "webhooks", "components")
    return {name: document[name] for name in order if name in document}


def _operation(operation: Part, method: str, path: str, shared: list[Part], answers: Part) -> Part:
    named = operation.pop("x-problems", [])
    idempotent = operation.pop("x-idempotent", False)
    parameters = operation.setdefault("parameters", [])
    responses = {str(status): told for status, told in operation.get("responses", {}).items() if str(status) < "400"}
    paged = any(each["name"] == "cursor" for each in parameters)
    for status, told in responses.items():
        told["headers"] = {**told.get("headers", {}), **_headers(method, status, paged=paged)}
    if method == "get":
        responses["304"] = {"description": UNCHANGED, "headers": _headers(method, "304", paged=False)}
        parameters.append(IF_NONE_MATCH)
    if idempotent:
        parameters.append(IDEMPOTENCY_KEY)
    for code, kinds in sorted(_kinds(operation, named, path, idempotent=idempotent).items()):
        name = ".".join(kinds)
        answers[name] = _problem(code, kinds)
        responses[str(code)] = {"$ref": f"#/components/responses/{name}"}
    for parameter in [*parameters, *shared]:
        parameter.setdefault("description", f"The id of the {parameter['name'].replace('_', ' ')}.")
    operation["summary"] = operation["summary"].rstrip(".")
    made = {
        "operationId": _name(method, path),
        "security": [],
        **operation,
        "responses": dict(sorted(responses.items())),
    }
    return {
        name: made[name]
        for name in (*ORDER, *made)
        if made.get(name) is not None and (made[name] or name == "security")
    }


def _kinds(operation: Part, named: list[str], path: str, *, idempotent: bool) -> dict[int, list[str]]:
    """The problems of an operation by status: those it names, and those that follow from its form."""
    kinds = ["bad-request", *named, "wrong-token", "too-many-requests", "not-now"]
    if operation.get("security") and {} not in operation["security"]:
        kinds += ["no-token", "forbidden"]
    if "requestBody" in operation:
        kinds += ["too-large", "wrong-media-type", "invalid"]
    if any(each.get("in") == "query" for each in operation["parameters"]):
        kinds.append("invalid")
    if "{" in path:
        kinds.append("not-found")
    if idempotent:
        kinds += ["in-progress", "other-request", "too-large"]
    found: dict[int, list[str]] = {}
    for kind in (each for each in KINDS if each in kinds):
        found.setdefault(KINDS[kind][0], []).append(kind)
    return found


def _problem(status: int, kinds: list[str]) -> Part:
    headers = {"X-Request-Id": _ref("X-Request-Id")}
    if status in (429, 503):
        headers["Retry-After"] = _ref("Retry-After")
    if status == 401:  # noqa: PLR2004  # RFC 9110 asks for it
        headers["WWW-Authenticate"] = _ref("WWW-Authenticate")
    examples = {kind: {"summary": KINDS[kind][1], "value": _example(kind)} for kind in kinds}
    media = {"schema": {"$ref": "#/components/schemas/Problem"}, "examples": examples}
    told = " ".join(f"`{kind}`: {KINDS[kind][1]}." for kind in kinds)
    return {"description": told, "headers": headers, "content": {"application/problem+json": media}}


def _example(kind: str) -> Part:
    status, title = KINDS[kind]
    detail = "The detail says what is wrong this time and what to do next."
    made: Part = {"type": f"/problems/{kind}", "title": title, "status": status, "detail": detail}
    if kind == "invalid":
        made["errors"] = [{"field": "name", "reason": "Missing data for required field."}]
    return made


def _headers(method: str, status: str, *, paged: bool) -> Part:
    names = ["X-Request-Id", "RateLimit", "RateLimit-Policy"]
    names += ["ETag"] if method == "get" else []
    names += ["Location"] if status in ("201", "202") and method == "post" else []
    names += ["Link"] if paged else []
    return {name: _ref(name) for name in names}


def _ref(header: str) -> Part:
    return {"$ref": f"#/components/headers/{header}"}


def _name(method: str, path: str) -> str:
    return "-".join([method, *(word.strip("{}") for word in path.removeprefix("/v1").split("/") if word)])


def _header(about: str, example: str) -> Part:
    return {"description": about, "schema": {"type": "string"}, "example": example}


UNCHANGED = "Nothing has changed since the answer with this ETag."
HEADERS = {
    "X-Request-Id": _header(
        "The id of this request, for questions about it; a plain one of yours is kept.", "5f0c1a2b3c4d5e6f"
    ),
    "RateLimit": _header(
        "How many requests are left, and in how many seconds there is room again.", '"requests";r=599;t=41'
    ),
    "RateLimit-Policy": _header("How many requests are let through in how many seconds.", '"requests";q=600;w=60'),
    "ETag": _header("A mark of this very answer, for `If-None-Match`.", '"0123456789abcdef0123456789abcdef"'),
    "Retry-After": _header("In how many seconds to try again.", "5"),
    "Location": _header("Where to read what was made, if it can be read.", "/v1/me/leave/q8za4t6m2x9p3kw7"),
    "Link": _header(
        'The next page, with `rel="next"`; none on the last page.', '</v1/me/keys?cursor=…&limit=50>; rel="next"'
    ),
    "WWW-Authenticate": _header("How to say who you are.", 'Bearer realm="echtra"'),
}
IF_NONE_MATCH = {
    "in": "header",
    "name": "If-None-Match",
    "required": False,
    "description": "The ETag of an answer you have: 304 if it is still the same.",
    "schema": {"type": "string"},
    "example": '"0123456789abcdef0123456789abcdef"',
}
IDEMPOTENCY_KEY = {
    "in": "header",
    "name": "Idempotency-Key",
    "required": False,
    "description": "A name you choose for this creation; for 48 hours the same request with it gets the same answer.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
    "example": "8e03978e-40d5-43dd-bc93-6894a57f9324",
}

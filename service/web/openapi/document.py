"""The OpenAPI document: the API it describes, and what it says of every operation alike."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from importlib.metadata import version
from typing import Any

from apispec import APISpec
from flask import Flask
from flask_smorest import Api as SmorestApi
from werkzeug.routing import BaseConverter

from engine.games import EXAMPLE
from service.problems import KINDS
from service.shapes import ID_PATTERN, KEY_ID, KEY_ID_PATTERN, PLAYER_ID
from service.web.auth import SCOPES
from service.web.openapi import game_schemas, webhooks
from service.web.openapi.problem_schemas import problem_components, problem_example, problem_schema
from service.web.openapi.response_headers import RESPONSE_HEADERS, problem_headers, success_headers
from service.web.openapi.shape_schemas import ONE_LINE_PATTERN, IntegerField, MaxMembers, TextField, schema_of
from service.web.schemas.problems import Fault, ProblemDetails

METHODS = ("get", "post", "put", "patch", "delete")
OPERATION_KEYS = ("tags", "summary", "description", "operationId", "security", "parameters", "requestBody", "responses")
JsonObject = dict[str, Any]
API_VERSION = version("echtra")
"""The API and the package are one thing, so they have one version."""
NAME_PATTERN = r"^[a-z0-9-]{3,40}$"
STAGE_PATTERN = r"^[a-z][a-z0-9-]{0,31}$"
SLUG_PATTERN = r"^[a-z][a-z0-9-]{0,31}$"
API_DESCRIPTION = """\
Celtic board games by letter, by REST and in tournaments.

**Begin**: `POST /v1/players` with your name and mail address, confirm the address with the code in the letter
(`POST /v1/confirmations`), then get a token: `POST /v1/tokens` mails a six-digit code that you exchange for it. Send it
as `Authorization: Bearer echtra_…`. Register the public half of an Ed25519 key with `POST /v1/me/keys`: moves are
signed.

**Conventions**: bodies are JSON in UTF-8, read strictly (unknown or double names, fractions and numbers beyond 2^53
are refused). Times are RFC 3339 in UTC. Errors are problem details (RFC 9457) whose `type` is a page. Reads carry an
`ETag` and answer `304` to `If-None-Match`. Lists have pages: take `limit` items, and go on at the `Link` with
`rel="next"`. Two answers with `items` have none: events are a feed that goes on with `after`, and the options of a turn
are narrowed with `mark`. Creations take an `Idempotency-Key` and answer a repetition within 48 hours with the same
answer. Every answer has `RateLimit` headers and an `X-Request-Id`.

**Change**: members, values of enumerations, kinds of events and of problems, and games are added at any time; read what
you know and leave the rest aside. Nothing else changes under `/v1`. What is going to end answers with the header
`Deprecation` (RFC 9745, since when) from the day that is decided, and with `Sunset` (RFC 8594, when it ends) and a
`Link` to what replaces it at least six months before; the changelog names it too. Until then it works as before.

**Security**: `/.well-known/security.txt` says whom to write to.
"""
SCOPE_NEEDED_TEXT = "Needs a token with the scope `{}`."
OPTIONAL_TEXT = "A token is welcome, and not needed."


class IdConverter(BaseConverter):
    """An id of ours in a path."""

    regex = ID_PATTERN.strip("^$")


class KeyConverter(BaseConverter):
    """The id of a key in a path."""

    regex = KEY_ID_PATTERN.strip("^$")


class SlugConverter(BaseConverter):
    """The slug of a game in a path."""

    regex = SLUG_PATTERN.strip("^$")


class NameConverter(BaseConverter):
    """The id or the name of a tournament in a path."""

    regex = NAME_PATTERN.strip("^$")


class StageConverter(BaseConverter):
    """The name of a tournament's stage in a path."""

    regex = STAGE_PATTERN.strip("^$")


class Api(SmorestApi):
    """flask-smorest without its own error answers and pages."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_responses(self) -> None:
        """Error responses are written by `document`."""

    def _register_pagination_header(self) -> None:
        """Lists are paged by `service.web.pagination`."""

    def _register_error_handlers(self) -> None:
        """Errors are answered by `service.web.errors`."""

    def _register_doc_blueprint(self) -> None:
        """The document is served by `service.web.pages.docs`."""


def create_api(app: Flask) -> Api:
    """The API of this application, ready for blueprints."""
    app.url_map.converters.update(
        {"id": IdConverter, "kid": KeyConverter, "slug": SlugConverter, "named": NameConverter, "stage": StageConverter}
    )
    app.config.update(
        API_TITLE="Echtra",
        API_VERSION=API_VERSION,
        OPENAPI_VERSION="3.1.0",
        API_SPEC_OPTIONS={
            "info": {
                "description": API_DESCRIPTION,
                "license": {"name": "MIT", "identifier": "MIT"},
                "contact": {"name": "The Echtra authors"},
            },
            "servers": [{"url": "/", "description": "Where this document came from."}],
        },
    )
    made = Api(app)
    made.register_converter(IdConverter, lambda _: {"type": "string", "pattern": ID_PATTERN, "examples": [PLAYER_ID]})
    made.register_converter(
        KeyConverter,
        lambda _: {
            "type": "string",
            "pattern": KEY_ID_PATTERN,
            "examples": [KEY_ID],
        },
    )
    made.register_converter(
        NameConverter, lambda _: {"type": "string", "pattern": NAME_PATTERN, "examples": ["winter-cup"]}
    )
    made.register_converter(
        StageConverter, lambda _: {"type": "string", "pattern": STAGE_PATTERN, "examples": ["swiss"]}
    )
    made.register_converter(SlugConverter, lambda _: {"type": "string", "pattern": SLUG_PATTERN, "examples": [EXAMPLE]})
    for attributes in (_one_line_pattern, _max_properties, _number_format):
        made.ma_plugin.converter.add_attribute_function(attributes)
    spec: APISpec = made.spec
    spec.components.schema("Problem", schema=schema_of(ProblemDetails))
    spec.components.schema("Fault", schema=schema_of(Fault))
    spec.components.security_scheme(
        "token",
        {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from `POST /v1/tokens`. Scopes: "
            + " ".join(f"`{name}`: {about}" for name, about in SCOPES.items()),
        },
    )
    return made


def _one_line_pattern(_: Any, field: Any, **__: Any) -> dict[str, str]:  # noqa: ANN401  # as apispec calls it
    """What texts we take must look like, where nothing narrower is said."""
    return {"pattern": ONE_LINE_PATTERN} if isinstance(field, TextField) and field.is_one_line else {}


def _number_format(_: Any, field: Any, **__: Any) -> dict[str, str]:  # noqa: ANN401  # as apispec calls it
    """That whole numbers need more than 32 bits."""
    return {"format": "int64"} if isinstance(field, IntegerField) else {}


def _max_properties(_: Any, field: Any, **__: Any) -> dict[str, int]:  # noqa: ANN401  # as apispec calls it
    """How many members an object has at most."""
    found = [each.most for each in field.validators if isinstance(each, MaxMembers)]
    return {"maxProperties": min(found)} if found else {}


def build_document(app: Flask) -> JsonObject:
    """The whole document, finished."""
    # A copy, for what is finished here must not be finished twice.
    made: JsonObject = deepcopy(app.extensions["flask-smorest"]["apis"][""]["ext_obj"].spec.to_dict())
    return describe_scopes(complete_document({**made, "webhooks": webhooks.webhooks_section()}))


def complete_document(document: JsonObject) -> JsonObject:
    """The document with all that follows from the form of its operations."""
    components = document["components"]
    components["headers"] = RESPONSE_HEADERS
    components["schemas"] |= problem_components(components["schemas"]["Problem"])
    game_schemas.describe_games(components["schemas"])
    components["schemas"] = dict(sorted(components["schemas"].items()))
    answers: JsonObject = {}
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                item[method] = _complete_operation(item[method], method, path, item.get("parameters", []), answers)
    components["responses"] = dict(sorted(answers.items()))
    order = ("openapi", "info", "servers", "tags", "paths", "webhooks", "components")
    return {name: document[name] for name in order if name in document}


def _complete_operation(
    operation: JsonObject, method: str, path: str, shared: list[JsonObject], answers: JsonObject
) -> JsonObject:
    named = operation.pop("x-problems", [])
    idempotent = operation.pop("x-idempotent", False)
    parameters = operation.setdefault("parameters", [])
    responses = {str(status): told for status, told in operation.get("responses", {}).items() if str(status) < "400"}
    paged, waits = (any(each["name"] == name for each in parameters) for name in ("cursor", "Prefer"))
    for status, told in responses.items():
        told["headers"] = {
            **told.get("headers", {}),
            **success_headers(method, status, paged=paged, idempotent=idempotent, waits=waits),
        }
    if method == "get":
        headers = success_headers(method, "304", paged=False, idempotent=False, waits=False)
        responses["304"] = {"description": NOT_MODIFIED_TEXT, "headers": headers}
        parameters.append(IF_NONE_MATCH)
    if idempotent:
        parameters.append(IDEMPOTENCY_KEY)
    for code, kinds in sorted(_problem_kinds(operation, named, path, idempotent=idempotent).items()):
        name = ".".join(kinds)
        answers[name] = _problem_response(code, kinds)
        responses[str(code)] = {"$ref": f"#/components/responses/{name}"}
    for parameter in [*parameters, *shared]:
        parameter.setdefault("description", f"The id of the {parameter['name'].replace('_', ' ')}.")
    operation["summary"] = operation["summary"].rstrip(".")
    made = {
        "operationId": _operation_id(method, path),
        "security": [],
        **operation,
        "responses": dict(sorted(responses.items())),
    }
    return {
        name: made[name]
        for name in (*OPERATION_KEYS, *made)
        if made.get(name) is not None and (made[name] or name == "security")
    }


def _problem_kinds(operation: JsonObject, named: list[str], path: str, *, idempotent: bool) -> dict[int, list[str]]:
    """The problems of an operation by status: those it names, and those that follow from its form."""
    kinds = ["bad-request", *named, "wrong-token", "too-many-requests", "not-now"]
    if operation.get("security") and {} not in operation["security"]:
        kinds += ["no-token", "forbidden"]
    if "requestBody" in operation:
        kinds += ["too-slow", "too-large", "wrong-media-type", "invalid"]
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


def _problem_response(status: int, kinds: list[str]) -> JsonObject:
    examples = {kind: {"summary": KINDS[kind][1], "value": problem_example(kind)} for kind in kinds}
    media = {"schema": problem_schema(kinds), "examples": examples}
    told = " ".join(f"`{kind}`: {KINDS[kind][1]}." for kind in kinds)
    return {
        "description": told,
        "headers": problem_headers(status),
        "content": {"application/problem+json": media},
    }


def _operation_id(method: str, path: str) -> str:
    return "-".join([method, *(word.strip("{}") for word in path.removeprefix("/v1").split("/") if word)])


def describe_scopes(document: JsonObject) -> JsonObject:
    """The document with the scope of each operation in its description."""
    for operation in _operations_with_security(document):
        wanted = [scope for each in operation["security"] for scope in each.get("token", [])]
        said = OPTIONAL_TEXT if {} in operation["security"] else SCOPE_NEEDED_TEXT.format("` or `".join(wanted))
        operation["description"] = f"{operation['description']}\n\n{said}"
    return document


def _operations_with_security(document: JsonObject) -> Iterator[JsonObject]:
    for item in document["paths"].values():
        yield from (part for part in item.values() if isinstance(part, dict) and part.get("security"))


NOT_MODIFIED_TEXT = "Nothing has changed since the answer with this ETag."
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

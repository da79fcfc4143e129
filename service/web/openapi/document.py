"""The OpenAPI document: the API it describes, and what all operations have in common."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from importlib.metadata import version

from apispec import APISpec
from apispec.ext.marshmallow.openapi import OpenAPIConverter
from flask import Flask
from flask_smorest import Api as SmorestApi
from marshmallow import fields
from werkzeug.routing import BaseConverter

from engine.games import EXAMPLE
from service.problems import KINDS
from service.shapes import ID_PATTERN, KEY_ID, KEY_ID_PATTERN, PLAYER_ID
from service.tournaments.documents.document_schema import NAME_PATTERN, STAGE_PATTERN
from service.web.auth import SCOPES
from service.web.openapi import game_schemas, webhooks
from service.web.openapi.nodes import Node, header_parameter
from service.web.openapi.problem_schemas import problem_components, problem_example, problem_schema
from service.web.openapi.response_headers import RESPONSE_HEADERS, problem_headers, success_headers
from service.web.openapi.shape_schemas import ONE_LINE_PATTERN, IntegerField, MaxMembers, TextField, schema_of
from service.web.schemas.problems import Fault, ProblemDetails

METHODS = ("get", "post", "put", "patch", "delete")
OPERATION_KEYS = ("tags", "summary", "description", "operationId", "security", "parameters", "requestBody", "responses")
API_VERSION = version("echtra")
"""The API has the version of the package."""
PATH_WORDS = {
    "id": (ID_PATTERN, PLAYER_ID),
    "kid": (KEY_ID_PATTERN, KEY_ID),
    "slug": (r"^[a-z][a-z0-9-]{0,31}$", EXAMPLE),
    "named": (NAME_PATTERN, "winter-cup"),
    "stage": (STAGE_PATTERN, "swiss"),
}
"""Words in paths: the name of the converter, as in `<id:match>`, with its pattern and an example."""
API_DESCRIPTION = """\
Celtic board games by email, by REST and in tournaments.

**Start**: `POST /v1/players` with your name and email address, confirm the address with the code in the email
(`POST /v1/confirmations`), then get a token: `POST /v1/tokens` emails you a six-digit code that you exchange for it.
Send it as `Authorization: Bearer echtra_…`. Register the public half of an Ed25519 key with `POST /v1/me/keys`: moves
are signed.

**Conventions**: bodies are JSON in UTF-8, parsed strictly (unknown or duplicate names, fractions and numbers beyond
2^53 are refused). Times are RFC 3339 in UTC. Errors are problem details (RFC 9457) whose `type` is a page. Reads have
an `ETag` and answer `304` to `If-None-Match`. Lists are paged: get `limit` items, and continue at the `Link` with
`rel="next"`. Two answers with `items` are not paged: events are a feed that continues with `after`, and the options of
a turn are narrowed with `mark`. Creations accept an `Idempotency-Key`; repeated within 48 hours, they get the same
answer. Every answer has `RateLimit` headers and an `X-Request-Id`.

**Changes**: members, values of enumerations, kinds of events and of problems, and games may be added at any time;
ignore what you do not know. Nothing else changes under `/v1`. Deprecated operations answer with the header
`Deprecation` (RFC 9745, since when), and at least six months before they end with `Sunset` (RFC 8594, when) and a
`Link` to their replacement; the changelog names them too. Until then they work as before.

**Security**: `/.well-known/security.txt` has the contact.
"""
SCOPE_NEEDED_TEXT = "Needs a token with the scope `{}`."
OPTIONAL_TEXT = "A token is welcome but not required."


class Api(SmorestApi):
    """flask-smorest without its own error answers and pages."""

    DEFAULT_ERROR_RESPONSE_NAME = None

    def _register_responses(self) -> None:
        """Do nothing: `complete_document` writes the error responses."""

    def _register_pagination_header(self) -> None:
        """Do nothing: `service.web.pagination` pages lists."""

    def _register_error_handlers(self) -> None:
        """Do nothing: `service.web.errors` answers errors."""

    def _register_doc_blueprint(self) -> None:
        """Do nothing: `service.web.pages.docs` serves the document."""


def create_api(app: Flask) -> Api:
    """Create the API of this application, ready for blueprints."""
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
            "servers": [{"url": "/", "description": "The server of this document."}],
        },
    )
    api = Api(app)
    for name, (pattern, example) in PATH_WORDS.items():
        converter = type(f"{name.title()}Converter", (BaseConverter,), {"regex": pattern.strip("^$")})
        app.url_map.converters[name] = converter
        schema = {"type": "string", "pattern": pattern, "examples": [example]}
        api.register_converter(converter, lambda _, schema=schema: dict(schema))
    api.ma_plugin.converter.add_attribute_function(_describe_limits)
    spec: APISpec = api.spec
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
    return api


def _describe_limits(_: OpenAPIConverter, field: fields.Field, **__: Node) -> Node:
    """Return the limits of a field that apispec does not derive from its validators."""
    if isinstance(field, TextField) and field.is_one_line:
        return {"pattern": ONE_LINE_PATTERN}
    if isinstance(field, IntegerField):
        return {"format": "int64"}  # more than 32 bits
    limits = [validator.most for validator in field.validators if isinstance(validator, MaxMembers)]
    return {"maxProperties": min(limits)} if limits else {}


def build_document(app: Flask) -> Node:
    """Return the finished document."""
    # A copy, because completing it changes it in place.
    built: Node = deepcopy(app.extensions["flask-smorest"]["apis"][""]["ext_obj"].spec.to_dict())
    return describe_scopes(complete_document({**built, "webhooks": webhooks.webhooks_section()}))


def complete_document(document: Node) -> Node:
    """Add to the document everything that follows from the form of its operations."""
    components = document["components"]
    components["headers"] = RESPONSE_HEADERS
    components["schemas"] |= problem_components(components["schemas"]["Problem"])
    game_schemas.describe_games(components["schemas"])
    components["schemas"] = dict(sorted(components["schemas"].items()))
    answers: Node = {}
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                item[method] = _complete_operation(item[method], method, path, item.get("parameters", []), answers)
    components["responses"] = dict(sorted(answers.items()))
    order = ("openapi", "info", "servers", "tags", "paths", "webhooks", "components")
    return {name: document[name] for name in order if name in document}


def _complete_operation(operation: Node, method: str, path: str, shared: list[Node], answers: Node) -> Node:
    named = operation.pop("x-problems", [])
    idempotent = operation.pop("x-idempotent", False)
    parameters = operation.setdefault("parameters", [])
    responses = {
        str(status): response for status, response in operation.get("responses", {}).items() if str(status) < "400"
    }
    paged, waits = (any(each["name"] == name for each in parameters) for name in ("cursor", "Prefer"))
    for status, response in responses.items():
        response["headers"] = {
            **response.get("headers", {}),
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
    completed = {
        "operationId": _operation_id(method, path),
        "security": [],
        **operation,
        "responses": dict(sorted(responses.items())),
    }
    return {
        name: completed[name]
        for name in (*OPERATION_KEYS, *completed)
        if completed.get(name) is not None and (completed[name] or name == "security")
    }


def _problem_kinds(operation: Node, named: list[str], path: str, *, idempotent: bool) -> dict[int, list[str]]:
    """Return the problems of an operation by status: those it names, and those that follow from its form."""
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
    by_status: dict[int, list[str]] = {}
    for kind in (each for each in KINDS if each in kinds):
        by_status.setdefault(KINDS[kind][0], []).append(kind)
    return by_status


def _problem_response(status: int, kinds: list[str]) -> Node:
    examples = {kind: {"summary": KINDS[kind][1], "value": problem_example(kind)} for kind in kinds}
    media = {"schema": problem_schema(kinds), "examples": examples}
    about = " ".join(f"`{kind}`: {KINDS[kind][1]}." for kind in kinds)
    return {
        "description": about,
        "headers": problem_headers(status),
        "content": {"application/problem+json": media},
    }


def _operation_id(method: str, path: str) -> str:
    return "-".join([method, *(word.strip("{}") for word in path.removeprefix("/v1").split("/") if word)])


def describe_scopes(document: Node) -> Node:
    """Add the required scope to the description of each operation."""
    for operation in _operations_with_security(document):
        wanted = [scope for requirement in operation["security"] for scope in requirement.get("token", [])]
        about = OPTIONAL_TEXT if {} in operation["security"] else SCOPE_NEEDED_TEXT.format("` or `".join(wanted))
        operation["description"] = f"{operation['description']}\n\n{about}"
    return document


def _operations_with_security(document: Node) -> Iterator[Node]:
    for item in document["paths"].values():
        yield from (part for part in item.values() if isinstance(part, dict) and part.get("security"))


NOT_MODIFIED_TEXT = "Unchanged since the answer with this ETag."
IF_NONE_MATCH = header_parameter(
    "If-None-Match",
    "The ETag of a previous answer: 304 if it is unchanged.",
    '"0123456789abcdef0123456789abcdef"',
)
IDEMPOTENCY_KEY = header_parameter(
    "Idempotency-Key",
    "A name you choose for this creation. For 48 hours the same request with it gets the same answer.",
    "8e03978e-40d5-43dd-bc93-6894a57f9324",
    minLength=1,
    maxLength=200,
    pattern="^[!-~]+$",
)

"""The OpenAPI 3.1 document, generated from the blueprints and finished here."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

from apispec import APISpec
from flask import Flask
from flask_smorest import Api as SmorestApi
from werkzeug.routing import BaseConverter

from engine.games import EXAMPLE
from service.config import Config
from service.web.auth import SCOPES
from service.web.openapi import document_scopes as scopes
from service.web.openapi import webhooks
from service.web.openapi.document import finished
from service.web.schemas.fields import ID, KEY, ONE_LINE, Members, Strict, Text
from service.web.schemas.problems import ProblemBody

VERSION = "1.0.0"
SLUG = r"^[a-z][a-z0-9-]{0,31}$"
ABOUT = """\
Celtic board games by letter, by REST and in tournaments.

**Begin**: `POST /v1/players` with your name and mail address, confirm the address with the code in the letter
(`POST /v1/confirmations`), then get a token: `POST /v1/tokens` mails a six-digit code that you exchange for it. Send it
as `Authorization: Bearer echtra_…`. Register the public half of an Ed25519 key with `POST /v1/me/keys`: moves are
signed.

**Conventions**: bodies are JSON in UTF-8, read strictly (unknown or double names, fractions and numbers beyond 2^53
are refused). Times are RFC 3339 in UTC. Errors are problem details (RFC 9457) whose `type` is a page. Reads carry an
`ETag` and answer `304` to `If-None-Match`. Lists go on at the `Link` with `rel="next"`. Creations take an
`Idempotency-Key` and answer a repetition within 48 hours with the same answer. Every answer has `RateLimit` headers
and an `X-Request-Id`.
"""


class IdConverter(BaseConverter):
    """An id of ours in a path."""

    regex = ID.strip("^$")


class KeyConverter(BaseConverter):
    """The id of a key in a path."""

    regex = KEY.strip("^$")


class SlugConverter(BaseConverter):
    """The slug of a game in a path."""

    regex = SLUG.strip("^$")


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


def api(app: Flask) -> Api:
    """The API of this application, ready for blueprints."""
    app.url_map.converters.update({"id": IdConverter, "kid": KeyConverter, "slug": SlugConverter})
    app.config.update(
        API_TITLE="Echtra",
        API_VERSION=VERSION,
        OPENAPI_VERSION="3.1.0",
        API_SPEC_OPTIONS={
            "info": {
                "description": ABOUT,
                "license": {"name": "MIT", "identifier": "MIT"},
                "contact": {"name": "The Echtra authors"},
            },
            "servers": [{"url": "/", "description": "Where this document came from."}],
        },
    )
    made = Api(app)
    made.register_converter(IdConverter, lambda _: {"type": "string", "pattern": ID, "examples": ["k3v9m2x7q4p8w6ya"]})
    made.register_converter(
        KeyConverter,
        lambda _: {"type": "string", "pattern": KEY, "examples": ["kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"]},
    )
    made.register_converter(SlugConverter, lambda _: {"type": "string", "pattern": SLUG, "examples": [EXAMPLE]})
    for attributes in (_one_line, _members):
        made.ma_plugin.converter.add_attribute_function(attributes)
    spec: APISpec = made.spec
    spec.components.schema("Problem", schema=ProblemBody)
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


def _one_line(_: Any, field: Any, **__: Any) -> dict[str, str]:  # noqa: ANN401  # as apispec calls it
    """What texts we take must look like, where nothing narrower is said."""
    taken = isinstance(field, Text) and isinstance(field.root, Strict) and not field.lines
    return {"pattern": ONE_LINE} if taken and not field.narrow else {}


def _members(_: Any, field: Any, **__: Any) -> dict[str, int]:  # noqa: ANN401  # as apispec calls it
    """How many members an object has at most."""
    found = [each.most for each in field.validators if isinstance(each, Members)]
    return {"maxProperties": min(found)} if found else {}


def document(app: Flask) -> dict[str, Any]:
    """The whole document, finished."""
    # A copy, for what is finished here must not be finished twice.
    made: dict[str, Any] = deepcopy(app.extensions["flask-smorest"]["apis"][""]["ext_obj"].spec.to_dict())
    return scopes.told(finished({**made, "webhooks": webhooks.section()}))


def text() -> str:
    """The document as it is committed; made without a database."""
    from service.web.app import shell

    return json.dumps(document(shell(Config())), ensure_ascii=False, indent=2) + "\n"

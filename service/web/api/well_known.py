"""What is found at a fixed address: the keys the server signs with."""

from __future__ import annotations

from typing import Any

from service.play import server_keys
from service.web.openapi.blueprint import Blueprint
from service.web.responses import json_response
from service.web.schemas.credentials import SERVER_KEY_EXAMPLE, ServerKeysSchema

blueprint = Blueprint("server-keys", __name__, url_prefix="/.well-known", description="What the server signs with.")


@blueprint.route("/echtra.json")
@blueprint.response(200, ServerKeysSchema(), example={"keys": [SERVER_KEY_EXAMPLE]})
def get_server_keys() -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Get the server's keys.

    Receipts and records are signed with them. Keys are never removed from this list, so that old signatures can be
    checked.
    """
    server_keys.current_key()
    return json_response(server_keys.published_keys(), headers={"Cache-Control": "public, max-age=300"})

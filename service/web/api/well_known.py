"""What is found at a fixed address: the keys the server signs with."""

from __future__ import annotations

from typing import Any

from service.play import server_keys
from service.web.openapi.blueprint import Blueprint
from service.web.responses import json_response
from service.web.schemas.fields import ListField, NestedField, ResponseSchema, TextField
from service.web.schemas.matches import AT, KEY_ID

blueprint = Blueprint("server-keys", __name__, url_prefix="/.well-known", description="What the server signs with.")
PUBLIC_KEY_EXAMPLE = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
SERVER_KEY_EXAMPLE = {
    "alg": "EdDSA",
    "crv": "Ed25519",
    "from": AT,
    "kid": KEY_ID,
    "kty": "OKP",
    "until": None,
    "use": "sig",
    "x": PUBLIC_KEY_EXAMPLE,
}


class ServerKeyShownSchema(ResponseSchema):
    """A key of the server, as JWK with the time it was in use."""

    alg = TextField(required=True, about="Always `EdDSA`.", example="EdDSA")
    crv = TextField(required=True, about="Always `Ed25519`.", example="Ed25519")
    since = TextField(required=True, data_key="from", about="From when it was in use.", example=AT)
    kid = TextField(required=True, about="Its RFC 7638 id, as receipts and records name it.", example=KEY_ID)
    kty = TextField(required=True, about="Always `OKP`.", example="OKP")
    until = TextField(required=True, allow_none=True, about="Until when; null while in use.", example=None)
    use = TextField(required=True, about="Always `sig`.", example="sig")
    x = TextField(required=True, about="The public key.", example=PUBLIC_KEY_EXAMPLE)


class ServerKeysSchema(ResponseSchema):
    """Every key the server ever signed with."""

    keys = ListField(
        NestedField(ServerKeyShownSchema(), about="A key."), required=True, most=10_000, about="Oldest first."
    )


@blueprint.route("/echtra.json")
@blueprint.response(200, ServerKeysSchema(), example={"keys": [SERVER_KEY_EXAMPLE]})
def get_server_keys() -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Get the server's keys.

    Receipts and records are signed with them. Keys are never removed from this list, so that old signatures can be
    checked.
    """
    server_keys.current_key()
    return json_response(server_keys.published_keys(), headers={"Cache-Control": "public, max-age=300"})

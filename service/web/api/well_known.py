"""What is found at a fixed address: the keys the server signs with."""

from __future__ import annotations

from typing import Any

from service.play import server_keys as signing
from service.web.openapi.blueprint import Blueprint
from service.web.responses import json_answer
from service.web.schemas.fields import Inside, Many, Shown, Text
from service.web.schemas.matches import AT, KEY

blueprint = Blueprint("server-keys", __name__, url_prefix="/.well-known", description="What the server signs with.")
X = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
SHOWN = {"alg": "EdDSA", "crv": "Ed25519", "from": AT, "kid": KEY, "kty": "OKP", "until": None, "use": "sig", "x": X}


class ServerKeyShown(Shown):
    """A key of the server, as JWK with the time it was in use."""

    alg = Text(required=True, about="Always `EdDSA`.", example="EdDSA")
    crv = Text(required=True, about="Always `Ed25519`.", example="Ed25519")
    since = Text(required=True, data_key="from", about="From when it was in use.", example=AT)
    kid = Text(required=True, about="Its RFC 7638 id, as receipts and records name it.", example=KEY)
    kty = Text(required=True, about="Always `OKP`.", example="OKP")
    until = Text(required=True, allow_none=True, about="Until when; null while in use.", example=None)
    use = Text(required=True, about="Always `sig`.", example="sig")
    x = Text(required=True, about="The public key.", example=X)


class ServerKeys(Shown):
    """Every key the server ever signed with."""

    keys = Many(Inside(ServerKeyShown(), about="A key."), required=True, most=10_000, about="Oldest first.")


@blueprint.route("/echtra.json")
@blueprint.response(200, ServerKeys(), example={"keys": [SHOWN]})
def keys() -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Get the server's keys.

    Receipts and records are signed with them. Keys are never removed from this list, so that old signatures can be
    checked.
    """
    signing.current()
    return json_answer(signing.published(), headers={"Cache-Control": "public, max-age=300"})

"""Keys: what players sign their moves with."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.accounts import signing_keys, tokens
from service.db.connection import write_transaction
from service.db.models.accounts import SigningKeyRow
from service.matches import key_revocation
from service.problems import invalid_field_problem
from service.record.keys import KeyRefusedError, PublicKey, from_jwk, from_pem
from service.web import auth, idempotency, pagination
from service.web.openapi.blueprint import Blueprint
from service.web.schemas.credentials import JWK_EXAMPLE, KEY_EXAMPLE, KeyPageSchema, KeyShownSchema, NewKeySchema

blueprint = Blueprint(
    "keys", __name__, url_prefix="/v1/me/keys", description="Ed25519 keys: moves are signed with them."
)


@blueprint.route("", methods=["POST"])
@auth.requires_scope("play")
@idempotency.once
@blueprint.arguments(NewKeySchema(), example={"jwk": JWK_EXAMPLE, "label": "laptop", "seats": False})
@blueprint.response(201, KeyShownSchema(), example=KEY_EXAMPLE, description="The key is yours.")
@blueprint.alt_response(
    200, schema=KeyShownSchema(), example=KEY_EXAMPLE, description="The key was yours already.", success=True
)
@blueprint.problems("conflict", "limit-reached")
def add(body: dict[str, Any]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Add a key.

    The public half of an Ed25519 key, as JWK or as PEM: `openssl genpkey -algorithm ed25519 -out key.pem` makes one
    and `openssl pkey -in key.pem -pubout` prints its public half. Keys of small order or not in canonical form are
    refused, and so is a private key. At most 20 keys.

    A seat has the keys you had when you took it. In a match that runs, give your seat a new key with a move of its
    own, at any time: the line `keys ID,ID,…` names all keys of the seat from there on, at most eight, and is signed
    with one it has now.

    **A device that plays everywhere.** With `"seats": true`, which needs a token with the scope `account`, the key
    plays at all your seats. In a match that takes letters (`moves: any`) a line of the house, `keys SEAT KEYS`, is
    written right before the first line that the key makes there; you get a letter about the device, with a link that
    stops it. Of nine keys of a seat the one that was not used there for the longest time goes. In a match with `moves:
    signed` a key of the seat has to sign for the new one: see `/v1/me/keys/{key}/approvals`. A token has one such key:
    a newer one takes its place, while orders of the old one that wait are still made. Verifiers count what such a key
    signs as attested by the server, not as proved, until an older key of the seat has signed for it.
    """
    me = auth.require_caller()
    token = auth.require_scope("account").token if body["seats"] else None
    label = body["label"] or (tokens.find(token).name if token else "")
    with write_transaction():
        key, new = signing_keys.add(me.player, _parse_key(body), label, token)
    return _describe_key(key), 201 if new else 200, {"Location": f"/v1/me/keys/{key.id}"}


def _parse_key(body: dict[str, Any]) -> PublicKey:
    try:
        return from_pem(body["pem"]) if "pem" in body else from_jwk(body["jwk"])
    except KeyRefusedError as error:
        raise invalid_field_problem("pem" if "pem" in body else "jwk", error.reason) from None


@blueprint.route("")
@auth.requires_scope("read")
@blueprint.arguments(pagination.PagingQuerySchema(), location="query")
@blueprint.response(200, KeyPageSchema(), example={"items": [KEY_EXAMPLE]})
def list_keys(query: dict[str, Any]) -> Any:  # noqa: ANN401
    """List your keys.

    Revoked ones too: what they signed stays good.
    """
    page = pagination.parse_page_request("keys", query)
    mine = SigningKeyRow.select().where(SigningKeyRow.player == auth.require_caller().player)
    items, headers = pagination.fetch_page(mine, page, SigningKeyRow.created_at, SigningKeyRow.id)
    return {"items": [_describe_key(key) for key in items]}, 200, headers


@blueprint.route("/<kid:key>")
@auth.requires_scope("read")
@blueprint.response(200, KeyShownSchema(), example=KEY_EXAMPLE)
def get_key(key: str) -> Any:  # noqa: ANN401
    """Look at a key.

    One of yours, by its id.
    """
    return _describe_key(signing_keys.find(auth.require_caller().player, key))


@blueprint.route("/<kid:key>", methods=["DELETE"])
@auth.requires_scope("play")
@blueprint.response(204, description="The key signs nothing from now on.")
def revoke(key: str) -> Any:  # noqa: ANN401
    """Revoke a key.

    From now on, and for good. A line of the house, `keys SEAT KEYS`, takes it from your seat in every match that
    runs; what it signed before stays good.
    """
    key_revocation.revoke_key(auth.require_caller().player, key)
    return Response(status=204)


def _describe_key(key: SigningKeyRow) -> dict[str, Any]:
    times = {"created_at": key.created_at, "revoked_at": key.revoked_at, "replaced_at": key.replaced_at}
    device = {"seats": bool(key.seats), "token": key.token}
    return {"id": key.id, "label": key.label, "jwk": PublicKey(key.x).jwk, **times, **device}

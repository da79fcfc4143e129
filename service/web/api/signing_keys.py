"""Keys: what players sign their moves with."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.accounts import signing_keys as keyring
from service.db.connection import rows, writing
from service.problems import Problem
from service.record.keys import Key, KeyRefusedError, from_jwk, from_pem
from service.web import auth, idempotency
from service.web import pagination as pages
from service.web.openapi.blueprint import Blueprint
from service.web.schemas.credentials import JWK, KEY, KeyPage, KeyShown, NewKey

blueprint = Blueprint(
    "keys", __name__, url_prefix="/v1/me/keys", description="Ed25519 keys: moves are signed with them."
)


@blueprint.route("", methods=["POST"])
@auth.needs("play")
@idempotency.once
@blueprint.arguments(NewKey(), example={"jwk": JWK, "label": "laptop"})
@blueprint.response(201, KeyShown(), example=KEY, description="The key is yours.")
@blueprint.alt_response(200, schema=KeyShown(), example=KEY, description="The key was yours already.", success=True)
@blueprint.problems("conflict", "limit-reached")
def add(body: dict[str, Any]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Add a key.

    The public half of an Ed25519 key, as JWK or as PEM: `openssl genpkey -algorithm ed25519 -out key.pem` makes one
    and `openssl pkey -in key.pem -pubout` prints its public half. Keys of small order or not in canonical form are
    refused, and so is a private key. At most 20 keys.

    A seat has the keys you had when you took it. In a match that runs, give your seat a new key with a move of its
    own, at any time: the line `keys ID,ID,…` names all keys of the seat from there on, at most eight, and is signed
    with one it has now.
    """
    with writing():
        key, new = keyring.add(auth.current().player, _read(body), body["label"])
    row = (key.id, key.label, key.x, key.created_at, key.revoked_at)
    return _shown(row), 201 if new else 200, {"Location": f"/v1/me/keys/{key.id}"}


def _read(body: dict[str, Any]) -> Key:
    try:
        return from_pem(body["pem"]) if "pem" in body else from_jwk(body["jwk"])
    except KeyRefusedError as error:
        told = str(error)
        field = "pem" if "pem" in body else "jwk"
        raise Problem("invalid", f"{told[0].upper()}{told[1:]}.", errors=[{"field": field, "reason": told}]) from None


@blueprint.route("")
@auth.needs("read")
@blueprint.arguments(pages.Paging(), location="query")
@blueprint.response(200, KeyPage(), example={"items": [KEY]})
def listed(query: dict[str, Any]) -> Any:  # noqa: ANN401
    """List your keys.

    Revoked ones too: what they signed stays good.
    """
    wanted = pages.page("keys", query)
    sql = (
        "select id, label, x, created_at, revoked_at from signing_key where player = ? "
        "and (created_at > ? or (created_at = ? and id > ?)) order by created_at, id limit ?"
    )
    at, after = wanted.after or (0, "")
    found = rows(sql, auth.current().player, at, at, after, wanted.fetch)
    items, headers = pages.answer(found, wanted, lambda row: (row[3], row[0]))
    return {"items": [_shown(row) for row in items]}, 200, headers


@blueprint.route("/<kid:key>")
@auth.needs("read")
@blueprint.response(200, KeyShown(), example=KEY)
def look(key: str) -> Any:  # noqa: ANN401
    """Look at a key.

    One of yours, by its id.
    """
    found = keyring.of(auth.current().player, key)
    return _shown((found.id, found.label, found.x, found.created_at, found.revoked_at))


@blueprint.route("/<kid:key>", methods=["DELETE"])
@auth.needs("play")
@blueprint.response(204, description="The key signs nothing from now on.")
def revoke(key: str) -> Any:  # noqa: ANN401
    """Revoke a key.

    From now on, and for good. A line of the house, `keys SEAT KEYS`, takes it from your seat in every match that
    runs; what it signed before stays good.
    """
    keyring.revoke(auth.current().player, key)
    return Response(status=204)


def _shown(row: tuple[Any, ...]) -> dict[str, Any]:
    key, label, x, created_at, revoked_at = row
    return {"id": key, "label": label, "jwk": Key(x).jwk, "created_at": created_at, "revoked_at": revoked_at}

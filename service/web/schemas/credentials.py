"""Bodies of tokens and keys, the keys of the server included."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from service.web.schemas.fields import (
    BooleanField,
    ChoiceField,
    HexField,
    IdField,
    IntegerField,
    KeyIdField,
    ListField,
    NestedField,
    RequestSchema,
    ResponseSchema,
    TextField,
    TimestampField,
)
from service.web.schemas.games import GAME_SLUG
from service.web.schemas.matches import AT, HASH, MATCH_ID, SIGNATURE, seat_field
from service.web.schemas.players import NameField, scopes_field

KEY_ID_EXAMPLE = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
PUBLIC_KEY_EXAMPLE = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
JWK_EXAMPLE = {"kty": "OKP", "crv": "Ed25519", "x": PUBLIC_KEY_EXAMPLE}
PEM_EXAMPLE = (
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"
    "-----END PUBLIC KEY-----\n"
)
TOKEN_EXAMPLE: dict[str, Any] = {
    "id": "w7k3p9x2m6t4q8za",
    "name": "laptop",
    "scopes": ["play", "read"],
    "created_at": "2026-11-16T09:40:00.000Z",
    "used_at": "2026-11-16T10:02:31.000Z",
    "expires_at": None,
}
NEW_TOKEN_EXAMPLE: dict[str, Any] = {
    **TOKEN_EXAMPLE,
    "used_at": None,
    "token": "echtra_w7k3p9x2m6t4q8za_Zk3mQ8sV1xY5bN7cR2tW4uE6iO9pA0dF3gH5jK8lL1z",
}
KEY_EXAMPLE: dict[str, Any] = {
    "id": KEY_ID_EXAMPLE,
    "label": "laptop",
    "jwk": JWK_EXAMPLE,
    "created_at": "2026-11-16T09:41:00.000Z",
    "revoked_at": None,
    "replaced_at": None,
    "seats": False,
    "token": None,
    "claim_due_at": None,
}
OTHER_KEY_EXAMPLE = "pTq2Vw8Kc0yJ5nD3rXbU7mZf1sGhLe9aQoYi4tCx6EM"
APPROVAL_EXAMPLE: dict[str, Any] = {
    "match": MATCH_ID,
    "game": GAME_SLUG,
    "title": "Tuesday table",
    "moves": "signed",
    "seat": 0,
    "asked": 2,
    "prev": HASH,
    "line": f"keys {KEY_ID_EXAMPLE},{OTHER_KEY_EXAMPLE}",
    "keys": [OTHER_KEY_EXAMPLE],
    "waiting": 0,
}
APPROVALS_BODY_EXAMPLE: dict[str, Any] = {
    "items": [
        {
            **{name: APPROVAL_EXAMPLE[name] for name in ("match", "asked", "prev", "line")},
            "key": OTHER_KEY_EXAMPLE,
            "signature": SIGNATURE,
        }
    ]
}
APPROVED_EXAMPLE: dict[str, Any] = {"items": [{"match": MATCH_ID, "made": True, "type": None, "detail": ""}]}
MOST_APPROVALS = 50
SERVER_KEY_EXAMPLE = {
    "alg": "EdDSA",
    "crv": "Ed25519",
    "from": AT,
    "kid": KEY_ID_EXAMPLE,
    "kty": "OKP",
    "until": None,
    "use": "sig",
    "x": PUBLIC_KEY_EXAMPLE,
}


class ExchangeSchema(RequestSchema):
    """A code for a token."""

    code = TextField(
        required=True,
        least=6,
        most=26,
        pattern=r"^([0-9]{6}|[a-z0-9]{26})$",
        about="The six digits in the letter, or the 26 characters at the end of its link.",
        example="493028",
    )
    name = NameField(
        load_default="token", about="A name by which you will know the token: 1 to 60 characters.", example="laptop"
    )
    scopes = scopes_field(load_default=lambda: ["play", "read"])
    expires_at = TimestampField(
        load_default=None,
        allow_none=True,
        about="When the token shall end by itself; null or left out for never.",
        example="2027-11-16T09:40:00.000Z",
    )


class TokenShownSchema(ResponseSchema):
    """A token, without its secret."""

    id = IdField(required=True, about="The id of the token.", example=TOKEN_EXAMPLE["id"])
    name = TextField(required=True, about="Its name.", example="laptop")
    scopes = scopes_field(required=True)
    created_at = TimestampField(required=True, about="When it was made.")
    used_at = TimestampField(
        required=True, allow_none=True, about="When it was last used, to the minute; null if never."
    )
    expires_at = TimestampField(required=True, allow_none=True, about="When it ends by itself; null for never.")


class TokenMadeSchema(TokenShownSchema):
    """A new token, shown this once."""

    token = TextField(
        required=True, about="The token itself: keep it, it is not shown again.", example=NEW_TOKEN_EXAMPLE["token"]
    )


class TokenPageSchema(ResponseSchema):
    """Your tokens."""

    items = ListField(
        NestedField(TokenShownSchema(), about="A token."), required=True, about="A page of tokens, oldest first."
    )


class GivenJwkSchema(ma.Schema):
    """A public key as RFC 8037 writes it; what else its maker wrote into it is left aside."""

    class Meta:
        unknown = ma.INCLUDE

    kty = TextField(required=True, most=10, about="The kind of key: always OKP.", example="OKP")
    crv = TextField(required=True, most=20, about="The curve: always Ed25519.", example="Ed25519")
    x = TextField(required=True, most=100, about="The 32 bytes of the key in base64url.", example=JWK_EXAMPLE["x"])


class JwkShownSchema(ResponseSchema):
    """A public key as RFC 8037 writes it."""

    kty = ChoiceField(("OKP",), required=True, about="The kind of key: always OKP.", example="OKP")
    crv = ChoiceField(("Ed25519",), required=True, about="The curve: always Ed25519.", example="Ed25519")
    x = TextField(required=True, about="The 32 bytes of the key in base64url.", example=JWK_EXAMPLE["x"])


class NewKeySchema(RequestSchema):
    """A public key, as PEM or as JWK."""

    pem = TextField(lines=True, most=2000, about="The key as `openssl pkey -pubout` prints it.", example=PEM_EXAMPLE)
    jwk = NestedField(GivenJwkSchema(), about="The key as a JWK (RFC 8037), for example from WebCrypto.")
    label = TextField(load_default="", most=60, about="A label for yourself.", example="laptop")
    seats = BooleanField(
        load_default=False,
        about="Whether the key shall play at all your seats, in running matches too; needs the scope `account`.",
    )

    @ma.validates_schema
    def _require_one_form(self, data: dict[str, Any], **_: Any) -> None:  # noqa: ANN401  # as marshmallow has it
        if ("pem" in data) == ("jwk" in data):
            raise ma.ValidationError("Give the key once: as `pem` or as `jwk`.", "pem")


class KeyShownSchema(ResponseSchema):
    """A key."""

    id = KeyIdField(required=True, about="The id of the key: its RFC 7638 thumbprint.")
    label = TextField(required=True, about="Its label.", example="laptop")
    jwk = NestedField(JwkShownSchema(), required=True, about="The key itself.")
    created_at = TimestampField(required=True, about="When it was added.", example=KEY_EXAMPLE["created_at"])
    revoked_at = TimestampField(
        required=True, allow_none=True, about="Since when it signs nothing any more; null while it does."
    )
    replaced_at = TimestampField(
        required=True,
        allow_none=True,
        about="Since when it gets no more seats, because its token has another key or was revoked; null if it does.",
    )
    seats = BooleanField(required=True, about="Whether it plays at all your seats, in running matches too.")
    token = IdField(
        required=True,
        allow_none=True,
        about="The token that let it do so; null if none did.",
        example=TOKEN_EXAMPLE["id"],
    )
    claim_due_at = TimestampField(
        required=True,
        allow_none=True,
        about="When the house lets it play where moves are signed, if you do not revoke it; null if it does not wait.",
    )


class KeyPageSchema(ResponseSchema):
    """Your keys."""

    items = ListField(
        NestedField(KeyShownSchema(), about="A key."), required=True, about="A page of keys, oldest first."
    )


class ClaimSchema(RequestSchema):
    """A code from a new letter."""

    request = IdField(required=True, about="The id that `POST /v1/tokens` gave.", example="r4k8w2m6x9q3t7vb")
    code = TextField(
        required=True,
        least=6,
        most=26,
        pattern=r"^([0-9]{6}|[a-z0-9]{26})$",
        about="The six digits in the letter, or the 26 characters at the end of its link.",
        example="493028",
    )


class ApprovalShownSchema(ResponseSchema):
    """What an older key of a seat signs so that a new one plays there."""

    match = IdField(required=True, about="The match.", example=MATCH_ID)
    game = TextField(required=True, about="Its game.", example=GAME_SLUG)
    title = TextField(required=True, about="Its title; empty if it has none.", example="Tuesday table")
    moves = ChoiceField(
        ("any", "signed"),
        required=True,
        about="`signed`: the new key plays only once this is signed. `any`: it plays anyway, and is proved by this.",
    )
    seat = seat_field(required=True)
    asked = IntegerField(required=True, about="Goes into what is signed: the last entry of the log.", example=2)
    prev = TextField(required=True, about="Goes into what is signed: the hash of that entry.", example=HASH)
    line = TextField(
        required=True,
        most=400,
        about="The line to sign, as line 1 of a submission with `now`.",
        example=APPROVAL_EXAMPLE["line"],
    )
    keys = ListField(
        KeyIdField(about="The id of a key.", example=OTHER_KEY_EXAMPLE),
        required=True,
        about="The keys whose signature counts; empty if the seat has none left.",
        example=[OTHER_KEY_EXAMPLE],
    )
    waiting = IntegerField(
        required=True, about="How many lines of yours wait there as orders; signing drops them.", example=0
    )


class ApprovalPageSchema(ResponseSchema):
    """What is left to sign for a key."""

    items = ListField(
        NestedField(ApprovalShownSchema(), about="A match."),
        required=True,
        about="A line for each running match in which the key is not proved, the oldest first.",
    )


class ApprovalBodySchema(RequestSchema):
    """A signed line for one match."""

    match = IdField(required=True, about="The match.", example=MATCH_ID)
    asked = IntegerField(required=True, most=2**31 - 1, about="As it was listed.", example=2)
    prev = HexField(64, required=True, about="As it was listed.", example=HASH)
    line = TextField(
        required=True, least=1, most=400, about="The line, as it was listed.", example=APPROVAL_EXAMPLE["line"]
    )
    key = KeyIdField(required=True, about="The key that signs.", example=OTHER_KEY_EXAMPLE)
    signature = HexField(128, required=True, about="Its signature, as for a move.", example=SIGNATURE)


class ApprovalsBodySchema(RequestSchema):
    """Signed lines for one or more matches."""

    items = ListField(
        NestedField(ApprovalBodySchema(), about="A match."),
        required=True,
        least=1,
        most=MOST_APPROVALS,
        about="One for each match.",
    )


class ApprovedShownSchema(ResponseSchema):
    """What became of one of them."""

    match = IdField(required=True, about="The match.", example=MATCH_ID)
    made = BooleanField(required=True, about="Whether the line is in the log.", example=True)
    type = TextField(
        required=True, allow_none=True, about="The kind of problem if it is not; null if it is.", example=None
    )
    detail = TextField(
        required=True, most=2000, about="What was wrong, in your language; empty if nothing.", example=""
    )


class ApprovalResultsSchema(ResponseSchema):
    """What became of each."""

    items = ListField(
        NestedField(ApprovedShownSchema(), about="A match."),
        required=True,
        most=MOST_APPROVALS,
        about="In the order they were sent.",
    )


class ServerKeyShownSchema(ResponseSchema):
    """A key of the server, as JWK with the time it was in use."""

    alg = ChoiceField(("EdDSA",), required=True, about="Always `EdDSA`.")
    crv = ChoiceField(("Ed25519",), required=True, about="Always `Ed25519`.")
    since = TextField(required=True, data_key="from", about="From when it was in use.", example=AT)
    kid = TextField(required=True, about="Its RFC 7638 id, as receipts and records name it.", example=KEY_ID_EXAMPLE)
    kty = ChoiceField(("OKP",), required=True, about="Always `OKP`.")
    until = TextField(required=True, allow_none=True, about="Until when; null while in use.", example=None)
    use = ChoiceField(("sig",), required=True, about="Always `sig`.")
    x = TextField(required=True, about="The public key.", example=PUBLIC_KEY_EXAMPLE)


class ServerKeysSchema(ResponseSchema):
    """Every key the server ever signed with."""

    keys = ListField(
        NestedField(ServerKeyShownSchema(), about="A key."), required=True, most=10_000, about="Oldest first."
    )

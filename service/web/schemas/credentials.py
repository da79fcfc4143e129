"""What tokens, keys and leave take and show."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import fields

from service.web.schemas.fields import Id, Inside, KeyId, Many, Shown, Strict, Text, When, Whole
from service.web.schemas.players import Name, scopes

KEY_ID = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"
JWK = {"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
PEM = (
    "-----BEGIN PUBLIC KEY-----\n"
    "MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n"
    "-----END PUBLIC KEY-----\n"
)
TOKEN: dict[str, Any] = {
    "id": "w7k3p9x2m6t4q8za",
    "name": "laptop",
    "scopes": ["play", "read"],
    "created_at": "2026-11-16T09:40:00.000Z",
    "used_at": "2026-11-16T10:02:31.000Z",
}
MADE: dict[str, Any] = {
    **TOKEN,
    "used_at": None,
    "token": "echtra_w7k3p9x2m6t4q8za_Zk3mQ8sV1xY5bN7cR2tW4uE6iO9pA0dF3gH5jK8lL1z",
}
KEY: dict[str, Any] = {
    "id": KEY_ID,
    "label": "laptop",
    "jwk": JWK,
    "created_at": "2026-11-16T09:41:00.000Z",
    "revoked_at": None,
}
LEAVE = {
    "id": "q8za4t6m2x9p3kw7",
    "first_day": "2026-12-20",
    "last_day": "2027-01-02",
    "at": "2026-11-16T09:45:00.000Z",
}


class Exchange(Strict):
    """A code for a token."""

    code = Text(
        required=True, least=6, most=6, pattern=r"^[0-9]{6}$", about="The six digits in the letter.", example="493028"
    )
    name = Name(
        load_default="token", about="A name by which you will know the token: 1 to 60 characters.", example="laptop"
    )
    scopes = scopes(load_default=lambda: ["play", "read"])


class TokenShown(Shown):
    """A token, without its secret."""

    id = Id(required=True, about="The id of the token.", example=TOKEN["id"])
    name = Text(required=True, about="Its name.", example="laptop")
    scopes = scopes(required=True)
    created_at = When(required=True, about="When it was made.")
    used_at = When(required=True, allow_none=True, about="When it was last used, to the minute; null if never.")


class TokenMade(TokenShown):
    """A new token, shown this once."""

    token = Text(required=True, about="The token itself: keep it, it is not shown again.", example=MADE["token"])


class TokenPage(Shown):
    """Your tokens."""

    items = Many(Inside(TokenShown(), about="A token."), required=True, about="A page of tokens, oldest first.")


class GivenJwk(ma.Schema):
    """A public key as RFC 8037 writes it; what else its maker wrote into it is left aside."""

    class Meta:
        unknown = ma.INCLUDE

    kty = Text(required=True, most=10, about="The kind of key: always OKP.", example="OKP")
    crv = Text(required=True, most=20, about="The curve: always Ed25519.", example="Ed25519")
    x = Text(required=True, most=100, about="The 32 bytes of the key in base64url.", example=JWK["x"])


class JwkShown(Shown):
    """A public key as RFC 8037 writes it."""

    kty = Text(required=True, about="The kind of key: always OKP.", example="OKP")
    crv = Text(required=True, about="The curve: always Ed25519.", example="Ed25519")
    x = Text(required=True, about="The 32 bytes of the key in base64url.", example=JWK["x"])


class NewKey(Strict):
    """A public key, as PEM or as JWK."""

    pem = Text(lines=True, most=2000, about="The key as `openssl pkey -pubout` prints it.", example=PEM)
    jwk = Inside(GivenJwk(), about="The key as a JWK (RFC 8037), for example from WebCrypto.")
    label = Text(load_default="", most=60, about="A label for yourself.", example="laptop")

    @ma.validates_schema
    def _one(self, data: dict[str, Any], **_: Any) -> None:  # noqa: ANN401  # as marshmallow has it
        if ("pem" in data) == ("jwk" in data):
            raise ma.ValidationError("Give the key once: as `pem` or as `jwk`.", "pem")


class KeyShown(Shown):
    """A key."""

    id = KeyId(required=True, about="The id of the key: its RFC 7638 thumbprint.")
    label = Text(required=True, about="Its label.", example="laptop")
    jwk = Inside(JwkShown(), required=True, about="The key itself.")
    created_at = When(required=True, about="When it was added.", example=KEY["created_at"])
    revoked_at = When(required=True, allow_none=True, about="Since when it signs nothing any more; null while it does.")


class KeyPage(Shown):
    """Your keys."""

    items = Many(Inside(KeyShown(), about="A key."), required=True, about="A page of keys, oldest first.")


class NewLeave(Strict):
    """Days to be booked, both counted, in your zone."""

    first_day = fields.Date(
        required=True, metadata={"description": "The first day of leave.", "example": LEAVE["first_day"]}
    )
    last_day = fields.Date(
        required=True, metadata={"description": "The last day of leave.", "example": LEAVE["last_day"]}
    )


class LeaveShown(Shown):
    """A booking."""

    id = Id(required=True, about="The id of the booking.", example=LEAVE["id"])
    first_day = fields.String(
        required=True, metadata={"description": "The first day.", "example": LEAVE["first_day"], "format": "date"}
    )
    last_day = fields.String(
        required=True, metadata={"description": "The last day.", "example": LEAVE["last_day"], "format": "date"}
    )
    at = When(required=True, about="When it was booked.")


class LeavePage(Shown):
    """Your bookings, and what is left."""

    items = Many(Inside(LeaveShown(), about="A booking."), required=True, about="A page of bookings, newest first.")
    days_left = Whole(required=True, most=30, about="Days of leave left this year.", example=16)

"""What accounts take and show."""

from __future__ import annotations

import unicodedata
from typing import Any
from zoneinfo import available_timezones

import marshmallow as ma
from marshmallow import fields

from engine.words import LOCALES
from service.accounts.email_address import BadAddress, canonical
from service.accounts.players import LETTERS
from service.web.auth import SCOPES
from service.web.schemas.fields import Choice, Flag, Id, Shown, Strict, Text, When, Whole

ZONES = frozenset(available_timezones())
ADDRESS = "aoife@example.org"
PLAYER = {
    "id": "k3v9m2x7q4p8w6ya",
    "name": "Aoife",
    "owner": None,
    "erased": False,
    "created_at": "2026-11-16T09:30:00.000Z",
}
ME = {
    "id": "k3v9m2x7q4p8w6ya",
    "name": "Aoife",
    "address": ADDRESS,
    "language": "en",
    "zone": "Europe/Dublin",
    "letters": "turn",
    "digest_hour": 8,
    "quiet_weekends": False,
    "confirmed_at": "2026-11-16T09:31:12.000Z",
    "bounced_at": None,
    "created_at": "2026-11-16T09:31:12.000Z",
}
SETTINGS = {"language": "fr", "zone": "Europe/Paris", "letters": "digest", "digest_hour": 7, "quiet_weekends": True}
ASKED = {"id": "m4t8r2k6w9q3z7xp", "until": "2026-11-23T09:30:00.000Z"}
NAME = "How others see you: 1 to 60 characters on one line."
ZONE = "Your time zone, by its IANA name."


class Name(Text):
    """A name on one line, in one normal form, with something to see."""

    def __init__(self, *, about: str = NAME, **more: Any) -> None:  # noqa: ANN401  # as marshmallow has it
        super().__init__(about=about, example=more.pop("example", "Aoife"), least=1, most=60, **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:  # noqa: ANN401
        text = unicodedata.normalize("NFC", super()._deserialize(value, attr, data, **kwargs).strip())
        if not any(unicodedata.category(letter)[0] in "LNSP" for letter in text):
            raise ma.ValidationError("A name needs at least one letter.")
        return text


class Zone(Text):
    """An IANA time zone."""

    def __init__(self, **more: Any) -> None:  # noqa: ANN401
        super().__init__(about=ZONE, example="Europe/Dublin", least=1, most=64, pattern=r"^[A-Za-z0-9_+/-]+$", **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:  # noqa: ANN401
        text = super()._deserialize(value, attr, data, **kwargs)
        if text not in ZONES:
            raise ma.ValidationError("This is no time zone; write it like Europe/Dublin or UTC.")
        return text


class Address(Text):
    """A mail address."""

    def __init__(self, **more: Any) -> None:  # noqa: ANN401
        super().__init__(
            about="Your mail address.",
            example=ADDRESS,
            least=3,
            most=254,
            metadata={"format": "email", **more.pop("metadata", {})},
            **more,
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:  # noqa: ANN401
        try:
            return canonical(super()._deserialize(value, attr, data, **kwargs))
        except BadAddress as error:
            raise ma.ValidationError(str(error)) from None


class Registration(Strict):
    """Who wants an account."""

    name = Name(required=True)
    address = Address(required=True)
    language = Choice(LOCALES, load_default="en", about="The language of your letters.")
    zone = Zone(load_default="UTC")


class AskedShown(Shown):
    """A letter is on its way, if there is somebody to write to."""

    id = Id(required=True, about="The id of this request.", example=ASKED["id"])
    until = When(required=True, about="Until when what the letter holds is good.", example=ASKED["until"])


class Confirmation(Strict):
    """What the letter holds."""

    code = Text(
        required=True,
        least=20,
        most=80,
        pattern=r"^[a-z0-9]{12,32}-[a-z0-9]{20,40}$",
        about="The code in the letter, the same as at the end of its link.",
        example="m4t8r2k6w9q3z7xp-h7k2m9x4v8q3w6t5y2z8r4p7na",
    )


class PlayerShown(Shown):
    """A player as everybody sees them."""

    id = Id(required=True, about="The id of the player.")
    name = fields.String(
        required=True, allow_none=True, metadata={"description": "Their name; null if erased.", "example": "Aoife"}
    )
    owner = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "For a program: the player who answers for it.", "example": None},
    )
    erased = Flag(required=True, about="Whether the account was erased; its matches stay.")
    created_at = When(required=True, about="Since when.")


class MeShown(Shown):
    """You, with what only you see."""

    id = Id(required=True, about="Your id.")
    name = Text(required=True, about="How others see you.", example="Aoife")
    address = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Where your letters go; programs have none.", "example": ADDRESS},
    )
    language = Choice(LOCALES, required=True, about="The language of your letters and answers.")
    zone = Text(required=True, about=ZONE, example="Europe/Dublin")
    letters = Choice(
        LETTERS, required=True, about="Which letters you get: at every turn, a daily digest, reminders, none."
    )
    digest_hour = Whole(required=True, most=23, about="The hour of the digest in your zone.", example=8)
    quiet_weekends = Flag(
        required=True, about="Whether your clocks rest on Saturdays and Sundays where the match allows."
    )
    confirmed_at = When(required=True, about="When your address was confirmed.", example="2026-11-16T09:31:12.000Z")
    bounced_at = When(required=True, allow_none=True, about="Since when letters to you come back; null if they arrive.")
    created_at = When(required=True, about="When your account was made.", example="2026-11-16T09:31:12.000Z")


class Settings(Strict):
    """What may be changed; what is left out stays."""

    name = Name()
    language = Choice(LOCALES, about="The language of your letters and answers.")
    zone = Zone()
    letters = Choice(LETTERS, about="Which letters you get: at every turn, a daily digest, reminders, none.")
    digest_hour = Whole(most=23, about="The hour of the digest in your zone.", example=7)
    quiet_weekends = Flag(
        about="Whether your clocks rest on Saturdays and Sundays where the match allows.", example=True
    )


class TokenRequest(Strict):
    """For whom a token is asked."""

    address = Address(required=True)


def scopes(**more: Any) -> fields.List:  # noqa: ANN401
    """The field for scopes."""
    told = "What the token may do. " + " ".join(f"`{name}`: {about}" for name, about in SCOPES.items())
    return fields.List(
        fields.String(
            validate=ma.validate.OneOf(list(SCOPES)), metadata={"description": "A scope.", "example": "play"}
        ),
        validate=ma.validate.Length(1, len(SCOPES)),
        metadata={"description": told, "example": ["play", "read"]},
        **more,
    )

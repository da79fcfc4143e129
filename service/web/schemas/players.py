"""What accounts take and show."""

from __future__ import annotations

from typing import Any
from zoneinfo import available_timezones

import marshmallow as ma
from marshmallow import fields

from engine.words import LOCALES
from service import look_alikes
from service.accounts.email_address import BadEmailAddress, canonicalise
from service.accounts.players import LETTERS
from service.web.auth import SCOPES
from service.web.schemas.fields import (
    BooleanField,
    ChoiceField,
    IdField,
    IntegerField,
    NestedField,
    RequestSchema,
    ResponseSchema,
    TextField,
    TimestampField,
)

ZONES = frozenset(available_timezones())
ADDRESS_EXAMPLE = "aoife@example.org"
PLAYER_EXAMPLE = {
    "id": "k3v9m2x7q4p8w6ya",
    "name": "Aoife",
    "owner": None,
    "erased": False,
    "created_at": "2026-11-16T09:30:00.000Z",
}
ME_EXAMPLE = {
    "id": "k3v9m2x7q4p8w6ya",
    "name": "Aoife",
    "address": ADDRESS_EXAMPLE,
    "language": "en",
    "zone": "Europe/Dublin",
    "letters": "turn",
    "digest_hour": 8,
    "quiet_weekends": False,
    "confirmed_at": "2026-11-16T09:31:12.000Z",
    "bounced_at": None,
    "created_at": "2026-11-16T09:31:12.000Z",
}
SETTINGS_EXAMPLE = {
    "language": "fr",
    "zone": "Europe/Paris",
    "letters": "digest",
    "digest_hour": 7,
    "quiet_weekends": True,
}
ASKED_EXAMPLE = {"id": "m4t8r2k6w9q3z7xp", "until": "2026-11-23T09:30:00.000Z"}
NAME_TEXT = (
    "How others see you: 1 to 60 characters on one line, all of them visible, letters of one alphabet. If another "
    "player's name looks like it, a piece of your id is added: `Aoife (k3v9)`."
)
ZONE_TEXT = "Your time zone, by its IANA name."


class NameField(TextField):
    """A name on one line, in one normal form, with something to see."""

    def __init__(self, *, about: str = NAME_TEXT, **more: Any) -> None:  # noqa: ANN401  # as marshmallow has it
        super().__init__(about=about, example=more.pop("example", "Aoife"), least=1, most=60, **more)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:  # noqa: ANN401
        text = look_alikes.normalise_name(super()._deserialize(value, attr, data, **kwargs))
        hidden = look_alikes.find_invisible(text)
        if hidden:
            raise ma.ValidationError(f"A name has no characters that nobody sees; take out U+{ord(hidden):04X}.")
        if not look_alikes.has_letter(text):
            raise ma.ValidationError("A name needs at least one letter.")
        return text


class PlayerNameField(NameField):
    """The name of a player, in letters of one alphabet."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:  # noqa: ANN401
        text = super()._deserialize(value, attr, data, **kwargs)
        if look_alikes.mixes_alphabets(text):
            raise ma.ValidationError("This name mixes alphabets. Use letters of one alphabet only.")
        return text


class TimeZoneField(TextField):
    """An IANA time zone."""

    def __init__(self, **more: Any) -> None:  # noqa: ANN401
        super().__init__(
            about=ZONE_TEXT, example="Europe/Dublin", least=1, most=64, pattern=r"^[A-Za-z0-9_+/-]+$", **more
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:  # noqa: ANN401
        text = super()._deserialize(value, attr, data, **kwargs)
        if text not in ZONES:
            raise ma.ValidationError("This is no time zone; write it like Europe/Dublin or UTC.")
        return text


class AddressField(TextField):
    """A mail address."""

    def __init__(self, **more: Any) -> None:  # noqa: ANN401
        super().__init__(
            about="Your mail address.",
            example=ADDRESS_EXAMPLE,
            least=3,
            most=254,
            metadata={"format": "email", **more.pop("metadata", {})},
            **more,
        )

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> str:  # noqa: ANN401
        try:
            return canonicalise(super()._deserialize(value, attr, data, **kwargs))
        except BadEmailAddress as error:
            raise ma.ValidationError(str(error)) from None


class RegistrationSchema(RequestSchema):
    """Who wants an account."""

    name = PlayerNameField(required=True)
    address = AddressField(required=True)
    language = ChoiceField(LOCALES, load_default="en", about="The language of your letters.")
    zone = TimeZoneField(load_default="UTC")


class AskedShownSchema(ResponseSchema):
    """A letter is on its way, if there is somebody to write to."""

    id = IdField(required=True, about="The id of this request.", example=ASKED_EXAMPLE["id"])
    until = TimestampField(
        required=True, about="Until when what the letter holds is good.", example=ASKED_EXAMPLE["until"]
    )


class ConfirmationSchema(RequestSchema):
    """What the letter holds."""

    code = TextField(
        required=True,
        least=20,
        most=80,
        pattern=r"^[a-z0-9]{12,32}-[a-z0-9]{20,40}$",
        about="The code in the letter, the same as at the end of its link.",
        example="m4t8r2k6w9q3z7xp-h7k2m9x4v8q3w6t5y2z8r4p7na",
    )


class PlayerShownSchema(ResponseSchema):
    """A player as everybody sees them."""

    id = IdField(required=True, about="The id of the player.")
    name = fields.String(
        required=True, allow_none=True, metadata={"description": "Their name; null if erased.", "example": "Aoife"}
    )
    owner = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "For a program: the player who answers for it.", "example": None},
    )
    erased = BooleanField(required=True, about="Whether the account was erased; its matches stay.")
    created_at = TimestampField(required=True, about="Since when.")


class MeShownSchema(ResponseSchema):
    """You, with what only you see."""

    id = IdField(required=True, about="Your id.")
    name = TextField(required=True, about="How others see you.", example="Aoife")
    address = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Where your letters go; programs have none.", "example": ADDRESS_EXAMPLE},
    )
    language = ChoiceField(LOCALES, required=True, about="The language of your letters and answers.")
    zone = TextField(required=True, about=ZONE_TEXT, example="Europe/Dublin")
    letters = ChoiceField(
        LETTERS, required=True, about="Which letters you get: at every turn, a daily digest, reminders, none."
    )
    digest_hour = IntegerField(required=True, most=23, about="The hour of the digest in your zone.", example=8)
    quiet_weekends = BooleanField(
        required=True, about="Whether your clocks rest on Saturdays and Sundays where the match allows."
    )
    confirmed_at = TimestampField(
        required=True, about="When your address was confirmed.", example="2026-11-16T09:31:12.000Z"
    )
    bounced_at = TimestampField(
        required=True, allow_none=True, about="Since when letters to you come back; null if they arrive."
    )
    created_at = TimestampField(required=True, about="When your account was made.", example="2026-11-16T09:31:12.000Z")


class SettingsSchema(RequestSchema):
    """What may be changed; what is left out stays."""

    name = PlayerNameField()
    language = ChoiceField(LOCALES, about="The language of your letters and answers.")
    zone = TimeZoneField()
    letters = ChoiceField(LETTERS, about="Which letters you get: at every turn, a daily digest, reminders, none.")
    digest_hour = IntegerField(most=23, about="The hour of the digest in your zone.", example=7)
    quiet_weekends = BooleanField(
        about="Whether your clocks rest on Saturdays and Sundays where the match allows.", example=True
    )


class TokenRequestSchema(RequestSchema):
    """For whom a token is asked."""

    address = AddressField(required=True)


def scopes_field(**more: Any) -> fields.List:  # noqa: ANN401
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


ERASED_EXAMPLE = {"remains": {"seats": 3, "moves": 120, "submissions": 118, "keys": 1, "letters": 40}}


class RemainsSchema(ResponseSchema):
    """How much stays of an account that is erased, under an id that names nobody."""

    seats = IntegerField(required=True, about="Seats in matches that have started.", example=3)
    moves = IntegerField(required=True, about="Moves in logs, which nobody can change.", example=120)
    submissions = IntegerField(required=True, about="Submissions with their receipts, without words.", example=118)
    keys = IntegerField(required=True, about="Public keys, revoked: old signatures are checked with them.", example=1)
    letters = IntegerField(required=True, about="Rows of letters without address, subject and text.", example=40)


class ErasedSchema(ResponseSchema):
    """What remains of an account that is erased."""

    remains = NestedField(RemainsSchema(), required=True, about="How much of what stays.")

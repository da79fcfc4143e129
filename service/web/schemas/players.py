"""What accounts take and show."""

from __future__ import annotations

from typing import Any, Unpack
from zoneinfo import available_timezones

from engine.words import LOCALES
from service import look_alikes, shapes
from service.accounts.email_address import canonicalise
from service.accounts.players import LETTERS
from service.web.auth import SCOPES

ZONES = frozenset(available_timezones())

ADDRESS_EXAMPLE = "aoife@example.org"
NAME_TEXT = (
    "How others see you: 1 to 60 characters on one line, all of them visible, letters of one alphabet. If another "
    "player's name looks like it, a piece of your id is added: `Aoife (k3v9)`."
)

ZONE_TEXT = "Your time zone, by its IANA name."


def read_label(text: str) -> str:
    """Return a name on one line in its normal form, with something to see."""
    name = look_alikes.normalise_name(text)
    hidden = look_alikes.find_invisible(name)
    if hidden:
        raise ValueError(f"A name has no characters that nobody sees; take out U+{ord(hidden):04X}.")
    if not look_alikes.has_letter(name):
        raise ValueError("A name needs at least one letter.")
    return name


def _read_player_name(text: str) -> str:
    name = read_label(text)
    if look_alikes.mixes_alphabets(name):
        raise ValueError("This name mixes alphabets. Use letters of one alphabet only.")
    return name


def _read_zone(text: str) -> str:
    if text not in ZONES:
        raise ValueError("This is no time zone; write it like Europe/Dublin or UTC.")
    return text


def player_name(about: str = NAME_TEXT, example: str = "Aoife", **extras: Unpack[shapes.Extras]) -> Any:  # noqa: ANN401
    """Describe the name of a player."""
    return shapes.text(about, example, least=1, most=60, read=_read_player_name, **extras)


def time_zone(**extras: Unpack[shapes.Extras]) -> Any:  # noqa: ANN401
    """Describe an IANA time zone."""
    pattern = r"^[A-Za-z0-9_+/-]+$"
    return shapes.text(ZONE_TEXT, "Europe/Dublin", least=1, most=64, pattern=pattern, read=_read_zone, **extras)


def address(about: str = "Your mail address.", **extras: Unpack[shapes.Extras]) -> Any:  # noqa: ANN401
    """Describe a mail address."""
    return shapes.text(about, ADDRESS_EXAMPLE, least=3, most=254, format="email", read=canonicalise, **extras)


def scope_list(**extras: Unpack[shapes.Extras]) -> Any:  # noqa: ANN401
    """Describe the scopes of a token."""
    told = "What the token may do. " + " ".join(f"`{name}`: {about}" for name, about in SCOPES.items())
    scope = shapes.choice(SCOPES, "A scope.", "play")
    return shapes.items(told, ["play", "read"], of=scope, least=1, most=len(SCOPES), **extras)


class Registration(shapes.Body):
    """Who wants an account."""

    name: str = player_name()
    address: str = address()
    language: str = shapes.choice(LOCALES, "The language of your letters.", default="en")
    zone: str = time_zone(default="UTC")


class AskedShown(shapes.Shape):
    """A letter is on its way, if there is somebody to write to."""

    id: str = shapes.ident("The id of this request.", "m4t8r2k6w9q3z7xp")
    until: int = shapes.timestamp("Until when what the letter holds is good.", "2026-11-23T09:30:00.000Z")


class Confirmation(shapes.Body):
    """What the letter holds."""

    code: str = shapes.text(
        "The code in the letter, the same as at the end of its link.",
        "m4t8r2k6w9q3z7xp-h7k2m9x4v8q3w6t5y2z8r4p7na",
        most=80,
        least=20,
        pattern="^[a-z0-9]{12,32}-[a-z0-9]{20,40}$",
    )


class PlayerShown(shapes.Shape):
    """A player as everybody sees them."""

    id: str = shapes.ident("The id of the player.")
    name: str | None = shapes.text("Their name; null if erased.", "Aoife", most=None)
    owner: str | None = shapes.text("For a program: the player who answers for it.", most=None)
    erased: bool = shapes.flag("Whether the account was erased; its matches stay.")
    created_at: int = shapes.timestamp("Since when.")


class MeShown(shapes.Shape):
    """You, with what only you see."""

    id: str = shapes.ident("Your id.")
    name: str = shapes.text("How others see you.", "Aoife")
    address: str | None = shapes.text("Where your letters go; programs have none.", ADDRESS_EXAMPLE, most=None)
    language: str = shapes.choice(LOCALES, "The language of your letters and answers.")
    zone: str = shapes.text(ZONE_TEXT, "Europe/Dublin")
    letters: str = shapes.choice(LETTERS, "Which letters you get: at every turn, a daily digest, reminders, none.")
    digest_hour: int = shapes.number("The hour of the digest in your zone.", 8, most=23)
    quiet_weekends: bool = shapes.flag("Whether your clocks rest on Saturdays and Sundays where the match allows.")
    confirmed_at: int = shapes.timestamp("When your address was confirmed.", "2026-11-16T09:31:12.000Z")
    bounced_at: int | None = shapes.timestamp("Since when letters to you come back; null if they arrive.")
    created_at: int = shapes.timestamp("When your account was made.", "2026-11-16T09:31:12.000Z")


class Settings(shapes.Body):
    """What may be changed; what is left out stays."""

    name: str | None = player_name(optional=True, default=None)
    language: str | None = shapes.choice(
        LOCALES, "The language of your letters and answers.", optional=True, default=None
    )
    zone: str | None = time_zone(optional=True, default=None)
    letters: str | None = shapes.choice(
        LETTERS, "Which letters you get: at every turn, a daily digest, reminders, none.", optional=True, default=None
    )
    digest_hour: int | None = shapes.number(
        "The hour of the digest in your zone.", 7, most=23, optional=True, default=None
    )
    quiet_weekends: bool | None = shapes.flag(
        "Whether your clocks rest on Saturdays and Sundays where the match allows.", True, optional=True, default=None
    )


class TokenRequest(shapes.Body):
    """For whom a token is asked."""

    address: str = address()


class Remains(shapes.Shape):
    """How much stays of an account that is erased, under an id that names nobody."""

    seats: int = shapes.number("Seats in matches that have started.", 3)
    moves: int = shapes.number("Moves in logs, which nobody can change.", 120)
    submissions: int = shapes.number("Submissions with their receipts, without words.", 118)
    keys: int = shapes.number("Public keys, revoked: old signatures are checked with them.", 1)
    letters: int = shapes.number("Rows of letters without address, subject and text.", 40)


class Erased(shapes.Shape):
    """What remains of an account that is erased."""

    remains: Remains = shapes.part("How much of what stays.")

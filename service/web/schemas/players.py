"""Bodies for accounts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack
from zoneinfo import available_timezones

from engine.words import LOCALES
from service import look_alikes, shapes
from service.accounts.email_address import canonicalise
from service.accounts.players import LETTERS
from service.web.auth import SCOPES

ZONES = frozenset(available_timezones())

ADDRESS_EXAMPLE = "aoife@example.org"
CREDENTIAL_EXAMPLE = "echtra_w7k3p9x2m6t4q8za_Zk3mQ8sV1xY5bN7cR2tW4uE6iO9pA0dF3gH5jK8lL1z"
NAME_TEXT = (
    "How others see you: 1 to 60 characters on one line, all of them visible, letters of one alphabet. If another "
    "player's name looks like it, a piece of your id is added: `Aoife (k3v9)`."
)

ZONE_TEXT = "Your time zone, by its IANA name."


def read_label(text: str) -> str:
    """Return a name on one line in its normal form. Refuse a name without visible characters."""
    name = look_alikes.normalise_name(text)
    hidden = look_alikes.find_invisible(name)
    if hidden:
        raise ValueError(f"A name must not contain invisible characters. Remove U+{ord(hidden):04X}.")
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
        raise ValueError("This is not a time zone. Use a name like Europe/Dublin or UTC.")
    return text


def player_name(about: str = NAME_TEXT, example: str = "Aoife", **extras: Unpack[shapes.Extras]) -> str:
    """Describe the name of a player."""
    return shapes.text(about, example, least=1, most=60, read=_read_player_name, **extras)


def time_zone(**extras: Unpack[shapes.Extras]) -> str:
    """Describe an IANA time zone."""
    pattern = r"^[A-Za-z0-9_+/-]+$"
    return shapes.text(ZONE_TEXT, "Europe/Dublin", least=1, most=64, pattern=pattern, read=_read_zone, **extras)


def address(about: str = "Your email address.", **extras: Unpack[shapes.Extras]) -> str:
    """Describe an email address."""
    return shapes.text(about, ADDRESS_EXAMPLE, least=3, most=254, format="email", read=canonicalise, **extras)


def scope_list(**extras: Unpack[shapes.Extras]) -> Sequence[str]:
    """Describe the scopes of a token."""
    told = "What the token may do. " + " ".join(f"`{name}`: {about}" for name, about in SCOPES.items())
    scope = shapes.choice(SCOPES, "A scope.", "play")
    return shapes.items(told, ["play", "read"], of=scope, least=1, most=len(SCOPES), **extras)


class Registration(shapes.Body):
    """A new account."""

    name: str = player_name()
    address: str = address()
    language: str = shapes.choice(LOCALES, "The language of your emails.", default="en")
    zone: str = time_zone(default="UTC")


class AskedShown(shapes.Shape):
    """An email is on its way, if the address may get one."""

    id: str = shapes.ident("The id of this request.", "m4t8r2k6w9q3z7xp")
    until: int = shapes.timestamp("When the code in the email expires.", "2026-11-23T09:30:00.000Z")


class Confirmation(shapes.Body):
    """The code from the email."""

    code: str = shapes.text(
        "The code in the email, the same as at the end of its link.",
        "m4t8r2k6w9q3z7xp-h7k2m9x4v8q3w6t5y2z8r4p7na",
        most=80,
        least=20,
        pattern="^[a-z0-9]{12,32}-[a-z0-9]{20,40}$",
    )


class PlayerShown(shapes.Shape):
    """A player as everybody sees them."""

    id: str = shapes.ident("The id of the player.")
    name: str | None = shapes.text("Their name; null if erased.", "Aoife", most=None)
    owner: str | None = shapes.text("For a program: the player who is responsible for it.", most=None)
    erased: bool = shapes.flag("Whether the account was erased; its matches remain.")
    created_at: int = shapes.timestamp("The time since when.")


class MeShown(shapes.Shape):
    """Your account, with what only you can see."""

    id: str = shapes.ident("Your id.")
    name: str = shapes.text("How others see you.", "Aoife")
    address: str | None = shapes.text("Where your emails go; programs have none.", ADDRESS_EXAMPLE, most=None)
    language: str = shapes.choice(LOCALES, "The language of your emails and answers.")
    zone: str = shapes.text(ZONE_TEXT, "Europe/Dublin")
    letters: str = shapes.choice(LETTERS, "Which emails you get: at every turn, a daily digest, reminders, none.")
    digest_hour: int = shapes.number("The hour of the digest in your zone.", 8, most=23)
    quiet_weekends: bool = shapes.flag("Whether your clocks rest on Saturdays and Sundays where the match allows.")
    confirmed_at: int = shapes.timestamp("When your address was confirmed.", "2026-11-16T09:31:12.000Z")
    bounced_at: int | None = shapes.timestamp("Since when emails to you bounce; null if they arrive.")
    created_at: int = shapes.timestamp("When your account was created.", "2026-11-16T09:31:12.000Z")


class Settings(shapes.Body):
    """Settings to change; omitted ones stay unchanged."""

    name: str | None = player_name(optional=True)
    language: str | None = shapes.choice(LOCALES, "The language of your emails and answers.", optional=True)
    zone: str | None = time_zone(optional=True)
    letters: str | None = shapes.choice(
        LETTERS, "Which emails you get: at every turn, a daily digest, reminders, none.", optional=True
    )
    digest_hour: int | None = shapes.number("The hour of the digest in your zone.", 7, most=23, optional=True)
    quiet_weekends: bool | None = shapes.flag(
        "Whether your clocks rest on Saturdays and Sundays where the match allows.", True, optional=True
    )


class TokenRequest(shapes.Body):
    """A request for a token."""

    address: str = address()


class Remains(shapes.Shape):
    """Number of rows that remain of an erased account, under an id that identifies nobody."""

    seats: int = shapes.number("Seats in matches that have started.", 3)
    moves: int = shapes.number("Moves in logs, which nobody can change.", 120)
    submissions: int = shapes.number("Submissions with their receipts, without texts.", 118)
    keys: int = shapes.number("Revoked public keys, needed to check old signatures.", 1)
    letters: int = shapes.number("Log entries of emails, without address, subject and text.", 40)


class Erased(shapes.Shape):
    """The remains of an erased account."""

    remains: Remains = shapes.part("How much remains.")

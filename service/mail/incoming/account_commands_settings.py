"""What a letter can change about its writer: the time zone and the language of letters, the hour of the digest."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any
from zoneinfo import available_timezones

from engine.words import plain
from service.accounts import players as accounts
from service.db.models import Player
from service.mail.incoming.answers import fingerprint
from service.mail.incoming.answers_outcome import Answer, Outcome
from service.mail.incoming.commands import Command

LANGUAGES = {
    **dict.fromkeys(("en", "english", "anglais"), "en"),
    **dict.fromkeys(("fr", "french", "francais"), "fr"),
}

HOUR = re.compile(r"(?:(?:at|to|a) )?(\d{1,2}) ?(?:h|heures?|oclock)? ?:?(?:00)? ?(?:([ap]) ?m)?")
NOON, DAY = 12, 24


@lru_cache(maxsize=1)
def _zones() -> dict[str, str]:
    """The zones by every name people have for them: whole, or only the place where no other zone has it."""
    known = sorted(available_timezones())
    found = {plain(name): name for name in known}
    places: dict[str, list[str]] = {}
    for name in known:
        if "/" in name and not name.startswith(("Etc/", "posix/", "right/")):
            places.setdefault(plain(name.rpartition("/")[2].replace("_", " ")), []).append(name)
    return {**{place: names[0] for place, names in places.items() if len(names) == 1}, **found}


def hour(said: str) -> int | None:
    """The hour that `18`, `18 h`, `18:00` or `6 pm` names."""
    found = HOUR.fullmatch(said)
    if found is None:
        return None
    number, half = int(found[1]), found[2]
    if half:
        return number % NOON + NOON * (half == "p") if 0 < number <= NOON else None
    return number if number < DAY else None


READING: dict[str, tuple[str, Callable[[str], Any]]] = {
    "zone": ("zone", lambda said: _zones().get(said)),
    "language": ("language", LANGUAGES.get),
    "digest": ("digest_hour", hour),
}
"""For each command the setting that it changes, and who reads what is said of it."""


def change(player: Player, known: Command) -> Outcome:
    """Do what `zone Europe/Dublin`, `language English` or `digest 18` asks."""
    setting, read = READING[known.verb]
    value = read(plain(known.rest))
    if value is None:
        about = {"reason": known.verb, "text": known.rest[:400], "meant": [], "why": ""}
        print_ = fingerprint("desk", 0, f"{known.verb} {known.rest}")
        return Outcome("refused", known.verb, "", (Answer("refused", player.id, about),), player.id, print_)
    accounts.change(player.id, {setting: value})
    return Outcome("done", known.verb, "", (Answer("setting", player.id, {"name": known.verb}),), player.id)

"""What a letter can change about its writer: the time zone and the language of letters."""

from __future__ import annotations

from functools import lru_cache
from zoneinfo import available_timezones

from engine.words import plain
from service import accounts
from service.mail.answers import fingerprint
from service.mail.commands import Command
from service.mail.outcome import Answer, Outcome
from service.models import Player

LANGUAGES = {
    **dict.fromkeys(("en", "english", "anglais"), "en"),
    **dict.fromkeys(("fr", "french", "francais"), "fr"),
}


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


def change(player: Player, known: Command) -> Outcome:
    """Do what `zone Europe/Dublin` or `language English` asks."""
    said = plain(known.rest)
    value = _zones().get(said) if known.verb == "zone" else LANGUAGES.get(said)
    if value is None:
        about = {"reason": known.verb, "text": known.rest[:400], "meant": [], "why": ""}
        print_ = fingerprint("desk", 0, f"{known.verb} {known.rest}")
        return Outcome("refused", known.verb, "", (Answer("refused", player.id, about),), player.id, print_)
    accounts.change(player.id, {known.verb: value})
    return Outcome("done", known.verb, "", (Answer("setting", player.id, {"name": known.verb}),), player.id)

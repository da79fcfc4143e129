"""Rulings as organisers write them: what is ruled about whom, the code of the reason, and words for those concerned.

The command line and letters have one form, `WHAT … WHY [words]`; the API has a member for each part.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.words import plain
from service.accounts.player_lookup import find_people
from service.i18n.catalogue import msg
from service.problems import Problem, invalid_field_problem

NEEDED: Mapping[str, tuple[str, ...]] = {
    "pause": (),
    "resume": (),
    "extend": ("round", "until"),
    "replace": ("player", "other"),
    "exclude": ("player",),
    "accept": ("player",),
    "result": ("match",),
    "replay": ("match",),
    "repair": ("round",),
    "beacon": ("value",),
    "cancel": (),
}
"""The members of a request that each kind of ruling needs, in the order of the words that say them."""
WHATS = tuple(NEEDED)
REASONS = ("agreed", "illness", "absence", "fair-play", "technical", "mistake", "time", "rules", "too-few", "other")
"""The codes of reasons, each with a sentence in both languages."""
FRENCH_WHATS = {
    "reprendre": "resume",
    "reprise": "resume",
    "prolonger": "extend",
    "remplacer": "replace",
    "exclure": "exclude",
    "admettre": "accept",
    "resultat": "result",
    "rejouer": "replay",
    "reapparier": "repair",
    "balise": "beacon",
    "annuler": "cancel",
}
FRENCH_REASONS = {
    "accord": "agreed",
    "maladie": "illness",
    "technique": "technical",
    "erreur": "mistake",
    "temps": "time",
    "regles": "rules",
    "trop-peu": "too-few",
    "autre": "other",
}
LONGEST_TEXT = 1_000
TABLE_SIGN = "/"


@dataclass(frozen=True)
class RulingRequest:
    """What an organiser wants ruled; which members count depends on `what`."""

    what: str
    why: str
    text: str = ""
    player: str = ""
    other: str = ""
    """Who takes the place of `player`."""
    match: str = ""
    round: str = ""
    until: str = ""
    """A time as it was written: with an offset, or local to the zone of the tournament's document."""
    places: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    tables: tuple[tuple[str, ...], ...] = ()
    value: str = ""

    @property
    def subjects(self) -> tuple[str, ...]:
        """The ids and the round that it is about, as lines of the log name them."""
        return tuple(each for each in (self.player, self.other, self.match, self.round) if each)


def check_request(request: RulingRequest) -> RulingRequest:
    """Return the request with its text in one form; refuse an unknown kind or reason, and a text that is too long."""
    if request.what not in WHATS:
        raise invalid_field_problem("what", msg("rulings.no_such_kind", known=", ".join(WHATS)))
    if request.why not in REASONS:
        raise invalid_field_problem("why", msg("rulings.no_such_reason", known=", ".join(REASONS)))
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in request.text).split())
    if len(text) > LONGEST_TEXT:
        raise invalid_field_problem("text", msg("rulings.text_too_long", most=LONGEST_TEXT))
    missing = [name for name in NEEDED[request.what] if not getattr(request, name)]
    if missing:
        raise invalid_field_problem(missing[0], msg("rulings.part_missing", what=request.what))
    return replace(request, text=text)


def parse_ruling(text: str) -> RulingRequest:
    """The ruling that words say, as in `extend swiss:2 2027-03-01T18:00 illness Her child is ill.`."""
    words = text.split()
    what = plain(words[0]) if words else ""
    what = FRENCH_WHATS.get(what, what)
    if what not in WHATS:
        raise Problem("invalid", msg("rulings.no_such_kind", known=", ".join(WHATS)))
    at = next((at for at, word in enumerate(words) if at and _reason(word)), None)
    if at is None:
        raise Problem("invalid", msg("rulings.no_reason_said", known=", ".join(REASONS)))
    about, said = words[1:at], " ".join(words[at + 1 :])
    request = RulingRequest(what, _reason(words[at]), said)
    return check_request(_PARTS.get(what, _take_members)(request, about))


def _reason(word: str) -> str:
    """The code of a reason that a word is, in either language; empty if none."""
    said = word.strip(":,;.").lower()
    said = FRENCH_REASONS.get(plain(said).replace(" ", "-"), said)
    return said if said in REASONS else ""


def find_player(text: str) -> str:
    """The id of the one player that a text names."""
    found = find_people([text])[text]
    if len(found) != 1:
        key = "rulings.several_players" if found else "rulings.no_player"
        raise Problem("invalid", msg(key, name=text, ids=", ".join(id_ for id_, _ in found)))
    return found[0][0]


def _take_members(request: RulingRequest, about: Sequence[str]) -> RulingRequest:
    """Take a word for each member that the kind needs; players may be named by id or name."""
    names = NEEDED[request.what]
    if about and not names:
        raise Problem("invalid", msg("rulings.too_many_words", words=" ".join(about)))
    if len(about) != len(names):
        raise Problem("invalid", msg("rulings.part_missing", what=request.what))
    members: dict[str, Any] = {
        name: find_player(word) if name in {"player", "other"} else word
        for name, word in zip(names, about, strict=True)
    }
    return replace(request, **members)


def _take_result(request: RulingRequest, about: Sequence[str]) -> RulingRequest:
    """`MATCH 1,2` gives places; `MATCH scores 31,28` gives scores."""
    match, *rest = about or ("",)
    scored = len(rest) > 1 and plain(rest[0]) in {"scores", "points"}
    try:
        numbers = tuple(int(number) for number in "".join(rest[1:] if scored else rest).split(","))
    except ValueError:
        raise Problem("invalid", msg("rulings.result_form")) from None
    result = replace(request, match=match)
    return replace(result, scores=numbers) if scored else replace(result, places=numbers)


def _take_tables(request: RulingRequest, about: Sequence[str]) -> RulingRequest:
    """`ROUND`, or `ROUND P/P P/P P`: the tables one after the other, somebody alone having a bye."""
    round_name, *tables = about or ("",)
    people = tuple(tuple(find_player(name) for name in table.split(TABLE_SIGN)) for table in tables)
    return replace(request, round=round_name, tables=people)


_PARTS: Mapping[str, Callable[[RulingRequest, Sequence[str]], RulingRequest]] = {
    "result": _take_result,
    "repair": _take_tables,
}
"""The kinds of rulings with more words between the kind and the reason than the members that they need."""

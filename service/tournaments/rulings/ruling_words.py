"""Rulings as organisers write them: the kind, the subjects, a reason code, and text for those concerned.

The command line and emails use one form, `WHAT … WHY [text]`; the API has a member for each part.
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
    "seed": ("players",),
    "result": ("match",),
    "replay": ("match",),
    "repair": ("round",),
    "beacon": ("value",),
    "cancel": (),
}
"""Required members of each kind of ruling, in the order of the words."""
WHATS = tuple(NEEDED)
REASONS = ("agreed", "illness", "absence", "fair-play", "technical", "mistake", "time", "rules", "too-few", "other")
"""Reason codes. Each has a sentence in both languages."""
FRENCH_WHATS = {
    "reprendre": "resume",
    "reprise": "resume",
    "prolonger": "extend",
    "remplacer": "replace",
    "exclure": "exclude",
    "admettre": "accept",
    "ordonner": "seed",
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
MOST_WORDS = 500
"""Number of words among which the reason must be: a repaired round may name many people."""
MOST_NAME_WORDS = 20
TABLE_SIGN = "/"
PEOPLE = ("player", "other")
"""Members of a ruling that are players."""


@dataclass(frozen=True)
class RulingRequest:
    """A requested ruling. Which members count depends on `what`."""

    what: str
    why: str
    text: str = ""
    player: str = ""
    other: str = ""
    """The player who replaces `player`."""
    match: str = ""
    round: str = ""
    until: str = ""
    """A time as it was typed: with an offset, or local to the document's zone."""
    places: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    tables: tuple[tuple[str, ...], ...] = ()
    players: tuple[str, ...] = ()
    """The seeds, best first."""
    value: str = ""

    @property
    def subjects(self) -> tuple[str, ...]:
        """The ids and the round that it is about, as log lines name them."""
        return tuple(each for each in (self.player, self.other, self.match, self.round, *self.players) if each)


def check_request(request: RulingRequest) -> RulingRequest:
    """Return the request with normalised text. Raise `Problem` if a part is missing, unknown or too long."""
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
    """Parse a ruling such as `extend swiss:2 2027-03-01T18:00 illness Her child is ill.`."""
    words = text.split()
    what = plain(words[0]) if words else ""
    what = FRENCH_WHATS.get(what, what)
    if what not in WHATS:
        raise Problem("invalid", msg("rulings.no_such_kind", known=", ".join(WHATS)))
    first: Problem | None = None
    # A name may contain the word of a reason, so the first word at which everything before it can be read counts.
    for at in [at for at, word in enumerate(words[:MOST_WORDS]) if at and _reason(word)]:
        request = RulingRequest(what, _reason(words[at]), " ".join(words[at + 1 :]))
        try:
            return check_request(_PARTS.get(what, _take_members)(request, words[1:at]))
        except Problem as problem:
            first = first or problem
    raise first or Problem("invalid", msg("rulings.no_reason_said", known=", ".join(REASONS)))


def _reason(word: str) -> str:
    """Return the reason code of a word in either language, or an empty string."""
    said = word.strip(":,;.").lower()
    said = FRENCH_REASONS.get(plain(said).replace(" ", "-"), said)
    return said if said in REASONS else ""


def find_player(text: str) -> str:
    """Return the id of the only player with this name or id. Raise `Problem` if there are none or several."""
    players = find_people([text])[text]
    if len(players) != 1:
        key = "rulings.several_players" if players else "rulings.no_player"
        raise Problem("invalid", msg(key, name=text, ids=", ".join(id_ for id_, _ in players)))
    return players[0][0]


def _take_members(request: RulingRequest, about: Sequence[str]) -> RulingRequest:
    """Take one word for each required member. Players may be given by id, or by a name of several words."""
    names = NEEDED[request.what]
    if about and not names:
        raise Problem("invalid", msg("rulings.too_many_words", words=" ".join(about)))
    values: Sequence[str] = about
    if names and all(name in PEOPLE for name in names) and len(names) <= len(about) <= MOST_NAME_WORDS:
        values = _find_players(about, len(names))
    if len(values) != len(names):
        raise Problem("invalid", msg("rulings.part_missing", what=request.what))
    members: dict[str, Any] = dict(zip(names, values, strict=True))
    return replace(request, **members)


def _find_players(words: Sequence[str], count: int) -> list[str]:
    """Return the ids of this many players whose names follow each other. Raise `Problem` unless one reading fits."""
    if count == 1:
        return [find_player(" ".join(words))]
    readings, refusal = [], Problem("invalid", msg("rulings.no_player", name=" ".join(words), ids=""))
    for at in range(1, len(words) - count + 2):
        try:
            readings.append([find_player(" ".join(words[:at])), *_find_players(words[at:], count - 1)])
        except Problem as problem:
            refusal = problem
    if len(readings) != 1:
        raise refusal
    return readings[0]


def _take_result(request: RulingRequest, about: Sequence[str]) -> RulingRequest:
    """Take `MATCH 1,2` as places, or `MATCH scores 31,28` as scores."""
    match, *rest = about or ("",)
    scored = len(rest) > 1 and plain(rest[0]) in {"scores", "points"}
    try:
        numbers = tuple(int(number) for number in "".join(rest[1:] if scored else rest).split(","))
    except ValueError:
        raise Problem("invalid", msg("rulings.result_form")) from None
    result = replace(request, match=match)
    return replace(result, scores=numbers) if scored else replace(result, places=numbers)


def _take_tables(request: RulingRequest, about: Sequence[str]) -> RulingRequest:
    """Take `ROUND`, or `ROUND P/P P/P P` with the tables. A player alone at a table has a bye.

    Where names have several words, commas separate the tables: `ROUND Mary Ann/Bob, Conall`.
    """
    round_name, *words = about or ("",)
    tables = " ".join(words).split(",") if any("," in word for word in words) else words
    people = tuple(tuple(find_player(name.strip()) for name in table.split(TABLE_SIGN)) for table in tables)
    return replace(request, round=round_name, tables=people)


def _take_seeds(request: RulingRequest, about: Sequence[str]) -> RulingRequest:
    """Take names separated by commas, best first: `Mary Ann, Bob, Conall`."""
    names = [name.strip() for name in " ".join(about).split(",")]
    return replace(request, players=tuple(find_player(name) for name in names if name))


_PARTS: Mapping[str, Callable[[RulingRequest, Sequence[str]], RulingRequest]] = {
    "result": _take_result,
    "repair": _take_tables,
    "seed": _take_seeds,
}
"""Kinds of rulings that take more than one word for each required member."""

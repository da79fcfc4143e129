"""How strong the bots are: measured by `make strengths`, and by the results of people who played against them.

The table `bot_result` is a cache of the logs. `rate_finished_matches` writes it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import NamedTuple

from engine.game import AnyGame, winners
from service.bounded_cache import BoundedCache
from service.db.batches import batched
from service.db.connection import execute, rows
from service.matches.start import Opponent
from service.record.match_state import MatchState
from service.timestamps import now

FILE = "bot_strengths.json"
LIKE_A_PERSON = "steady"
"""The bot that represents people until enough of them have played."""
ENOUGH_MATCHES = 20
"""Number of matches that people must have finished before their results are shown."""
FEWEST_MATCHES = 12
"""Minimum number of measured matches for a chance that people read."""
PEOPLE = "people"
"""Represents all people who played, where a bot is named."""
KEEP_MS = 600_000
"""How long the results of people are cached."""
TWO_SEATS = 2
PLAYED_ENDS = ("", "resign")
"""Ends of matches that count: by the rules, or because the person resigned."""
SELECT_RESULTS = (
    "select game, opponent, sum(halves), count(*) from bot_result group by game, opponent having count(*) >= ?"
)
Z_95 = 1.959963984540054
"""95 % of a normal distribution lie within this many standard deviations of the mean."""


@dataclass(frozen=True)
class BotPairing:
    """Matches of a bot against another bot or a level of a solo rival. A shared win is half a point."""

    game: str
    bot: str
    other: str
    points: float
    matches: int

    @property
    def share(self) -> float:
        """Share of the points that the bot won."""
        return self.points / self.matches

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share."""
        return wilson_interval(self.points, self.matches)

    def reverse(self) -> BotPairing:
        """Return the same matches from the other bot's side."""
        return BotPairing(self.game, self.other, self.bot, self.matches - self.points, self.matches)


def wilson_interval(hits: float, tries: int) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share."""
    share, square = hits / tries, Z_95 * Z_95
    middle = share + square / (2 * tries)
    around = Z_95 * sqrt(share * (1 - share) / tries + square / (4 * tries * tries))
    return max((middle - around) / (1 + square / tries), 0.0), min((middle + around) / (1 + square / tries), 1.0)


@cache
def measured_pairings() -> tuple[BotPairing, ...]:
    """Return all pairings that were measured, by game."""
    listed = json.loads(files(__package__).joinpath(FILE).read_text(encoding="utf-8"))
    return tuple(BotPairing(**row) for row in listed)


@cache
def _pairings_by_bots() -> dict[tuple[str, str, str], BotPairing]:
    both = (pairing for row in measured_pairings() for pairing in (row, row.reverse()))
    return {(pairing.game, pairing.bot, pairing.other): pairing for pairing in both}


def find_pairing(game: str, bot: str, other: str) -> BotPairing | None:
    """Return how a bot did against another, or None if nobody measured it."""
    return _pairings_by_bots().get((game, bot, other))


class PersonResult(NamedTuple):
    """A row of the table `bot_result`: how a person did against a bot."""

    match: str
    game: str
    opponent: str
    """The bot's name in records, with the level of a solo opponent."""
    halves: int
    """2 for a win, 1 for a shared one, 0 for a loss."""


def read_person_result(match_state: MatchState) -> PersonResult | None:
    """Return how the one person in a finished match of two seats did against its bot, or None for other matches."""
    facts, state = match_state.facts, match_state.state
    people = [seat for seat, place in enumerate(facts.header.places) if place.player]
    if facts.seats != TWO_SEATS or len(people) != 1 or state.house.ended not in PLAYED_ENDS:
        return None
    person = people[0]
    bot = match_state.bots[1 - person]
    if not bot or match_state.players[person] != facts.header.places[person].player:
        return None
    best = winners(facts.game, state)
    halves = 2 * (person in best) // len(best) if best else 0
    level = facts.settings.get(bot)
    return PersonResult(facts.id, facts.game.slug, bot if level is None else f"{bot}-{level}", halves)


def replace_person_results(results: Mapping[str, PersonResult | None]) -> int:
    """Replace the rows of these matches, inside the caller's transaction. Return how many rows changed."""
    changed = 0
    for part in batched(list(results)):
        holes = ", ".join("?" * len(part))
        select = f"select match, game, opponent, halves from bot_result where match in ({holes})"  # noqa: S608  # holes
        stored = {PersonResult(*row) for row in rows(select, *part)}
        wanted = {result for match in part if (result := results[match]) is not None}
        for row in stored - wanted:
            execute("delete from bot_result where match = ?", row.match)
        for row in wanted - stored:
            execute("insert into bot_result (match, game, opponent, halves) values (?, ?, ?, ?)", *row)
        changed += len({row.match for row in stored ^ wanted})
    return changed


_results: BoundedCache[int, dict[tuple[str, str], BotPairing]] = BoundedCache(1)


def find_people_pairing(game: AnyGame, opponent: Opponent) -> BotPairing | None:
    """Return how people have done against the latest version of an opponent, or None for fewer than 20 matches."""
    name = Opponent(game.bots.current(opponent.bot), opponent.level).id
    return _results.get_or_make(now() // KEEP_MS, _read_people_pairings).get((game.slug, name))


def _read_people_pairings() -> dict[tuple[str, str], BotPairing]:
    return {
        (game, opponent): BotPairing(game, PEOPLE, opponent, int(halves) / 2, int(matches))
        for game, opponent, halves, matches in rows(SELECT_RESULTS, ENOUGH_MATCHES)
    }


def find_chance(game: AnyGame, opponent: Opponent) -> float | None:
    """Return a person's chance to beat an opponent, or None if too few matches were measured.

    It is the share of the people who won, or of `steady` until enough people have played.
    """
    pairing = find_people_pairing(game, opponent)
    if pairing is None and opponent.id == LIKE_A_PERSON:
        return 0.5
    pairing = pairing or find_pairing(game.slug, LIKE_A_PERSON, opponent.id)
    return pairing.share if pairing and pairing.matches >= FEWEST_MATCHES else None

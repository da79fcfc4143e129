"""Standings: cached in the row of their stage.

The cache is renewed when a round is over, and when somebody reads standings that are older than the log.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Self, TypedDict

from engine.words import Locale
from service.bounded_cache import BoundedCache
from service.db.batches import batched
from service.db.models.tournaments import EntrantRow, StageRow, TournamentRow
from service.i18n.catalogue import msg
from service.play.views import player_names
from service.problems import Problem
from service.tournaments.formats.crosstable import Number
from service.tournaments.formats.stage_rules import DOUBLE, KNOCKOUT, LADDER
from service.tournaments.formats.tiebreaks import Standing
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.tournament_store import load_state

SECTION_BREAK = "],["


class KeptLine(TypedDict):
    """A cached line of the standings in JSON."""

    number: Number
    rank: int
    points: int
    by_round: Sequence[int]
    ties: dict[str, int]


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A line of the standings. Ties share a rank (1, 1, 3); points and tie-breaks are in units of 1/10,000."""

    rank: int
    number: Number
    player: str
    name: str
    status: str
    points: int
    by_round: tuple[int, ...]
    ties: dict[str, int]


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """The whole standings of a stage, section by section."""

    stage: str
    sections: tuple[tuple[StandingLine, ...], ...]


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """Some lines of the standings of a stage, each with the number of its section."""

    seq: int
    """The log line after which they were computed."""
    total: int
    sections: int
    lines: tuple[tuple[int, StandingLine], ...]


def read_standings(tournament: str, stage: str, *, locale: Locale = "en") -> StandingsTable:
    """Return the standings of a stage."""
    page = read_standings_page(TournamentRow.get_by_id(tournament), stage, 0, None, locale)
    sections = groupby(page.lines, key=itemgetter(0))
    return StandingsTable(stage, tuple(tuple(line for _, line in lines) for _, lines in sections))


def read_standings_page(
    row: TournamentRow, stage: str, start: int, limit: int | None, locale: Locale = "en", *, allow_old: bool = False
) -> StandingsPage:
    """Return lines of the standings from `start` on, at most `limit`. Other lines are not even parsed.

    With `allow_old`, the standings may be those from the end of the last round.
    """
    seq, kept = _read_stored(row, stage, allow_old=allow_old)
    end = None if limit is None else start + limit
    page = [json.loads(line.removesuffix(",")) for line in kept.lines[start:end]]
    named = enumerate(_name_lines(row.id, page, locale), start)
    shown = tuple((bisect_right(kept.ends, at) + 1, line) for at, line in named)
    return StandingsPage(seq, len(kept.lines), len(kept.ends) + 1, shown)


@dataclass(frozen=True, slots=True)
class _KeptStandings:
    """Standings of the cache, a line of JSON for each entrant, and the number of lines before each further section."""

    lines: Sequence[str]
    ends: Sequence[int]

    @classmethod
    def split(cls, text: str) -> Self:
        """Split a cached text into its lines."""
        lines = text.split("\n")[1:-1]
        if SECTION_BREAK not in text:
            return cls(lines, ())
        breaks = [at for at, line in enumerate(lines) if line == SECTION_BREAK]
        ends = [at - before for before, at in enumerate(breaks)]
        return cls([line for line in lines if line != SECTION_BREAK], ends)


_kept: BoundedCache[tuple[str, str, int], _KeptStandings] = BoundedCache(8)
"""Standings by tournament, stage and log line: large ones are long, and stay until the end of a round."""


def _read_stored(row: TournamentRow, stage: str, *, allow_old: bool = False) -> tuple[int, _KeptStandings]:
    """Return the cached standings with the log line after which they were computed, after renewing old ones.

    With `allow_old`, standings from the end of the last round will do.
    """
    mine = (StageRow.tournament == row.id) & (StageRow.name == stage)
    found = StageRow.select(StageRow.standings_seq).where(mine).tuples().first()
    if found is None:
        raise Problem("not-found", msg("tournaments.no_such_stage", stage=stage))
    (seq,) = found
    if seq == row.head_seq or allow_old:
        kept = _kept.get((row.id, stage, seq))
        if kept is not None:
            return seq, kept
        stored = StageRow.get(mine)
        if "\n" in stored.standings:
            seq, kept = stored.standings_seq, _KeptStandings.split(stored.standings)
            _kept.put((row.id, stage, seq), kept)
            return seq, kept
    state = load_state(row.id)
    return state.seq, _KeptStandings.split(renew_standings(row, state, stage))


def renew_standings(row: TournamentRow, state: TournamentState, stage: str) -> str:
    """Compute and cache the standings of a stage. Return the cached text."""
    text = _write_standings(rank_as_json(state, stage))
    newer = (StageRow.tournament == row.id) & (StageRow.name == stage) & (StageRow.standings_seq <= state.seq)
    StageRow.update(standings=text, standings_seq=state.seq).where(newer).execute()
    return text


def _write_standings(sections: Sequence[Sequence[KeptLine]]) -> str:
    """Return standings as JSON with one line for each entrant, so that a page is read without parsing the rest."""
    texts = (",\n".join(json.dumps(line, separators=(",", ":")) for line in section) for section in sections)
    return "[[\n" + f"\n{SECTION_BREAK}\n".join(texts) + "\n]]" if sections else "[]"


def rank_as_json(state: TournamentState, name: str) -> list[list[KeptLine]]:
    """Return the standings of a stage in the form of the cache."""
    return [
        [
            {
                "number": line.number,
                "rank": line.rank,
                "points": line.points,
                "by_round": line.by_round,
                "ties": line.values,
            }
            for line in section
        ]
        for section in rank_stage(state, name)
    ]


def rank_stage(state: TournamentState, name: str) -> tuple[tuple[Standing, ...], ...]:
    """Return the ranking of each section of a stage."""
    stage = state.stages[name]
    if not stage.entrants:
        return ()
    if stage.rules.format in {KNOCKOUT, DOUBLE}:
        ranked = stage.rank_places(state.departures)
        return (tuple(Standing(number, place, 0, (), (), ()) for place, number in ranked),)
    if stage.rules.format == LADDER:
        order = state.ladder_order(name)
        return (tuple(Standing(number, place, 0, (), (), ()) for place, number in enumerate(order, 1)),)
    return tuple(ranking.standings for ranking in stage.rank_sections(state.gone))


def _name_lines(tournament: str, lines: Sequence[KeptLine], locale: Locale) -> list[StandingLine]:
    """Add the player, their name and their status to cached lines."""
    entrants: dict[Number, EntrantRow] = {}
    for part in batched([line["number"] for line in lines]):
        rows = EntrantRow.select().where((EntrantRow.tournament == tournament) & EntrantRow.number.in_(part))
        entrants |= {row.number: row for row in rows if row.number is not None}
    names = find_names([row.player for row in entrants.values()], locale)
    return [
        StandingLine(
            line["rank"],
            line["number"],
            entrant.player,
            names[entrant.player],
            entrant.status,
            line["points"],
            tuple(line["by_round"]),
            line["ties"],
        )
        for line in lines
        for entrant in [entrants[line["number"]]]
    ]


def find_names(players: list[str], locale: Locale) -> dict[str, str]:
    """Return the names of any number of players, by id."""
    names: dict[str, str] = {}
    for part in batched(players):
        names |= player_names(part, locale)
    return names


def name_numbers(state: TournamentState, numbers: Iterable[Number], locale: Locale) -> dict[Number, str]:
    """Return the names of entrants by their numbers."""
    players = {number: state.holders[number] for number in numbers}
    names = find_names(sorted(players.values()), locale)
    return {number: names[player] for number, player in players.items()}

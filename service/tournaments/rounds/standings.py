"""Standings and crosstables: computed when a round is over and when somebody asks, kept until the log goes on."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from engine.words import Locale
from service.db.batches import batched
from service.db.models.tournaments import EntrantRow, StageRow, TournamentRow
from service.i18n.catalogue import msg
from service.play.views import player_names
from service.problems import Problem
from service.tournaments.formats.crosstable import BOT, Number
from service.tournaments.formats.stage_replay import RoundReplay, StageReplay
from service.tournaments.formats.stage_rules import DOUBLE, KNOCKOUT, LADDER
from service.tournaments.formats.tiebreaks import Ranking, Standing, TieValue
from service.tournaments.formats.tournament_state import TournamentState
from service.tournaments.tournament_store import load_state

SECTION_BREAK = "],["


@dataclass(frozen=True, slots=True)
class StandingLine:
    """A line of the standings: rank (ties as 1, 1, 3), who, points and tie-breaks in units of 1/10,000."""

    rank: int
    number: Number
    player: str
    name: str
    status: str
    points: int
    by_round: tuple[int, ...]
    ties: dict[str, int]
    why: tuple[TieValue, ...] = ()
    """What each tie-break was made of, where that was asked for."""


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """The standings of a stage after so many lines of the log, section by section."""

    stage: str
    format: str
    state: str
    seq: int
    sections: tuple[tuple[StandingLine, ...], ...]


@dataclass(frozen=True, slots=True)
class CrosstableCell:
    """What one entrant did in one round: against whom, at which seat, and what came of it; nobody: a bye."""

    round: int
    match: str
    seat: int
    opponents: tuple[Number, ...]
    result: str
    points: int | None


@dataclass(frozen=True, slots=True)
class CrosstableRow:
    """The rounds of one entrant."""

    number: Number
    player: str
    name: str
    cells: tuple[CrosstableCell, ...]


@dataclass(frozen=True, slots=True)
class StandingsPage:
    """Some lines of the standings of a stage, each with the number of its section, as they follow each other."""

    seq: int
    """After which line of the log they were counted."""
    total: int
    sections: int
    lines: tuple[tuple[int, StandingLine], ...]


def read_standings(tournament: str, stage: str, *, why: bool = False, locale: Locale = "en") -> StandingsTable:
    """The standings of a stage; without `why` from the cache where the log has not gone on since."""
    row = TournamentRow.get_by_id(tournament)
    stored = _find_stage(tournament, stage)
    seq, text = _read_stored(row, stored)
    reasons = _explain(load_state(tournament), stored.name) if why else {}
    sections: list[list[dict[str, Any]]] = json.loads(text)
    named = iter(_name_lines(tournament, [line for section in sections for line in section], locale, reasons))
    made = tuple(tuple(islice(named, len(section))) for section in sections)
    return StandingsTable(stored.name, stored.format, stored.state, seq, made)


def read_standings_page(
    row: TournamentRow, stage: str, start: int, limit: int, locale: Locale = "en", *, allow_old: bool = False
) -> StandingsPage:
    """So many lines of the standings of a stage from a place on; the others are neither parsed nor named.

    Where old ones will do, they are as they were when a round was last over.
    """
    seq, text = _read_stored(row, _find_stage(row.id, stage), allow_old=allow_old)
    lines = text.split("\n")[1:-1]
    breaks = [at for at, line in enumerate(lines) if line == SECTION_BREAK] if SECTION_BREAK in text else []
    ends = [at - before for before, at in enumerate(breaks)]
    entrants = [line for line in lines if line != SECTION_BREAK] if breaks else lines
    page = [json.loads(line.removesuffix(",")) for line in entrants[start : start + limit]]
    named = enumerate(_name_lines(row.id, page, locale, {}), start)
    found = tuple((bisect_right(ends, at) + 1, line) for at, line in named)
    return StandingsPage(seq, len(entrants), len(breaks) + 1, found)


def _read_stored(row: TournamentRow, stage: StageRow, *, allow_old: bool = False) -> tuple[int, str]:
    """The standings as they are kept, with the line of the log they belong to; made anew where the log has gone on."""
    if (stage.standings_seq == row.head_seq or allow_old) and "\n" in stage.standings:
        return stage.standings_seq, stage.standings
    state = load_state(row.id)
    return state.seq, renew_standings(row, state, stage.name)


def _find_stage(tournament: str, stage: str) -> StageRow:
    mine = StageRow.tournament == tournament
    found = StageRow.get_or_none(mine & (StageRow.name == stage)) if stage else None
    if not stage:
        begun = list(StageRow.select().where(mine).order_by(StageRow.place))
        found = next((each for each in reversed(begun) if each.state != "planned"), begun[0] if begun else None)
    if found is None:
        raise Problem("not-found", msg("tournaments.no_such_stage", stage=stage))
    return found


def renew_standings(row: TournamentRow, state: TournamentState, stage: str) -> str:
    """Compute the standings of a stage and keep them with the line of the log they belong to; the text that is kept."""
    text = write_standings(rank_as_json(state, stage))
    newer = (StageRow.tournament == row.id) & (StageRow.name == stage) & (StageRow.standings_seq <= state.seq)
    StageRow.update(standings=text, standings_seq=state.seq).where(newer).execute()
    return text


def write_standings(sections: Sequence[Sequence[Mapping[str, Any]]]) -> str:
    """Standings as JSON with a line for each entrant, so that a page of them is found without parsing the others."""
    made = (",\n".join(json.dumps(line, separators=(",", ":")) for line in section) for section in sections)
    return "[[\n" + f"\n{SECTION_BREAK}\n".join(made) + "\n]]" if sections else "[]"


def rank_as_json(state: TournamentState, name: str) -> list[list[dict[str, Any]]]:
    """The standings of a stage as they are kept."""
    return [[_line_as_json(line) for line in section] for section in rank_stage(state, name)]


def rank_stage(state: TournamentState, name: str) -> tuple[tuple[Standing, ...], ...]:
    """Everybody of a stage by rank, section by section."""
    stage = state.stages[name]
    if not stage.entrants:
        return ()
    if stage.rules.format in {KNOCKOUT, DOUBLE}:
        ranked = stage.rank_places(state.departures)
        return (tuple(Standing(number, place, 0, (), (), ()) for place, number in ranked),)
    if stage.rules.format == LADDER:
        order = state.ladder_order(name)
        return (tuple(Standing(number, place, 0, (), (), ()) for place, number in enumerate(order, 1)),)
    return tuple(ranking.standings for ranking in _rankings(state, stage))


def _rankings(state: TournamentState, stage: StageReplay) -> tuple[Ranking, ...]:
    return stage.rank_sections(state.gone)


def _explain(state: TournamentState, name: str) -> dict[Number, tuple[TieValue, ...]]:
    stage = state.stages[name]
    if stage.rules.format in {KNOCKOUT, DOUBLE, LADDER} or not stage.entrants:
        return {}
    return {line.number: each.explain(line.number) for each in _rankings(state, stage) for line in each.standings}


def _line_as_json(line: Standing) -> dict[str, Any]:
    return {
        "number": line.number,
        "rank": line.rank,
        "points": line.points,
        "by_round": line.by_round,
        "ties": line.values,
    }


def _name_lines(
    tournament: str, lines: Sequence[Mapping[str, Any]], locale: Locale, why: Mapping[Number, tuple[TieValue, ...]]
) -> list[StandingLine]:
    """Lines of standings with who each is."""
    people = _find_numbered(tournament, [line["number"] for line in lines])
    names = find_names([row.player for row in people.values()], locale)
    return [
        StandingLine(
            line["rank"],
            line["number"],
            people[line["number"]].player,
            names[people[line["number"]].player],
            people[line["number"]].status,
            line["points"],
            tuple(line["by_round"]),
            line["ties"],
            why.get(line["number"], ()),
        )
        for line in lines
    ]


def _find_numbered(tournament: str, numbers: Sequence[Number]) -> dict[Number, EntrantRow]:
    """Entrants by their numbers."""
    found: dict[Number, EntrantRow] = {}
    for part in batched(numbers):
        rows = EntrantRow.select().where((EntrantRow.tournament == tournament) & EntrantRow.number.in_(part))
        found |= {row.number: row for row in rows if row.number is not None}
    return found


def find_names(players: list[str], locale: Locale) -> dict[str, str]:
    """The names of any number of players, by id."""
    found: dict[str, str] = {}
    for part in batched(players):
        found |= player_names(part, locale)
    return found


def read_crosstable(tournament: str, stage: str, locale: Locale = "en") -> tuple[CrosstableRow, ...]:
    """Who met whom in each round of a stage, by number."""
    state = load_state(tournament)
    if stage not in state.stages:
        raise Problem("not-found", msg("tournaments.no_such_stage", stage=stage))
    replay = state.stages[stage]
    cells: dict[Number, list[CrosstableCell]] = {number: [] for number in replay.entrants}
    for number, each in sorted(replay.rounds.items()):
        _add_cells(cells, replay, number, each)
    names = find_names([state.holders[number] for number in cells], locale)
    return tuple(
        CrosstableRow(number, state.holders[number], names[state.holders[number]], tuple(cells[number]))
        for number in sorted(cells)
    )


def _add_cells(cells: dict[Number, list[CrosstableCell]], stage: StageReplay, number: int, each: RoundReplay) -> None:
    made = stage.table_points(number)
    for pair in each.valid:
        results, points = each.results.get(pair.id, ()), made.get(pair.id, ())
        for seat, one in enumerate(pair.seats):
            if one == BOT or one not in cells:
                continue
            others = tuple(other for at, other in enumerate(pair.seats) if at != seat)
            result, gained = (str(results[seat]), points[seat]) if results else ("", None)
            cells[one].append(CrosstableCell(number, pair.id, seat, others, result, gained))

"""Who met whom, for a page of a table at a time, read from the caches without folding the log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from engine.words import Locale
from service.db.batches import rows_for
from service.db.models.tournaments import TournamentRow
from service.tournaments.formats.crosstable import Number, SeatResult, read_results
from service.tournaments.formats.log_lines import BOT_PREFIX, is_bot
from service.tournaments.formats.points import seat_points
from service.tournaments.formats.stage_rules import DUPLICATE, SAME_DEAL, StageRules, read_stages
from service.tournaments.rounds.standings import find_names
from service.tournaments.tournament_store import load_state

SELECT_SEATS = (
    "select s.player, s.seat, p.round, p.id, p.seats, p.result from pairing_seat s cross join pairing p "
    "where s.player in ({holes}) and p.id = s.pairing and p.tournament = ? and p.stage = ? and not p.void"
)
"""Crossed so that SQLite begins with the few seats and not with all tables of the stage."""
SELECT_NUMBERS = (
    "select player, number from entrant where tournament = ? and player in ({holes}) and number is not null"
)


@dataclass(frozen=True, slots=True)
class EncounterShown:
    """What one entrant did in a round: at which table, against whom, and what came of it; nobody: a bye."""

    round: int
    match: str
    seat: int
    opponents: tuple[tuple[Number | None, str], ...]
    """The number and the name of each; a bot has no number."""
    result: SeatResult | None
    points: int | None


@lru_cache(maxsize=64)
def _read_rules(_hash: str, document: str) -> dict[str, StageRules]:
    return {rules.name: rules for rules in read_stages(json.loads(document))}


def find_rules(row: TournamentRow) -> dict[str, StageRules]:
    """The rules of each stage by the document in force."""
    return _read_rules(row.document_hash, row.document)


class TablePoints:
    """The points at the tables of a tournament; in duplicate they follow from all tables of a round together."""

    def __init__(self, row: TournamentRow) -> None:
        self._row = row
        self._rules = find_rules(row)
        self._rounds: dict[tuple[str, int], dict[str, tuple[int, ...]]] = {}

    def find(self, stage: str, number: int, match: str, results: Sequence[SeatResult]) -> tuple[int, ...]:
        """What each seat of a table with these results got."""
        rules, place = self._rules[stage], (stage, number)
        if rules.format != DUPLICATE:
            return seat_points(rules.scoring.rule, results)
        if place not in self._rounds:
            self._rounds[place] = load_state(self._row.id).stages[stage].table_points(number)
        return self._rounds[place][match]


def list_encounters(
    row: TournamentRow, stage: str, players: Sequence[str], locale: Locale
) -> dict[str, dict[int, EncounterShown]]:
    """What each of these players did in each round of a stage that has been paired."""
    sat = _find_seats(row.id, stage, players)
    others = sorted({who for each in sat for who in each.seats if not is_bot(who)})
    names, numbers = find_names(others, locale), _find_numbers(row.id, others)
    rules, points_at = find_rules(row)[stage], TablePoints(row)
    found: dict[str, dict[int, EncounterShown]] = {player: {} for player in players}
    for each in sat:
        people = [who for at, who in enumerate(each.seats) if at != each.seat]
        against = tuple((numbers.get(who), names.get(who, who.removeprefix(BOT_PREFIX))) for who in people)
        results = read_results(each.result)
        points = points_at.find(stage, each.round, each.match, results)[each.seat] if results else None
        match = each.match if people or rules.format == SAME_DEAL else ""
        own = results[each.seat] if results else None
        found[each.player][each.round] = EncounterShown(each.round, match, each.seat, against, own, points)
    return found


class SeatTaken(NamedTuple):
    """Where a player sits or sat in a round of a stage, and all seats of the table with what came of it."""

    player: str
    seat: int
    round: int
    match: str
    seats: list[str]
    result: str


def _find_seats(tournament: str, stage: str, players: Sequence[str]) -> list[SeatTaken]:
    """The seats of these players at tables that count."""
    return [
        SeatTaken(player, seat, number, match, json.loads(seats), result)
        for player, seat, number, match, seats, result in rows_for(SELECT_SEATS, players, after=(tournament, stage))
    ]


def _find_numbers(tournament: str, players: Sequence[str]) -> dict[str, Number]:
    return dict(rows_for(SELECT_NUMBERS, players, before=(tournament,)))

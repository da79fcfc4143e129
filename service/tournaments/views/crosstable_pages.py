"""Crosstables: who met whom in each round of a stage, a page at a time, read from the caches."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.words import Locale
from service.db.batches import rows_for
from service.db.models.tournaments import TournamentRow
from service.tournaments.formats.crosstable import BOT, Number, SeatResult, read_results
from service.tournaments.formats.log_lines import BOT_PREFIX, is_bot
from service.tournaments.formats.points import seat_points, show_points
from service.tournaments.formats.stage_rules import DUPLICATE, SAME_DEAL, StageRules
from service.tournaments.rounds.standings import find_names
from service.tournaments.tournament_caches import document_of
from service.tournaments.tournament_store import load_state
from service.tournaments.views.tournament_shapes import CellShown, CrosstableRowShown

SELECT_SEATS = (
    "select s.player, s.seat, p.round, p.id, p.seats, p.result from pairing_seat s cross join pairing p "
    "where s.player in ({holes}) and p.id = s.pairing and p.tournament = ? and p.stage = ? and not p.void "
    "order by p.round, p.place"
)
"""A cross join, so that SQLite starts with the few seats and not with all tables of the stage."""
SELECT_NUMBERS = (
    "select player, number from entrant where tournament = ? and player in ({holes}) and +number is not null"
)
"""With the sign, SQLite looks up the players and does not walk through all numbers of the tournament."""


@dataclass(frozen=True, slots=True)
class EncounterShown:
    """One table of an entrant: the opponents and the result."""

    round: int
    match: str
    seat: int
    opponents: tuple[tuple[Number | None, str], ...]
    """The number and the name of each; a bot has no number."""
    result: SeatResult | None
    points: int | None
    is_bye: bool
    """True if the entrant sits alone and no match is played."""


def find_rules(row: TournamentRow) -> dict[str, StageRules]:
    """Return the rules of each stage by the document in force."""
    return {plan.name: plan.rules for plan in document_of(row).stages}


class TablePoints:
    """Points at the tables of a tournament. In duplicate they follow from all tables of a round together."""

    def __init__(self, row: TournamentRow) -> None:
        self._row = row
        self._rules = find_rules(row)
        self._rounds: dict[tuple[str, int], dict[str, tuple[int, ...]]] = {}

    def find(self, stage: str, number: int, match: str, results: Sequence[SeatResult]) -> tuple[int, ...]:
        """Return the points of each seat of a table with these results."""
        rules, place = self._rules[stage], (stage, number)
        if rules.format != DUPLICATE:
            return seat_points(rules.scoring.rule, results)
        if place not in self._rounds:
            self._rounds[place] = load_state(self._row.id).stages[stage].table_points(number)
        return self._rounds[place][match]


class SeatTaken(NamedTuple):
    """A seat of a player in a round of a stage, with all seats of the table and its result."""

    player: str
    seat: int
    round: int
    match: str
    seats: str
    result: str


def list_encounters(
    row: TournamentRow, stage: str, players: Sequence[str], locale: Locale
) -> dict[str, list[EncounterShown]]:
    """Return the tables of each of these players in a stage, in the order in which they were paired."""
    taken = [SeatTaken(*columns) for columns in rows_for(SELECT_SEATS, players, after=(row.id, stage))]
    seated = {table.match: json.loads(table.seats) for table in taken}
    people = sorted({who for seats in seated.values() for who in seats if not is_bot(who)})
    names = find_names(people, locale)
    numbers: dict[str, Number] = dict(rows_for(SELECT_NUMBERS, people, before=(row.id,)))
    rules, points_at = find_rules(row)[stage], TablePoints(row)
    encounters: dict[str, list[EncounterShown]] = {player: [] for player in players}
    for table in taken:
        others = [who for seat, who in enumerate(seated[table.match]) if seat != table.seat]
        results = read_results(table.result)
        encounter = EncounterShown(
            table.round,
            table.match,
            table.seat,
            tuple((numbers.get(who), names.get(who, who.removeprefix(BOT_PREFIX))) for who in others),
            results[table.seat] if results else None,
            points_at.find(stage, table.round, table.match, results)[table.seat] if results else None,
            is_bye=not others and rules.format != SAME_DEAL,
        )
        encounters[table.player].append(encounter)
    return encounters


def list_stage_numbers(row: TournamentRow, stage: str) -> list[Number]:
    """Return the numbers of everybody in a stage."""
    return sorted(load_state(row.id).stages[stage].entrants)


def read_crosstable(
    row: TournamentRow, stage: str, numbers: Sequence[Number], locale: Locale = "en"
) -> list[CrosstableRowShown]:
    """Return the rows of a crosstable for entrants with these numbers."""
    holders = load_state(row.id).holders
    players = [holders[number] for number in numbers]
    names, encounters = find_names(players, locale), list_encounters(row, stage, players, locale)
    return [
        CrosstableRowShown(
            number=number,
            player=player,
            name=names[player],
            cells=[_describe_cell(encounter) for encounter in encounters[player]],
        )
        for number, player in zip(numbers, players, strict=True)
    ]


def _describe_cell(encounter: EncounterShown) -> CellShown:
    return CellShown.of(
        encounter,
        opponents=[number or BOT for number, _ in encounter.opponents],
        result="" if encounter.result is None else str(encounter.result),
        points=None if encounter.points is None else show_points(encounter.points),
    )

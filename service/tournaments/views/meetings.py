"""Who met whom, for a page of a table at a time, read from the caches without folding the log."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from engine.words import Locale
from service.db.models.tournaments import EntrantRow, PairingRow, PairingSeatRow, TournamentRow
from service.tournaments.formats.crosstable import Number, SeatResult, read_seat_result
from service.tournaments.formats.points import seat_points
from service.tournaments.formats.stage_rules import DUPLICATE, SAME_DEAL, StageRules, read_stages
from service.tournaments.formats.tournament_state import BOT_PREFIX
from service.tournaments.standings import find_names
from service.tournaments.tournament_store import load_state

MOST_SEATS = 500


@dataclass(frozen=True, slots=True)
class MeetingShown:
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

    def find(self, pairing: PairingRow, results: Sequence[SeatResult]) -> tuple[int, ...]:
        """What each seat of a table with these results got."""
        rules, place = self._rules[pairing.stage], (pairing.stage, pairing.round)
        if rules.format != DUPLICATE:
            return seat_points(rules.scoring.rule, results)
        if place not in self._rounds:
            self._rounds[place] = load_state(self._row.id).stages[pairing.stage].table_points(pairing.round)
        return self._rounds[place][pairing.id]


def list_meetings(
    row: TournamentRow, stage: str, players: Sequence[str], locale: Locale
) -> dict[str, dict[int, MeetingShown]]:
    """What each of these players did in each round of a stage that has been paired."""
    sits = PairingSeatRow.select().where(PairingSeatRow.player.in_(list(players)))
    own = [(each.pairing, each.seat, each.player) for each in sits]
    pairings = _find_pairings(row.id, stage, [pairing for pairing, _, _ in own])
    others = {who for each in pairings.values() for who in json.loads(each.seats) if not who.startswith(BOT_PREFIX)}
    names, numbers = find_names(sorted(others), locale), _find_numbers(row.id, sorted(others))
    rules, points_at = find_rules(row)[stage], TablePoints(row)
    found: dict[str, dict[int, MeetingShown]] = {player: {} for player in players}
    for pairing, seat, player in own:
        each = pairings.get(pairing)
        if each is None:
            continue
        people = [who for at, who in enumerate(json.loads(each.seats)) if at != seat]
        against = tuple((numbers.get(who), names.get(who, who.removeprefix(BOT_PREFIX))) for who in people)
        results = [read_seat_result(word) for word in each.result.split()] if each.result else []
        points = points_at.find(each, results)[seat] if results else None
        match = each.id if people or rules.format == SAME_DEAL else ""
        shown = MeetingShown(each.round, match, seat, against, results[seat] if results else None, points)
        found[player][each.round] = shown
    return found


def _find_pairings(tournament: str, stage: str, ids: Sequence[str]) -> dict[str, PairingRow]:
    """Those of these pairings that count in a stage."""
    found: dict[str, PairingRow] = {}
    for start in range(0, len(ids), MOST_SEATS):
        part = PairingRow.select().where(PairingRow.id.in_(ids[start : start + MOST_SEATS]))
        found |= {each.id: each for each in part}
    return {
        id_: each
        for id_, each in found.items()
        if (each.tournament, each.stage) == (tournament, stage) and not each.void
    }


def _find_numbers(tournament: str, players: Sequence[str]) -> dict[str, Number]:
    found: dict[str, Number] = {}
    for start in range(0, len(players), MOST_SEATS):
        mine = (EntrantRow.tournament == tournament) & EntrantRow.player.in_(players[start : start + MOST_SEATS])
        found |= {each.player: each.number for each in EntrantRow.select().where(mine) if each.number is not None}
    return found

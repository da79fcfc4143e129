"""A player's own rounds of a tournament: those played, those with a table now, those to come, and byes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.words import Locale
from service.db.models.matches import SeatRow
from service.db.models.tournaments import EntrantRow, PairingRow, PairingSeatRow, TournamentRow
from service.tournaments.formats.stage_rules import DUPLICATE, PODS, ROUND_ROBIN, SWISS
from service.tournaments.formats.tournament_state import IN
from service.tournaments.tournament_caches import document_of
from service.tournaments.tournament_store import load_state
from service.tournaments.views.overview import show_pairings
from service.tournaments.views.tournament_shapes import PairingShown, RoundShown

MOST_PAIRINGS = 100
FOR_ALL = frozenset({ROUND_ROBIN, SWISS, PODS, DUPLICATE})
"""Formats in which everybody plays every round, so that rounds to come are known to be one's own."""


@dataclass(frozen=True)
class OwnTable:
    """A table of the player, and until when they must answer there if they are asked."""

    shown: PairingShown
    opponents: str
    due: int | None = None
    is_asked: bool = False


@dataclass(frozen=True)
class OwnRound:
    """A round with the player's tables. One without tables is still to come, or missed."""

    shown: RoundShown
    tables: Sequence[OwnTable]
    is_missed: bool
    """True if the player has asked for a bye, or came too late for the round."""

    @property
    def begins(self) -> int | None:
        """The time at which the round will begin, or None if it has begun or nobody can say."""
        return self.shown.starts_at if self.shown.started_at is None else None


def list_own_rounds(
    row: TournamentRow, entrant: EntrantRow, rounds: Sequence[RoundShown], locale: Locale
) -> list[OwnRound]:
    """Return the rounds of a player who has entered, in order."""
    tables: dict[tuple[str, int], list[OwnTable]] = {}
    for each in _list_tables(row, entrant.player, locale):
        tables.setdefault((each.shown.stage, each.shown.round), []).append(each)
    missed = _list_missed(row, entrant)
    first = document_of(row).stages[0]
    awaits = entrant.status == IN and first.format in FOR_ALL
    found = []
    for round_ in rounds:
        key = (round_.stage, round_.number)
        to_come = round_.state == "planned" and awaits and round_.stage == first.name
        if key in tables or key in missed or to_come:
            found.append(OwnRound(round_, tables.get(key, ()), key in missed and key not in tables))
    return found


def _list_tables(row: TournamentRow, player: str, locale: Locale) -> list[OwnTable]:
    sits = PairingSeatRow.select(PairingSeatRow.pairing).where(PairingSeatRow.player == player)
    mine = (PairingRow.tournament == row.id) & ~PairingRow.void & PairingRow.id.in_(sits)
    found = list(PairingRow.select().where(mine).order_by(PairingRow.stage, PairingRow.round).limit(MOST_PAIRINGS))
    tables = show_pairings(row, found, locale)
    matches = SeatRow.match.in_([table.match for table in tables if not table.over])
    seats = {seat.match: seat for seat in SeatRow.select().where(matches & (SeatRow.player == player))}
    return [
        OwnTable(
            table,
            ", ".join(seat.name for seat in table.seats if seat.player != player),
            seats[table.match].due_at if table.match in seats else None,
            table.match in seats and seats[table.match].asked is not None,
        )
        for table in tables
    ]


def _list_missed(row: TournamentRow, entrant: EntrantRow) -> set[tuple[str, int]]:
    """Return the rounds for which the player has a bye that no pairing gave."""
    if entrant.number is None:
        return set()
    state = load_state(row.id)
    number = state.number_of.get(entrant.player)
    return {
        (name, each)
        for name, stage in state.stages.items()
        for each, round_ in stage.rounds.items()
        if number in round_.absent
    }

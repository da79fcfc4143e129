"""A player's own part of a tournament: current matches, schedule, byes to ask for, challenges to make and answer."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from engine.words import Locale
from service.db.models.matches import SeatRow
from service.db.models.tournaments import ChallengeRow, EntrantRow, PairingRow, PairingSeatRow, TournamentRow
from service.problems import Problem
from service.tournaments.documents.document import TournamentDocument
from service.tournaments.formats.tournament_state import IN
from service.tournaments.rounds.challenges import find_ladder, find_open_challenges, has_ladder
from service.tournaments.rounds.standings import find_names
from service.tournaments.views.overview import show_pairings
from service.tournaments.views.tournament_shapes import PairingShown, RoundShown

MOST_PAIRINGS = 100


@dataclass(frozen=True)
class OwnMatch:
    """A table of the player without a result, and until when the player must answer there."""

    pairing: PairingShown
    opponents: str
    due: int | None
    is_asked: bool


@dataclass(frozen=True)
class OwnPart:
    """Own part of a player: matches, schedule, byes and challenges."""

    matches: Sequence[OwnMatch] = ()
    played: Sequence[tuple[PairingShown, str]] = ()
    """Tables with a result, and the opponents at each."""
    byes: Sequence[RoundShown] = ()
    """Rounds for which the player may ask for a bye."""
    challenges: Sequence[tuple[ChallengeRow, str]] = ()
    """Challenges that the player must answer, and who made them."""
    rivals: Sequence[tuple[str, str]] = ()
    """Players whom the player may challenge, with their names."""


def describe_own_part(
    row: TournamentRow, document: TournamentDocument, rounds: Sequence[RoundShown], entrant: EntrantRow, locale: Locale
) -> OwnPart:
    """Return the part of a player who has entered."""
    player = entrant.player
    sits = PairingSeatRow.select(PairingSeatRow.pairing).where(PairingSeatRow.player == player)
    mine = (PairingRow.tournament == row.id) & ~PairingRow.void & PairingRow.id.in_(sits)
    found = list(PairingRow.select().where(mine).order_by(PairingRow.stage, PairingRow.round).limit(MOST_PAIRINGS))
    tables = show_pairings(row, found, locale)
    open_tables = [table for table in tables if not table.over and not table.is_bye]
    matches = SeatRow.match.in_([table.match for table in open_tables])
    seats = {seat.match: seat for seat in SeatRow.select().where(matches & (SeatRow.player == player))}
    plans = {plan.name: plan for plan in document.stages}
    can_rest = entrant.status == IN and entrant.number is not None
    waiting = find_open_challenges(player, row.id) if has_ladder(row) else []
    names = find_names(sorted({each.challenger for each in waiting}), locale)
    return OwnPart(
        matches=[
            OwnMatch(
                table,
                _name_opponents(table, player),
                seats[table.match].due_at if table.match in seats else None,
                table.match in seats and seats[table.match].asked is not None,
            )
            for table in open_tables
        ],
        played=[(table, _name_opponents(table, player)) for table in tables if table.over],
        byes=[
            each
            for each in rounds
            if can_rest and each.state == "planned" and plans[each.stage].allows_bye(each.number)
        ],
        challenges=[(each, names[each.challenger]) for each in waiting],
        rivals=_list_rivals(row, player, locale) if has_ladder(row) and entrant.status == IN else (),
    )


def _name_opponents(table: PairingShown, player: str) -> str:
    return ", ".join(seat.name for seat in table.seats if seat.player != player)


def _list_rivals(row: TournamentRow, player: str, locale: Locale) -> list[tuple[str, str]]:
    """Return the players within reach above this one on a running ladder, the nearest first."""
    with suppress(Problem):  # the ladder is not running
        ladder = find_ladder(row)
        number = ladder.find_number(player)
        if number is None or number not in ladder.order:
            return []
        place = list(ladder.order).index(number)
        above = [ladder.state.holders[each] for each in list(ladder.order)[max(0, place - ladder.plan.reach) : place]]
        names = find_names(above, locale)
        return [(each, names[each]) for each in reversed(above)]
    return []

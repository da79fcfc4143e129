"""The matches of one player as pages list them: where they are asked, what they are invited to, what runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from peewee import fn

from service.db.models.matches import InvitationRow, MatchRow, SeatRow

MOST_TURNS = 200
NO_DEADLINE = 2**53
"""Later than every deadline: where questions without a clock stand in the order of deadlines."""


@dataclass(frozen=True)
class Turn:
    """A question that waits for a player."""

    match: str
    seat: int
    asked: int
    asked_at: int
    due_at: int | None
    game: str
    title: str

    @property
    def sort_key(self) -> tuple[int, str]:
        """Its place in the list of turns, after which the list can be read on."""
        return NO_DEADLINE if self.due_at is None else self.due_at, self.match


def list_turns(player: str, most: int = MOST_TURNS, after: tuple[Any, ...] | None = None) -> list[Turn]:
    """The questions that wait for this player, soonest deadline first, those without a clock last.

    With `after`, the `sort_key` of a turn, the list begins behind that place.
    """
    waiting = (SeatRow.player == player) & SeatRow.asked.is_null(False) & (MatchRow.status == "running")
    seat = (SeatRow.match, SeatRow.seat, SeatRow.asked, SeatRow.asked_at, SeatRow.due_at)
    query = (
        SeatRow.select(*seat, MatchRow.game, MatchRow.title)
        .join(MatchRow, on=(MatchRow.id == SeatRow.match))
        .where(waiting)
    )
    due = fn.COALESCE(SeatRow.due_at, NO_DEADLINE)
    if after is not None:
        last_due, last_match = after
        query = query.where((due > last_due) | ((due == last_due) & (SeatRow.match > last_match)))
    found: Any = query.order_by(due, SeatRow.match).limit(most).tuples()
    return [Turn(*row) for row in found]


def list_invitations(player: str) -> list[InvitationRow]:
    """The invitations of this player that wait for an answer, to matches that have not started; the newest first."""
    waiting = (InvitationRow.player == player) & InvitationRow.answered_at.is_null() & (MatchRow.status == "open")
    query = InvitationRow.select().join(MatchRow, on=(MatchRow.id == InvitationRow.match)).where(waiting)
    newest = {row.match: row for row in query.order_by(InvitationRow.at)}
    return sorted(newest.values(), key=lambda row: (-row.at, row.id))

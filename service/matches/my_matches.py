"""The matches of one player as pages list them: where they are asked, what they are invited to, what runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from service.db.models.matches import InvitationRow, MatchRow, SeatRow

MOST_TURNS = 200


@dataclass(frozen=True)
class Turn:
    """A question that waits for a player."""

    match: str
    game: str
    title: str
    asked_at: int
    due_at: int | None


def list_turns(player: str, most: int = MOST_TURNS) -> list[Turn]:
    """Every question that waits for this player, soonest deadline first, those without a clock last."""
    asked = (SeatRow.player == player) & SeatRow.asked.is_null(False) & (MatchRow.status == "running")
    columns = (MatchRow.id, MatchRow.game, MatchRow.title, SeatRow.asked_at, SeatRow.due_at)
    query = SeatRow.select(*columns).join(MatchRow, on=(MatchRow.id == SeatRow.match)).where(asked)
    ordered = query.order_by(SeatRow.due_at.is_null(), SeatRow.due_at, SeatRow.match).limit(most)
    found: Any = ordered.tuples()
    return [Turn(*row) for row in found]


def list_invitations(player: str) -> list[InvitationRow]:
    """The invitations of this player that wait for an answer, to matches that have not started; the newest first."""
    waiting = (InvitationRow.player == player) & InvitationRow.answered_at.is_null() & (MatchRow.status == "open")
    query = InvitationRow.select().join(MatchRow, on=(MatchRow.id == InvitationRow.match)).where(waiting)
    newest = {row.match: row for row in query.order_by(InvitationRow.at)}
    return sorted(newest.values(), key=lambda row: (-row.at, row.id))

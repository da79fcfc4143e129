"""A player's matches as pages list them: turns, invitations, running matches."""

from __future__ import annotations

from typing import Any

from peewee import fn

from service import shapes
from service.db.models.matches import InvitationRow, MatchRow, SeatRow

MOST_TURNS = 200
NO_DEADLINE = 2**53
"""Later than any deadline: sorts questions without a clock last."""


class Turn(shapes.Shape):
    """A question that waits for a player."""

    component = "TurnShown"

    match: str = shapes.ident("At which match.", shapes.MATCH_ID)
    game: str = shapes.text("Of which game.", shapes.GAME_SLUG)
    title: str = shapes.text("What the match is called.", "Sunday evening")
    seat: int = shapes.seat("Your seat there.")
    asked: int = shapes.number("The number of the question.", 2)
    asked_at: int = shapes.timestamp("Since when it waits.", key="at")
    due_at: int | None = shapes.timestamp("By when your answer must be in; null without a clock.", key="due")

    @property
    def sort_key(self) -> tuple[int, str]:
        """Sort key of the list of turns, also used as its cursor."""
        return NO_DEADLINE if self.due_at is None else self.due_at, self.match


def list_turns(player: str, most: int = MOST_TURNS, after: tuple[Any, ...] | None = None) -> list[Turn]:
    """Return the questions waiting for this player, soonest deadline first, those without a clock last.

    With `after`, the `sort_key` of a turn, the list starts after that turn.
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
    names = ("match", "seat", "asked", "asked_at", "due_at", "game", "title")
    return [Turn(**dict(zip(names, row, strict=True))) for row in found]


def list_invitations(player: str) -> list[InvitationRow]:
    """Return the player's unanswered invitations to matches that have not started, newest first."""
    waiting = (InvitationRow.player == player) & InvitationRow.answered_at.is_null() & (MatchRow.status == "open")
    query = InvitationRow.select().join(MatchRow, on=(MatchRow.id == InvitationRow.match)).where(waiting)
    newest = {row.match: row for row in query.order_by(InvitationRow.at)}
    return sorted(newest.values(), key=lambda row: (-row.at, row.id))

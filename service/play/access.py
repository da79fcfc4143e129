"""Who may look at a match: open ones everybody, others only those who belong to them; strangers find nothing."""

from __future__ import annotations

import hmac
from typing import Any

from peewee import fn

from service.db.models.matches import HeaderRow, InvitationRow, MatchRow, SeatRow
from service.db.row_lookup import find_by_id
from service.i18n.catalogue import msg
from service.problems import Problem

NO_SUCH_MATCH = msg("play.match_not_found")
OPEN = "open"
AFTER_MATCH = "after-match"
AFTER_STAGE = "after-stage"
SEALED = "sealed"
CLOSED = "closed"
PAIRED_VISIBILITIES = (AFTER_MATCH, AFTER_STAGE, SEALED, CLOSED)
"""When others than its players may look at a match of a tournament: it becomes open when it is over, or when somebody
opens it; of a sealed one its players do not get the record before that either, and of a closed one they see nothing
more once it is over, because others still hold the same cards."""


def find_match(match_id: str, player: str | None, link: str | None = None) -> MatchRow:
    """The match, if this player, or somebody without an account, may look at it."""
    match = find_by_id(MatchRow, match_id)
    if match is None or not may_read(match, player, link):
        raise Problem("not-found", NO_SUCH_MATCH)
    return match


def may_read(match: MatchRow, player: str | None, link: str | None = None) -> bool:
    """Whether this player may look at the match."""
    if match.visibility == OPEN or has_link(match, link):
        return True
    return player is not None and MatchRow.select().where((MatchRow.id == match.id) & readable_by(player)).exists()


def readable_by(player: str | None) -> Any:  # noqa: ANN401  # a condition of peewee
    """The matches that this player, or somebody without an account, may look at without a private link."""
    if player is None:
        return MatchRow.visibility == OPEN
    # Whoever made it for a tournament sees no more of it than others.
    organises = ((MatchRow.created_by == player) | (MatchRow.arbiter == player)) & MatchRow.pairing.is_null()
    sits = fn.EXISTS(SeatRow.select(SeatRow.seat).where((SeatRow.match == MatchRow.id) & (SeatRow.player == player)))
    # Whoever sat there at the start may look on, whoever plays the seat by now.
    sat = fn.EXISTS(
        HeaderRow.select(HeaderRow.hash).where(
            (HeaderRow.match == MatchRow.id) & HeaderRow.body.contains(f": {player} ")
        )
    )
    standing = InvitationRow.answer.is_null() | (InvitationRow.answer != "declined")
    invited = fn.EXISTS(
        InvitationRow.select(InvitationRow.id).where(
            (InvitationRow.match == MatchRow.id) & (InvitationRow.player == player) & standing
        )
    )
    shut = (MatchRow.visibility == CLOSED) & (MatchRow.status == "over")
    return (MatchRow.visibility == OPEN) | ((organises | invited | sits | sat) & ~shut)


def has_link(match: MatchRow, link: str | None) -> bool:
    """Whether this is the private link of the match."""
    return bool(match.link and link and hmac.compare_digest(match.link.encode(), link.encode()))


def is_record_public(match: MatchRow) -> bool:
    """Whether seed and record of a match that is over may be told: not while others still play the same deal."""
    return match.visibility not in (SEALED, CLOSED)


def is_closed(match: str) -> bool:
    """Whether nobody may look at a match that is over, because others still hold the same cards."""
    return MatchRow.select().where((MatchRow.id == match) & (MatchRow.visibility == CLOSED)).exists()


def is_seated(match: str, player: str) -> bool:
    """Whether the player sits at this table."""
    return SeatRow.select().where((SeatRow.match == match) & (SeatRow.player == player)).exists()

"""Access to matches. Everybody may see an open match, only its own people any other. Strangers get "not found"."""

from __future__ import annotations

import hmac
from typing import Any

from peewee import fn

from service.accounts import guests
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
"""When people other than its players may see a tournament match: once it is over, or once somebody opens it.

The players of a sealed match do not get its record before that either. The players of a closed match see nothing more
once it is over, because others still hold the same cards.
"""


def find_match(match_id: str, player: str | None, link: str | None = None) -> MatchRow:
    """Return the match if this player, or an anonymous visitor, may see it."""
    match = find_by_id(MatchRow, match_id)
    if match is None or not may_read(match, player, link):
        raise Problem("not-found", NO_SUCH_MATCH)
    return match


def may_read(match: MatchRow, player: str | None, link: str | None = None) -> bool:
    """Return True if this player may see the match."""
    if match.visibility == OPEN or has_link(match, link):
        return True
    return player is not None and MatchRow.select().where((MatchRow.id == match.id) & readable_by(player)).exists()


def readable_by(player: str | None) -> Any:  # noqa: ANN401  # a condition of peewee
    """Return the condition for matches that this player, or an anonymous visitor, may see without a private link."""
    if player is None:
        return MatchRow.visibility == OPEN
    # The organiser of a tournament sees no more of its matches than anybody else.
    organises = ((MatchRow.created_by == player) | (MatchRow.arbiter == player)) & MatchRow.pairing.is_null()
    as_guest = MatchRow.created_by.in_(guests.select_of_owner(player))
    sits = fn.EXISTS(SeatRow.select(SeatRow.seat).where((SeatRow.match == MatchRow.id) & (SeatRow.player == player)))
    # The player who had the seat at the start may watch, even if somebody else plays it now.
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
    return (MatchRow.visibility == OPEN) | ((organises | as_guest | invited | sits | sat) & ~shut)


def has_link(match: MatchRow, link: str | None) -> bool:
    """Return True if this is the private link of the match."""
    return bool(match.link and link and hmac.compare_digest(match.link.encode(), link.encode()))


def is_record_public(match: MatchRow) -> bool:
    """Return True if the seed and record of a finished match are public: not while others play the same deal."""
    return match.visibility not in (SEALED, CLOSED)


def is_closed(match: str) -> bool:
    """Return True if nobody may see a finished match, because others still hold the same cards."""
    return MatchRow.select().where((MatchRow.id == match) & (MatchRow.visibility == CLOSED)).exists()


def is_seated(match: str, player: str) -> bool:
    """Return True if the player has a seat in this match."""
    return SeatRow.select().where((SeatRow.match == match) & (SeatRow.player == player)).exists()

"""Who may look at a match: open ones everybody, others only those who belong to them; strangers find nothing."""

from __future__ import annotations

import hmac

from service.db.models.matches import HeaderRow, InvitationRow, LeagueRow, MatchRow, SeatRow
from service.db.row_lookup import find_by_id
from service.i18n.catalogue import msg
from service.problems import Problem

NO_SUCH_MATCH = msg("play.match_not_found")
OPEN = "open"
AFTER_MATCH = "after-match"
AFTER_STAGE = "after-stage"
SEALED = "sealed"
PAIRED_VISIBILITIES = (AFTER_MATCH, AFTER_STAGE, SEALED)
"""When others than its players may look at a match of a tournament: it becomes open when it is over, or when somebody
opens it; of a sealed one its players do not get the record before that either."""


def find_match(match_id: str, player: str | None, link: str | None = None) -> MatchRow:
    """The match, if this player, or somebody without an account, may look at it."""
    match = find_by_id(MatchRow, match_id)
    if match is None or not may_read(match, player, link):
        raise Problem("not-found", NO_SUCH_MATCH)
    return match


def may_read(match: MatchRow, player: str | None, link: str | None = None) -> bool:
    """Whether this player may look at the match."""
    if match.league is not None and not _is_league_published(match.league):
        # All matches of a league are dealt alike: who watched one would know the cards of the next.
        return player is not None and (is_seated(match.id, player) or _sat_at_start(match.id, player))
    if match.visibility == OPEN or has_link(match, link):
        return True
    if player is None:
        return False
    if match.pairing is not None:
        # Whoever made it for a tournament sees no more of it than others.
        return is_seated(match.id, player) or _sat_at_start(match.id, player)
    belongs = player in (match.created_by, match.arbiter) or is_seated(match.id, player)
    return belongs or _is_invited(match.id, player) or _sat_at_start(match.id, player)


def has_link(match: MatchRow, link: str | None) -> bool:
    """Whether this is the private link of the match."""
    return bool(match.link and link and hmac.compare_digest(match.link.encode(), link.encode()))


def _is_league_published(league: str) -> bool:
    return LeagueRow.select().where((LeagueRow.id == league) & LeagueRow.published_at.is_null(is_null=False)).exists()


def _is_invited(match: str, player: str) -> bool:
    standing = InvitationRow.answer.is_null() | (InvitationRow.answer != "declined")
    return (
        InvitationRow.select()
        .where((InvitationRow.match == match) & (InvitationRow.player == player) & standing)
        .exists()
    )


def _sat_at_start(match: str, player: str) -> bool:
    """Whether the player sat there at the start, whoever plays the seat by now."""
    return HeaderRow.select().where((HeaderRow.match == match) & HeaderRow.body.contains(f": {player} ")).exists()


def is_seated(match: str, player: str) -> bool:
    """Whether the player sits at this table."""
    return SeatRow.select().where((SeatRow.match == match) & (SeatRow.player == player)).exists()

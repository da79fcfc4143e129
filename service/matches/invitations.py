"""Invitations: a seat offered to a player, or to an email address that may have no account yet."""

from __future__ import annotations

from peewee import Expression

from service import ids
from service.accounts import players
from service.config import Config
from service.db.connection import write_transaction
from service.db.models.accounts import PlayerRow
from service.db.models.matches import InvitationRow, MatchRow
from service.events import log
from service.i18n.catalogue import msg
from service.jobs import queue
from service.matches.job_payloads import InvitationLetter
from service.matches.start import check_is_not_paired, check_is_open
from service.play import access
from service.play.access import is_seated
from service.play.match_log import lock_match
from service.problems import Problem
from service.timestamps import now


def open_invitation(match: str, player: str) -> InvitationRow | None:
    """Return the player's unanswered invitation to this match, or None."""
    return InvitationRow.get_or_none(_is_unanswered(match, player))


def _is_unanswered(match: str, player: str) -> Expression:
    """Return the condition for the player's unanswered invitations to this match."""
    return (InvitationRow.match == match) & (InvitationRow.player == player) & InvitationRow.answered_at.is_null()


def record_answer(match: str, player: str, said: str) -> bool:
    """Close the player's unanswered invitations. Return True if there were any. Call inside a transaction."""
    closing = InvitationRow.update(answered_at=now(), answer=said).where(_is_unanswered(match, player))
    return bool(closing.execute())


def claim_invitations(player: str, address: str) -> None:
    """Give a new player the invitations sent to their address before they had an account."""
    waiting = (InvitationRow.address == address) & InvitationRow.player.is_null() & InvitationRow.answered_at.is_null()
    with write_transaction():
        InvitationRow.update(player=player).where(waiting).execute()


def invite(
    player: str, match_id: str, guest: str | None, address: str | None, seat: int | None, config: Config
) -> InvitationRow:
    """Offer a seat. The answer does not reveal whether the address has an account. Call inside a transaction."""
    match = lock_match(match_id)
    check_is_open(match, msg("matches.too_late_to_invite"))
    check_is_not_paired(match)
    if match.created_by != player and not is_seated(match.id, player):
        raise Problem("forbidden", msg("matches.may_not_invite"))
    if seat is not None and not 0 <= seat < match.seats:
        reason = f"0 to {match.seats - 1}"
        raise Problem("invalid", msg("matches.no_such_seat"), errors=[{"field": "seat", "reason": reason}])
    if _count_unanswered(player) >= config.invitations:
        raise Problem("limit-reached", msg("matches.too_many_invitations", count=config.invitations))
    made = InvitationRow.create(
        id=ids.new_id(),
        match=match.id,
        player=_check_invited(guest) if address is None else _player_with_address(address),
        address=address,
        seat=seat,
        by_player=player,
        at=now(),
    )
    if made.player:
        log.write_events([log.Event(made.player, match.id, None, 0, "invitation.received")])
    queue.add(InvitationLetter(invitation=made.id), f"invitation:{made.id}")
    return made


def _count_unanswered(player: str) -> int:
    count: int = (
        InvitationRow.select()
        .join(MatchRow, on=(MatchRow.id == InvitationRow.match))
        .where((InvitationRow.by_player == player) & InvitationRow.answered_at.is_null() & (MatchRow.status == "open"))
        .count()
    )
    return count


def _check_invited(player: str | None) -> str | None:
    if player is None:
        return None
    if (
        not PlayerRow.select()
        .where((PlayerRow.id == player) & PlayerRow.deleted_at.is_null() & ~players.is_guest())
        .exists()
    ):
        raise Problem("not-found", msg("accounts.no_such_player"))
    return player


def _player_with_address(address: str) -> str | None:
    found = PlayerRow.get_or_none(
        (PlayerRow.address == address.strip().lower()) & PlayerRow.confirmed_at.is_null(False)
    )
    return found.id if found else None


def decline(player: PlayerRow, match_id: str) -> None:
    """Decline an invitation."""
    with write_transaction():
        access.find_match(match_id, player.id)
        if not record_answer(match_id, player.id, "declined"):
            raise Problem("not-found", msg("matches.no_invitation"))

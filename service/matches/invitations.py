"""Invitations: a seat offered to a player, or to an address that may have no account yet."""

from __future__ import annotations

from service import ids as chosen
from service.config import Config
from service.db.models import Invitation, Match, Player
from service.events import log as events
from service.jobs import outbox as jobs
from service.matches.join import seated
from service.matches.start import locked
from service.problems import Problem
from service.timestamps import now


def waiting(match: str, player: str) -> Invitation | None:
    """An invitation of this player that waits for an answer."""
    return Invitation.get_or_none(
        (Invitation.match == match) & (Invitation.player == player) & Invitation.answered_at.is_null()
    )


def answer(match: str, player: str, said: str) -> bool:
    """Close the waiting invitations of this player, inside a transaction; whether there were any."""
    count: int = (
        Invitation.update(answered_at=now(), answer=said)
        .where((Invitation.match == match) & (Invitation.player == player) & Invitation.answered_at.is_null())
        .execute()
    )
    return count > 0


def invite(
    player: str, match_id: str, guest: str | None, address: str | None, seat: int | None, config: Config
) -> Invitation:
    """Offer a seat, inside a transaction; the answer does not tell whether an address has an account."""
    match = locked(match_id)
    if match.status != "open":
        raise Problem("match-started" if match.status == "running" else "match-over", "It is too late to invite.")
    if match.created_by != player and not seated(match.id, player):
        raise Problem("forbidden", "Only who made the match or has a seat in it may invite.")
    if seat is not None and not 0 <= seat < match.seats:
        reason = f"0 to {match.seats - 1}"
        raise Problem("invalid", "There is no such seat.", errors=[{"field": "seat", "reason": reason}])
    if _unanswered(player) >= config.invitations:
        raise Problem(
            "limit-reached", f"{config.invitations} of your invitations wait for an answer, which is the most."
        )
    made = Invitation.create(
        id=chosen.name(),
        match=match.id,
        player=_guest(guest) if address is None else _holder(address),
        address=address,
        seat=seat,
        by_player=player,
        at=now(),
    )
    if made.player:
        events.write([events.Event(made.player, match.id, None, 0, "invitation.received")])
    jobs.add("letter", f"invitation:{made.id}", {"kind": "invitation", "invitation": made.id})
    return made


def _unanswered(player: str) -> int:
    count: int = (
        Invitation.select()
        .join(Match, on=(Match.id == Invitation.match))
        .where((Invitation.by_player == player) & Invitation.answered_at.is_null() & (Match.status == "open"))
        .count()
    )
    return count


def _guest(player: str | None) -> str | None:
    if player is None:
        return None
    if not Player.select().where((Player.id == player) & Player.deleted_at.is_null()).exists():
        raise Problem("not-found", "There is no such player.")
    return player


def _holder(address: str) -> str | None:
    found = Player.get_or_none((Player.address == address.strip().lower()) & Player.confirmed_at.is_null(False))
    return found.id if found else None

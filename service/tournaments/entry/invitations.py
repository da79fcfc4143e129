"""Invitations to a tournament: who was invited may see it and enter it where entry is by invitation."""

from __future__ import annotations

from typing import Any

from service import ids
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import TournamentInvitationRow
from service.i18n.catalogue import msg
from service.jobs import queue
from service.problems import Problem
from service.timestamps import DAY, now
from service.tournaments.job_payloads import TournamentInvitationLetter
from service.tournaments.tournament_caches import CANCELLED, OVER
from service.tournaments.tournament_store import check_organiser, lock_tournament, select_invited

MOST_A_DAY = 500
"""How many invitations one organiser sends in 24 hours; they do not count among those to matches."""


def invite_guest(organiser: str, tournament: str, guest: str | None, address: str | None) -> TournamentInvitationRow:
    """Invite a player by id, or anybody by address, with a letter; whoever is invited already is not written to again.

    What comes back does not tell whether an address has an account.
    """
    with lock_tournament(tournament) as row:
        check_organiser(row, organiser)
        if row.state in {OVER, CANCELLED}:
            raise Problem("conflict", msg("tournaments.has_ended"))
        known = _find_invitation(tournament, guest, address)
        if known is not None:
            return known
        _check_guest(guest)
        if _count_lately(organiser) >= MOST_A_DAY:
            raise Problem("limit-reached", msg("tournaments.too_many_invitations", most=MOST_A_DAY))
        made = TournamentInvitationRow.create(
            id=ids.new_id(), tournament=tournament, player=guest, address=address, by_player=organiser, at=now()
        )
        letter = TournamentInvitationLetter(invitation=made.id, tournament=tournament)
        queue.add(letter, f"{letter.kind}:{made.id}")
        return made


def select_sent(tournament: str) -> Any:  # noqa: ANN401  # a query of peewee
    """Everybody who was invited to a tournament."""
    return TournamentInvitationRow.select().where(TournamentInvitationRow.tournament == tournament)


def is_invited(tournament: str, player: str) -> bool:
    """Whether somebody was invited, by id or by the address of the account."""
    return bool(select_invited(player).where(TournamentInvitationRow.tournament == tournament).exists())


def _find_invitation(tournament: str, guest: str | None, address: str | None) -> TournamentInvitationRow | None:
    sent = TournamentInvitationRow.tournament == tournament
    same = TournamentInvitationRow.player == guest if address is None else TournamentInvitationRow.address == address
    found: TournamentInvitationRow | None = TournamentInvitationRow.get_or_none(sent & same)
    return found


def _check_guest(player: str | None) -> None:
    there = (PlayerRow.id == player) & PlayerRow.deleted_at.is_null()
    if player is not None and not PlayerRow.select().where(there).exists():
        raise Problem("not-found", msg("accounts.no_such_player"))


def _count_lately(organiser: str) -> int:
    lately = (TournamentInvitationRow.by_player == organiser) & (TournamentInvitationRow.at > now() - DAY)
    return int(TournamentInvitationRow.select().where(lately).count())

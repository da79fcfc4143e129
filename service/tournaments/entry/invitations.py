"""Invitations: invited players may see a tournament, and enter it where entry is by invitation.

An organiser invites by player, by email address, or by a link that anybody may open until it is withdrawn.
"""

from __future__ import annotations

import hmac

from peewee import ModelSelect

from service import ids
from service.db.models.accounts import PlayerRow
from service.db.models.tournaments import TournamentInvitationRow, TournamentRow
from service.i18n.catalogue import msg
from service.jobs import queue
from service.problems import Problem
from service.timestamps import DAY, now
from service.tournaments.job_payloads import TournamentInvitationLetter
from service.tournaments.tournament_store import check_not_ended, check_organiser, lock_tournament, select_invited

MOST_A_DAY = 500
"""Maximum number of invitations by one organiser in 24 hours. Invitations to matches are counted apart."""


def invite_guest(organiser: str, tournament: str, guest: str | None, address: str | None) -> TournamentInvitationRow:
    """Invite a player by id, or anybody by address. Somebody invited before gets no second email.

    The result is the same whether or not an address has an account.
    """
    with lock_tournament(tournament) as row:
        check_organiser(row, organiser)
        check_not_ended(row)
        earlier = _find_invitation(tournament, guest, address)
        if earlier is not None:
            return earlier
        _check_guest(guest)
        made = _write_invitation(organiser, tournament, guest, address)
        letter = TournamentInvitationLetter(invitation=made.id, tournament=tournament)
        queue.add(letter, f"{letter.kind}:{made.id}")
        return made


def _write_invitation(
    organiser: str, tournament: str, guest: str | None, address: str | None
) -> TournamentInvitationRow:
    """Write an invitation, if the organiser has not invited too many people lately."""
    if _count_lately(organiser) >= MOST_A_DAY:
        raise Problem("limit-reached", msg("tournaments.too_many_invitations", most=MOST_A_DAY))
    return TournamentInvitationRow.create(
        id=ids.new_id(), tournament=tournament, player=guest, address=address, by_player=organiser, at=now()
    )


def renew_link(organiser: str, tournament: str) -> str:
    """Return the secret part of a new link to a tournament. The link before it, if any, stops working."""
    with lock_tournament(tournament) as row:
        check_organiser(row, organiser)
        check_not_ended(row)
        row.link = ids.new_id(24)
        return row.link


def withdraw_link(organiser: str, tournament: str) -> None:
    """Make the link to a tournament stop working. People who have opened it stay invited."""
    with lock_tournament(tournament) as row:
        check_organiser(row, organiser)
        row.link = None


def link_path(tournament: str, link: str) -> str:
    """Return the path of the page that a link opens."""
    return f"/tournaments/{tournament}/invitation/{link}"


def find_by_link(tournament: str, link: str) -> TournamentRow:
    """Return the tournament that a link invites to. Raise `Problem` for a wrong link and for one that was withdrawn."""
    row: TournamentRow | None = TournamentRow.get_or_none(TournamentRow.id == tournament)
    if row is None or not row.link or not hmac.compare_digest(row.link.encode(), link.encode()):
        raise Problem("not-found", msg("tournaments.no_such_link"))
    return row


def accept_link(player: str, tournament: str, link: str) -> TournamentRow:
    """Invite a player who opens the link to a tournament. It counts as an invitation by the owner.

    A player who was invited before, or who may see and enter the tournament anyway, is not counted.
    """
    with lock_tournament(find_by_link(tournament, link).id) as row:
        find_by_link(tournament, link)
        check_not_ended(row)
        if not is_invited(row.id, player):
            _write_invitation(row.owner, row.id, player, None)
        return row


def select_sent(tournament: str) -> ModelSelect[TournamentInvitationRow]:
    """Return a query for the invitations to a tournament."""
    return TournamentInvitationRow.select().where(TournamentInvitationRow.tournament == tournament)


def is_invited(tournament: str, player: str) -> bool:
    """Return True if a player was invited by id or by address."""
    return bool(select_invited(player).where(TournamentInvitationRow.tournament == tournament).exists())


def _find_invitation(tournament: str, guest: str | None, address: str | None) -> TournamentInvitationRow | None:
    sent = TournamentInvitationRow.tournament == tournament
    same = TournamentInvitationRow.player == guest if address is None else TournamentInvitationRow.address == address
    invitation: TournamentInvitationRow | None = TournamentInvitationRow.get_or_none(sent & same)
    return invitation


def _check_guest(player: str | None) -> None:
    there = (PlayerRow.id == player) & PlayerRow.deleted_at.is_null()
    if player is not None and not PlayerRow.select().where(there).exists():
        raise Problem("not-found", msg("accounts.no_such_player"))


def _count_lately(organiser: str) -> int:
    lately = (TournamentInvitationRow.by_player == organiser) & (TournamentInvitationRow.at > now() - DAY)
    return int(TournamentInvitationRow.select().where(lately).count())

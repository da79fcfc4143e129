"""Organisers, who seat players that agreed to it, without those players' tokens."""

from __future__ import annotations

from typing import Any

from service.config import Config
from service.db.connection import write_transaction
from service.db.models.accounts import ConsentRow, PlayerRow
from service.db.models.matches import InvitationRow, MatchRow, SeatRow
from service.i18n.catalogue import msg
from service.matches import invitations, join
from service.matches.job_payloads import SeatedLetter, UnseatedLetter
from service.matches.start import check_is_open, start_if_full
from service.play import access
from service.play.match_log import lock_match
from service.problems import Problem
from service.timestamps import now

ORGANISER_CANNOT_PLAY = msg("matches.organiser_cannot_play")


def give_consent(player: str, organiser: str) -> None:
    """Allow an organiser to seat the player, until the player revokes it."""
    if player == organiser:
        raise Problem("conflict", msg("matches.own_consent"))
    if not PlayerRow.select().where((PlayerRow.id == organiser) & PlayerRow.deleted_at.is_null()).exists():
        raise Problem("not-found", msg("accounts.no_such_player"))
    with write_transaction():
        ConsentRow.insert(player=player, organiser=organiser, at=now()).on_conflict_ignore().execute()


def revoke_consent(player: str, organiser: str) -> None:
    """Revoke an organiser's permission to seat the player. Seats already taken stay."""
    with write_transaction():
        ConsentRow.delete().where((ConsentRow.player == player) & (ConsentRow.organiser == organiser)).execute()


def select_consents(player: str) -> Any:  # noqa: ANN401  # a query of peewee
    """Select the organisers who may seat the player, oldest consent first: `organiser`, `name` and `at`."""
    found = ConsentRow.select(ConsentRow.organiser, ConsentRow.at, PlayerRow.name)
    joined = found.join(PlayerRow, on=(PlayerRow.id == ConsentRow.organiser))
    return joined.where(ConsentRow.player == player).order_by(ConsentRow.at, ConsentRow.organiser).objects()


def has_consent(organiser: str, player: str) -> bool:
    """Return True if the player allows this organiser to seat them."""
    return ConsentRow.select().where((ConsentRow.player == player) & (ConsentRow.organiser == organiser)).exists()


def seat_player(organiser: str, match_id: str, place: int, player: str, config: Config) -> None:
    """Seat a player who agreed, by general consent or by accepting an invitation."""
    with write_transaction():
        match = _lock_own_match(organiser, match_id)
        check_consent(organiser, match.id, player)
        join.check_open_match_limit(player, match.id, config)
        join.clear_seat(match.id, player)
        join.take_seat(match, player, place, "-")
        join.queue_seating_letter(SeatedLetter(match=match.id, seat=place, player=player, by=organiser))
        invitations.record_answer(match.id, player, "seated")
        start_if_full(match)


def unseat_player(organiser: str, match_id: str, place: int) -> None:
    """Empty a seat of a match that has not started."""
    with write_transaction():
        match = _lock_own_match(organiser, match_id)
        sitting = SeatRow.get_or_none((SeatRow.match == match.id) & (SeatRow.seat == place))
        if sitting is None or sitting.player is None:
            raise Problem("not-found", msg("matches.nobody_sits"))
        join.clear_seat(match.id, sitting.player)
        join.queue_seating_letter(UnseatedLetter(match=match.id, seat=place, player=sitting.player, by=organiser))


def check_consent(organiser: str, match: str, player: str) -> None:
    """Refuse to seat a player who has not agreed. Unknown and unwilling players get the same answer."""
    if player == organiser:
        raise Problem("forbidden", ORGANISER_CANNOT_PLAY)
    if has_consent(organiser, player) or _has_accepted_invitation(match, player):
        return
    raise Problem("forbidden", msg("matches.no_consent"), player=player)


def _has_accepted_invitation(match: str, player: str) -> bool:
    accepted = InvitationRow.answer.in_(("accepted", "joined"))
    return (
        InvitationRow.select()
        .where((InvitationRow.match == match) & (InvitationRow.player == player) & accepted)
        .exists()
    )


def _lock_own_match(organiser: str, match_id: str) -> MatchRow:
    access.find_match(match_id, organiser)
    match = lock_match(match_id)
    if match.arbiter != organiser:
        raise Problem("forbidden", msg("matches.only_organiser"))
    check_is_open(match, msg("matches.seats_settled"))
    return match

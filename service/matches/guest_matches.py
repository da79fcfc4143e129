"""Matches of guests: against bots only, kept when the guest signs in, ended when the guest stays away."""

from __future__ import annotations

from engine.game import AnyAction
from engine.house import End, PlayerTakes
from service.accounts import guests
from service.config import Config
from service.db.connection import write_transaction
from service.db.models.matches import MatchRow, SeatRow
from service.jobs import queue
from service.jobs.queue import Job
from service.matches import erasure, join
from service.matches.job_payloads import HandOverMatches
from service.matches.paired_matches import write_house_lines
from service.matches.substitutes import reset_seat
from service.timestamps import now

EXPIRED = "expired"
"""Reason in the log for the end of a match whose guest stayed away."""
MOST_AT_ONCE = 3
"""Maximum number of matches handed over while the guest signs in."""
MOST_EXPIRED = 100
"""Maximum number of guests erased in one run; the next run continues."""


def hand_over_matches(guest: str, player: str, opened: str, config: Config) -> None:
    """Give a guest's running matches to the account that the guest has signed in to, first the match `opened`.

    A job hands over all but the first few, so that signing in does not wait for them. Finished matches stay with the
    guest row, which then belongs to the player.
    """
    seats = sorted(_running_seats(guest), key=lambda seat: seat[0] != opened)
    for match, seat in seats[:MOST_AT_ONCE]:
        _hand_over(match, seat, guest, player, config)
    with write_transaction():
        guests.set_owner(guest, player)
        if len(seats) > MOST_AT_ONCE:
            queue.add(HandOverMatches(guest=guest, player=player), f"hand-over:{guest}:{player}")


def hand_over_rest(job: Job[HandOverMatches], config: Config) -> None:
    """Hand over the running matches that a guest still has. Safe to repeat."""
    guest, player = job.payload.guest, job.payload.player
    for match, seat in _running_seats(guest):
        _hand_over(match, seat, guest, player, config)


def _hand_over(match: str, seat: int, guest: str, player: str, config: Config) -> None:
    _write_house_line(match, guest, PlayerTakes(seat, player, join.active_keys(player)))
    with write_transaction():
        reset_seat(match, seat, player, config, limited=False)


def list_finished(player: str, most: int) -> list[MatchRow]:
    """Return the latest finished matches that this player has played as a guest."""
    played = MatchRow.created_by.in_(guests.select_of_owner(player)) & (MatchRow.status == "over")
    # A match that was handed over before its end belongs to the account itself.
    handed_over = MatchRow.id.in_(SeatRow.select(SeatRow.match).where(SeatRow.player == player))
    return list(MatchRow.select().where(played & ~handed_over).order_by(MatchRow.created_at.desc()).limit(most))


def erase_expired_guests(_config: Config) -> None:
    """End the matches of guests who have stayed away, then erase the guests. Runs periodically."""
    for guest in guests.list_expired(now(), MOST_EXPIRED):
        for match, _ in _running_seats(guest):
            _write_house_line(match, guest, End(EXPIRED))
        erasure.erase_player(guest)


def _running_seats(guest: str) -> list[tuple[str, int]]:
    running = (SeatRow.player == guest) & (MatchRow.status == "running")
    query = SeatRow.select(SeatRow.match, SeatRow.seat).join(MatchRow, on=MatchRow.id == SeatRow.match)
    return [(row.match, row.seat) for row in query.where(running).order_by(SeatRow.match)]


def _write_house_line(match: str, guest: str, action: AnyAction) -> None:
    """Write a line of the house, unless the guest no longer has a seat."""
    write_house_lines(match, lambda match_state: [] if match_state.seat_of(guest) is None else [action], now())

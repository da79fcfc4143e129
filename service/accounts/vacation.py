"""Leave: days on which a player's clocks rest. Thirty days a year, at most three bookings ahead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from service import ids
from service.accounts import players
from service.db.batches import batched
from service.db.connection import write_transaction
from service.db.models.accounts import LeaveRow, PlayerRow
from service.i18n.catalogue import msg
from service.problems import Problem, invalid_fields_problem
from service.timestamps import DAY, now

DAYS_A_YEAR = 30
MOST_AHEAD = 3
HORIZON = timedelta(days=366)


def today(zone: str, at: int) -> date:
    """Return the current date in this zone."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(ZoneInfo(zone)).date()


def standing_bookings(player: str) -> Any:  # noqa: ANN401  # a query of peewee
    """Return a query for the bookings of a player that are not cancelled, past ones included."""
    return LeaveRow.select().where((LeaveRow.player == player) & LeaveRow.cancelled_at.is_null())


def bookings(player: str) -> list[tuple[date, date]]:
    """Return the first and last day of each booking that is not cancelled, past ones included."""
    found = standing_bookings(player).order_by(LeaveRow.first_day)
    return [(date.fromisoformat(each.first_day), date.fromisoformat(each.last_day)) for each in found]


def find_absent(players: Sequence[str], at: int) -> list[str]:
    """Return the players whose leave covers this moment, each in their own time zone."""
    earliest, latest = (today("UTC", at + days * DAY).isoformat() for days in (-1, 1))
    near = LeaveRow.cancelled_at.is_null() & (LeaveRow.first_day <= latest) & (LeaveRow.last_day >= earliest)
    found = []
    columns = (LeaveRow.player, PlayerRow.zone, LeaveRow.first_day, LeaveRow.last_day)
    for part in batched(players):
        joined: Any = LeaveRow.select(*columns).join(PlayerRow, on=LeaveRow.player == PlayerRow.id)
        query = joined.where(LeaveRow.player.in_(part) & near)
        for player, zone, first, last in query.tuples():
            if first <= today(zone or "UTC", at).isoformat() <= last:
                found.append(player)
    return sorted(set(found))


def days_left(player: str, year: int) -> int:
    """Return how many days of leave are left in a year."""
    return DAYS_A_YEAR - _days_by_year(bookings(player))[year]


def _days_by_year(spans: list[tuple[date, date]]) -> Counter[int]:
    return Counter(
        (first + timedelta(days=each)).year for first, last in spans for each in range((last - first).days + 1)
    )


def book(player: str, zone: str, first: date, last: date) -> LeaveRow:
    """Book leave inside a transaction. Raise Problem if it exceeds the allowance."""
    players.lock(player)
    at = now()
    day = today(zone, at)
    _check_dates(first, last, day)
    spans = bookings(player)
    if sum(1 for _, end in spans if end >= day) >= MOST_AHEAD:
        raise Problem("limit-reached", msg("accounts.too_many_bookings", count=MOST_AHEAD))
    if any(first <= end and last >= start for start, end in spans):
        raise Problem("conflict", msg("accounts.bookings_overlap"))
    for year, count in _days_by_year([*spans, (first, last)]).items():
        if count > DAYS_A_YEAR:
            left = DAYS_A_YEAR - _days_by_year(spans)[year]
            raise Problem(
                "limit-reached", msg("accounts.leave_used_up", left=left, days=DAYS_A_YEAR, year=year), days_left=left
            )
    return LeaveRow.create(
        id=ids.new_id(), player=player, first_day=first.isoformat(), last_day=last.isoformat(), at=at
    )


def _check_dates(first: date, last: date, day: date) -> None:
    if last < first:
        reason = msg("accounts.last_before_first")
        raise invalid_fields_problem(reason, last_day=reason)
    if first < day:
        reason = msg("accounts.leave_in_past", day=day.isoformat())
        raise invalid_fields_problem(reason, first_day=reason)
    if last - day > HORIZON:
        reason = msg("accounts.leave_too_far")
        raise invalid_fields_problem(reason, first_day=reason)


def find(player: str, booking: str) -> LeaveRow:
    """Return one booking of this player that is not cancelled."""
    found: LeaveRow | None = standing_bookings(player).where(LeaveRow.id == booking).get_or_none()
    if found is None:
        raise Problem("not-found", msg("accounts.no_such_booking"))
    return found


def upcoming(player: str, zone: str) -> list[LeaveRow]:
    """Return the bookings of a player that are not over, earliest first."""
    day = today(zone, now()).isoformat()
    return list(standing_bookings(player).where(LeaveRow.last_day >= day).order_by(LeaveRow.first_day))


def cancel(player: str, zone: str, booking: str) -> None:
    """End a booking. One that has not begun is deleted; one that has begun ends yesterday."""
    at = now()
    day = today(zone, at)
    with write_transaction():
        found = find(player, booking)
        first, last = date.fromisoformat(found.first_day), date.fromisoformat(found.last_day)
        if last < day:
            raise Problem("conflict", msg("accounts.leave_is_over"))
        mine = LeaveRow.id == booking
        if first >= day:
            LeaveRow.update(cancelled_at=at).where(mine).execute()
        else:
            LeaveRow.update(last_day=(day - timedelta(days=1)).isoformat()).where(mine).execute()

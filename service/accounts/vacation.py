"""Leave: days on which a player's clocks rest; thirty a year, at most three bookings ahead."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from service import ids as chosen
from service.db.connection import rows, run, writing
from service.db.models import Leave
from service.problems import Problem
from service.timestamps import now

DAYS_A_YEAR = 30
AHEAD = 3
HORIZON = timedelta(days=366)


def today(zone: str, at: int) -> date:
    """The day it is in this zone."""
    return datetime.fromtimestamp(at / 1000, UTC).astimezone(ZoneInfo(zone)).date()


def booked(player: str) -> list[tuple[date, date]]:
    """The days of every booking that stands, past ones too."""
    sql = "select first_day, last_day from leave where player = ? and cancelled_at is null order by first_day"
    return [(date.fromisoformat(first), date.fromisoformat(last)) for first, last in rows(sql, player)]


def away(player: str, day: date) -> bool:
    """Whether the player is on leave on this day."""
    return any(first <= day <= last for first, last in booked(player))


def days_left(player: str, year: int) -> int:
    """How many days of leave a year still has."""
    return DAYS_A_YEAR - _used(booked(player))[year]


def _used(spans: list[tuple[date, date]]) -> Counter[int]:
    return Counter(
        (first + timedelta(days=each)).year for first, last in spans for each in range((last - first).days + 1)
    )


def book(player: str, zone: str, first: date, last: date) -> Leave:
    """A new booking, inside a transaction; refused if it goes beyond what there is."""
    run("update player set id = id where id = ?", player)
    at = now()
    day = today(zone, at)
    _fits_calendar(first, last, day)
    spans = booked(player)
    if sum(1 for _, end in spans if end >= day) >= AHEAD:
        raise Problem("limit-reached", f"You have {AHEAD} bookings ahead, which is the most; cancel one first.")
    if any(first <= end and last >= start for start, end in spans):
        raise Problem("conflict", "These days overlap with a booking you have.")
    for year, count in _used([*spans, (first, last)]).items():
        if count > DAYS_A_YEAR:
            left = DAYS_A_YEAR - _used(spans)[year]
            raise Problem(
                "limit-reached", f"You have {left} of {DAYS_A_YEAR} days of leave left in {year}.", days_left=left
            )
    return Leave.create(id=chosen.name(), player=player, first_day=first.isoformat(), last_day=last.isoformat(), at=at)


def _fits_calendar(first: date, last: date, day: date) -> None:
    reason = ""
    if last < first:
        reason = "The last day is before the first."
    elif first < day:
        reason = f"It is {day.isoformat()} where you are; leave begins today at the earliest."
    elif last - day > HORIZON:
        reason = "Leave can be booked a year ahead."
    if reason:
        raise Problem(
            "invalid", reason, errors=[{"field": "last_day" if last < first else "first_day", "reason": reason}]
        )


def of(player: str, booking: str) -> Leave:
    """One booking of this player that stands."""
    found = Leave.get_or_none((Leave.id == booking) & (Leave.player == player) & Leave.cancelled_at.is_null())
    if found is None:
        raise Problem("not-found", "You have no such booking.")
    return found


def cancel(player: str, zone: str, booking: str) -> None:
    """End a booking: what has not begun is gone, what has begun ends yesterday."""
    at = now()
    day = today(zone, at)
    with writing():
        found = of(player, booking)
        first, last = date.fromisoformat(found.first_day), date.fromisoformat(found.last_day)
        if last < day:
            raise Problem("conflict", "This leave is over; its days are used.")
        mine = Leave.id == booking
        if first >= day:
            Leave.update(cancelled_at=at).where(mine).execute()
        else:
            Leave.update(last_day=(day - timedelta(days=1)).isoformat()).where(mine).execute()

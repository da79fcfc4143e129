"""Clocks: how long a seat has for its answer, as plain functions of given times."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

SATURDAY = 5
HOUR = 3_600_000
DAY = 24 * HOUR


@dataclass(frozen=True)
class Clock:
    """The time rules of a match: a bank that grows with each turn, or so much time for each move."""

    name: str
    bank: int = 0
    increment: int = 0
    cap: int = 0
    per_move: int = 0
    weekends: bool = False
    """Whether Saturdays and Sundays do not count."""
    wait: int = 0
    """How long a question stands before the clock begins to run."""
    leave: bool = True


PRESETS: dict[str, Clock] = {
    clock.name: clock
    for clock in (
        Clock("none"),
        Clock("standard", bank=3 * DAY, increment=DAY, cap=7 * DAY, weekends=True),
        Clock("relaxed", bank=240 * HOUR, increment=36 * HOUR, cap=240 * HOUR),
        Clock("tournament", bank=72 * HOUR, increment=36 * HOUR, cap=120 * HOUR, leave=False),
        Clock("reactions", bank=10 * DAY, increment=2 * DAY, cap=14 * DAY, wait=12 * HOUR),
        Clock("phases", per_move=71 * HOUR),
        *(Clock(f"simple-{days}", per_move=days * DAY) for days in (1, 2, 3, 5, 7, 10, 14)),
    )
}
DEFAULT = "standard"


def _weekend_free(start: int, span: int, zone: str) -> int:
    """The time so much counted time after the start, Saturdays and Sundays in this zone not counted."""
    place = ZoneInfo(zone)
    at, left = start, span
    while True:
        local = datetime.fromtimestamp(at / 1000, place)
        midnight = (local + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
        next_day = int(midnight.timestamp() * 1000)
        if local.weekday() < SATURDAY:
            if at + left <= next_day:
                return at + left
            left -= next_day - at
        at = next_day


def counted(clock: Clock, start: int, end: int, zone: str) -> int:
    """How much of the time between start and end counts on this clock."""
    start = min(end, start + clock.wait)
    if not clock.weekends:
        return end - start
    place, total, at = ZoneInfo(zone), 0, start
    while at < end:
        local = datetime.fromtimestamp(at / 1000, place)
        midnight = (local + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
        next_day = min(end, int(midnight.timestamp() * 1000))
        if local.weekday() < SATURDAY:
            total += next_day - at
        at = next_day
    return total


def answered(clock: Clock, bank: int, asked_at: int, at: int, zone: str) -> int:
    """What is in the bank after an answer: what was left, and the increment, never above the cap."""
    if not clock.bank:
        return bank
    return min(clock.cap, max(0, bank - counted(clock, asked_at, at, zone)) + clock.increment)


def due(clock: Clock, bank: int, asked_at: int, zone: str, leaves: tuple[tuple[str, str], ...] = ()) -> int | None:
    """When the answer to a question is due; days of leave booked before it was asked are added."""
    span = bank if clock.bank else clock.per_move
    if not span:
        return None
    start = asked_at + clock.wait
    until = _weekend_free(start, span, zone) if clock.weekends else start + span
    for first, last in leaves:
        begin, end = _day(first, zone), _day(last, zone) + DAY
        if begin < until and end > start:
            rest = end - max(begin, start)
            until = _weekend_free(until, rest, zone) if clock.weekends else until + rest
    return until


def _day(text: str, zone: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)

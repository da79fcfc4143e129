"""Clocks: how long a seat has for its answer, as plain functions of given times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from service.timestamps import DAY, HOUR, MINUTE

SATURDAY = 5


GRACE = MINUTE
"""How long after a deadline the house waits before it writes that it was missed."""


@dataclass(frozen=True)
class Clock:
    """The time rules of a match: a bank that grows with each turn, or so much time for each answer."""

    name: str
    bank: int = 0
    increment: int = 0
    cap: int = 0
    """The most a bank may hold; 0: there is no most."""
    every: int = 1
    """The increment comes with each so manieth turn."""
    turns: int = 0
    """Only the first so many turns earn the increment; 0: all do."""
    per_move: int = 0
    weekends: bool = False
    """Whether Saturdays and Sundays do not count."""
    wait: int = 0
    """How long a question stands before the clock begins to run."""
    hour: int | None = None
    """The hour, UTC, at which every deadline falls."""
    double_after: int = 0
    """Whole days count, and those beyond so many on one answer count double; 0: every moment counts."""
    longest: int = 0
    """No answer may take longer than this, whatever is in the bank."""
    grace: int = 0
    """How long a missed deadline is excused, once for each question; 0: as long as a turn."""
    leave: bool = True
    hard: bool = False
    """Whether the first missed deadline has its consequence: there are no excuses."""


PRESETS: dict[str, Clock] = {
    clock.name: clock
    for clock in (
        Clock("none"),
        Clock("standard", bank=3 * DAY, increment=DAY, cap=7 * DAY, weekends=True),
        Clock("relaxed", bank=240 * HOUR, increment=36 * HOUR, cap=240 * HOUR),
        Clock("tournament", bank=72 * HOUR, increment=36 * HOUR, cap=120 * HOUR, leave=False, hard=True),
        *(
            Clock(name, bank=10 * DAY, increment=2 * DAY, wait=hours * HOUR)
            for name, hours in (("reactions", 12), ("reactions-8", 8), ("reactions-24", 24))
        ),
        Clock("phases", per_move=71 * HOUR, weekends=True, hour=18, grace=167 * HOUR),
        *(Clock(f"simple-{days}", per_move=days * DAY) for days in (1, 2, 3, 5, 7, 10, 14)),
        *(
            Clock(
                f"classic-{days}",
                bank=days * DAY,
                increment=days * DAY,
                every=10,
                double_after=20,
                longest=40 * DAY,
                hard=True,
            )
            for days in (30, 40, 50)
        ),
        Clock("block", bank=75 * DAY, increment=5 * DAY, turns=50, leave=False, hard=True),
    )
}
DEFAULT_PRESET = "standard"


@dataclass(frozen=True)
class RestDays:
    """The days on which one player's clock stands still, in the player's own zone."""

    zone: str = "UTC"
    weekends: bool = False
    leaves: tuple[tuple[str, str], ...] = ()
    """First and last day of each booking."""

    def covers(self, day: date) -> bool:
        """Whether the clock stands still on this day."""
        if self.weekends and day.weekday() >= SATURDAY:
            return True
        text = day.isoformat()
        return any(first <= text <= last for first, last in self.leaves)


NO_REST = RestDays()


def _days(start: int, zone: str) -> Iterator[tuple[date, int, int]]:
    """Day by day from a moment on: the day in this zone, when it begins (or the moment), and when the next does."""
    place = ZoneInfo(zone)
    at = start
    while True:
        day = datetime.fromtimestamp(at / 1000, place).date()
        midnight = datetime.combine(day + timedelta(days=1), time(), place)
        following = int(midnight.timestamp()) * 1000
        yield day, at, following
        at = following


def moment_after(start: int, span: int, rest: RestDays) -> int:
    """The moment when so much time has counted since the start."""
    if not rest.weekends and not rest.leaves:
        return start + span
    left = span
    for day, begin, end in _days(start, rest.zone):
        if not rest.covers(day):
            if begin + left <= end:
                return begin + left
            left -= end - begin
    raise AssertionError  # days do not end


def counted_time(start: int, end: int, rest: RestDays) -> int:
    """How much of the time between start and end counts."""
    if not rest.weekends and not rest.leaves:
        return max(0, end - start)
    total = 0
    for day, begin, following in _days(start, rest.zone):
        if begin >= end:
            break
        if not rest.covers(day):
            total += min(end, following) - begin
    return total


def bank_after_answer(clock: Clock, bank: int, since: int, at: int, rest: RestDays, turn: int | None = None) -> int:
    """What is in the bank after an answer; with the number of the turn it completes, the increment too."""
    if not clock.bank:
        return bank
    left = max(0, bank - _time_used(clock, counted_time(since + clock.wait, at, rest)))
    if turn is None or turn % clock.every or 0 < clock.turns < turn:
        return left
    return min(clock.cap or left + clock.increment, left + clock.increment)


def _time_used(clock: Clock, span: int) -> int:
    if not clock.double_after:
        return span
    days = span // DAY
    return (days + max(0, days - clock.double_after)) * DAY


def deadline(clock: Clock, bank: int, since: int, rest: RestDays = NO_REST) -> int | None:
    """When the answer is due to a question whose clock runs since then; never on a clock without time."""
    if clock.hour is not None:
        return _next_at_hour(clock.hour, since + clock.per_move, rest)
    span = _longest_answer(clock, bank) if clock.double_after else bank if clock.bank else clock.per_move
    if not span and not clock.bank:
        return None
    return moment_after(since + clock.wait, min(span, clock.longest) if clock.longest else span, rest)


def _longest_answer(clock: Clock, bank: int) -> int:
    """How long one answer may take until it has used up more whole days than the bank has."""
    days, single = bank // DAY, clock.double_after
    return (days + 1 if days <= single else single + (days - single) // 2 + 1) * DAY


def _next_at_hour(hour: int, earliest: int, rest: RestDays) -> int:
    """The first time this hour strikes, not earlier than given, on a day that counts."""
    day = datetime.fromtimestamp(earliest / 1000, UTC).date()
    while True:
        at = int(datetime.combine(day, time(hour), UTC).timestamp()) * 1000
        if at >= earliest and not rest.covers(day):
            return at
        day += timedelta(days=1)


def bank_after_excuse(clock: Clock) -> int:
    """What is in the bank after a missed deadline that was excused: a turn's worth, at least a day."""
    return max(clock.increment, DAY) if clock.bank else 0


def later_deadline(new: int | None, old: int | None) -> int | None:
    """The new deadline, never earlier than the old one."""
    return new if new is None or old is None else max(new, old)


SOON = 5
"""A reminder goes out when one part in so many of the time is left."""
LONG_SILENCE_DAYS = (14, 28, 35)
"""After so many days without an answer a player is asked whether all is well."""


def due_reminders(since: int, due_at: int | None, at: int, sent: frozenset[str]) -> tuple[str, ...]:
    """Which reminders of an open question are to be sent now: `reminder` or `urgent`, and one for a long silence."""
    found = []
    if due_at is not None and due_at > at:
        left = due_at - at
        if left <= DAY < due_at - since or left * SOON <= due_at - since <= DAY:
            found = [] if "urgent" in sent else ["urgent"]
        elif left * SOON <= due_at - since and "reminder" not in sent:
            found = ["reminder"]
    days = [each for each in LONG_SILENCE_DAYS if at - since >= each * DAY]
    if days and f"day-{days[-1]}" not in sent and not found:
        found = [f"day-{days[-1]}"]
    return tuple(found)

"""Clock arithmetic: how long a seat has for its answer, as pure functions of given times.

Weekends and leave are days in the player's own zone, and such a day may have 23 or 25 hours. So time is added and
counted day by day, never as multiples of 24 hours. All times are arguments, so that the same log gives the same
deadlines when caches are rebuilt.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from service.timestamps import DAY, HOUR, MINUTE

SATURDAY = 5


GRACE = MINUTE
"""How long after a deadline the server waits before it records a timeout."""


@dataclass(frozen=True)
class Clock:
    """The time control of a match: a bank that grows with each turn, or a fixed time for each answer."""

    name: str
    bank: int = 0
    increment: int = 0
    cap: int = 0
    """Maximum of the bank; 0 means none."""
    every: int = 1
    """The increment comes with every n-th turn."""
    turns: int = 0
    """Only the first n turns earn the increment; 0 means all."""
    per_move: int = 0
    weekends: bool = False
    """True if Saturdays and Sundays do not count."""
    wait: int = 0
    """Time that a question waits before the clock starts."""
    hour: int | None = None
    """The hour (UTC) of every deadline, or None."""
    double_after: int = 0
    """Count whole days, and count days beyond this number double; 0 counts every moment once."""
    longest: int = 0
    """Maximum time for one answer, whatever the bank holds; 0 means none."""
    grace: int = 0
    """Extra time after a missed deadline that is excused, once per question; 0 means the length of a turn."""
    leave: bool = True
    hard: bool = False
    """True if the first missed deadline has its consequence, without excuses."""


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
    """The days on which one player's clock stops, in the player's own zone."""

    zone: str = "UTC"
    weekends: bool = False
    leaves: tuple[tuple[str, str], ...] = ()
    """First and last day of each booked leave."""

    def covers(self, day: date) -> bool:
        """Return True if the clock stops on this day."""
        if self.weekends and day.weekday() >= SATURDAY:
            return True
        text = day.isoformat()
        return any(first <= text <= last for first, last in self.leaves)


NO_REST = RestDays()


def _days(start: int, zone: str) -> Iterator[tuple[date, int, int]]:
    """Yield days from a moment: the day in this zone, its start (or the moment), and the start of the next day."""
    place = ZoneInfo(zone)
    at = start
    while True:
        day = datetime.fromtimestamp(at / 1000, place).date()
        midnight = datetime.combine(day + timedelta(days=1), time(), place)
        following = int(midnight.timestamp()) * 1000
        yield day, at, following
        at = following


def moment_after(start: int, span: int, rest: RestDays) -> int:
    """Return the moment at which `span` has counted since the start."""
    if not rest.weekends and not rest.leaves:
        return start + span
    left = span
    for day, begin, end in _days(start, rest.zone):
        if not rest.covers(day):
            if begin + left <= end:
                return begin + left
            left -= end - begin
    raise AssertionError  # the days are endless


def counted_time(start: int, end: int, rest: RestDays) -> int:
    """Return the part of the time between start and end that counts."""
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
    """Return the bank after an answer, with the increment if `turn` is the number of the turn it completes."""
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
    """Return the time at which the answer is due, or None on a clock without limit."""
    if clock.hour is not None:
        return _next_at_hour(clock.hour, since + clock.per_move, rest)
    span = _longest_answer(clock, bank) if clock.double_after else bank if clock.bank else clock.per_move
    if not span and not clock.bank:
        return None
    return moment_after(since + clock.wait, min(span, clock.longest) if clock.longest else span, rest)


def _longest_answer(clock: Clock, bank: int) -> int:
    """Return how long one answer may take before it uses more whole days than the bank has.

    This is the inverse of `_time_used`: days up to `double_after` count once, later ones twice, and a started day is
    free.
    """
    days, single = bank // DAY, clock.double_after
    return (days + 1 if days <= single else single + (days - single) // 2 + 1) * DAY


def _next_at_hour(hour: int, earliest: int, rest: RestDays) -> int:
    """Return the first time at this hour, not before `earliest`, on a day that counts."""
    day = datetime.fromtimestamp(earliest / 1000, UTC).date()
    while True:
        at = int(datetime.combine(day, time(hour), UTC).timestamp()) * 1000
        if at >= earliest and not rest.covers(day):
            return at
        day += timedelta(days=1)


def bank_after_excuse(clock: Clock) -> int:
    """Return the bank after an excused deadline: one turn's time, at least a day."""
    return max(clock.increment, DAY) if clock.bank else 0


def later_deadline(new: int | None, old: int | None) -> int | None:
    """Return the new deadline, or the old one if that is later."""
    return new if new is None or old is None else max(new, old)


SOON = 5
"""Share of the time left when a reminder is sent: one fifth."""
LONG_SILENCE_DAYS = (14, 28, 35)
"""Days without an answer after which we ask the player whether all is well."""


def due_reminders(since: int, due_at: int | None, at: int, sent: frozenset[str]) -> tuple[str, ...]:
    """Return the reminders to send now for an open question: `reminder` or `urgent`, and one for a long silence."""
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

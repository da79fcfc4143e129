"""The clock of one seat: its state when the seat is asked, when it answers, and when it gets more time."""

from __future__ import annotations

from dataclasses import dataclass, replace

from service.db.connection import rows
from service.play.time_control import (
    PRESETS,
    Clock,
    RestDays,
    bank_after_answer,
    bank_after_excuse,
    deadline,
    later_deadline,
)
from service.timestamps import DAY

LEAVES = (
    "select first_day, last_day from leave where player = ? and at <= ? and (cancelled_at is null or cancelled_at > ?) "
    "order by first_day"
)


@dataclass(frozen=True)
class ClockState:
    """State of a clock: the bank, the time it runs from, the time the answer is due, and the completed turns."""

    bank: int
    since: int | None
    due_at: int | None
    turns: int


@dataclass(frozen=True)
class ClockRules:
    """Rules of a clock: the preset, and the days on which this player's clock stops."""

    clock: Clock
    player: str | None
    zone: str
    quiet: bool
    leave: bool
    """True if clocks stop during leave, and on weekends for players who want quiet ones."""
    has_leave: bool = True
    """False if the player has never booked leave. That saves a query."""

    def rest(self, since: int) -> RestDays:
        """Return the rest days for a question whose clock runs since then. Leave booked later does not count."""
        booked = rows(LEAVES, self.player, since, since) if self.leave and self.player and self.has_leave else []
        leaves = tuple((first, last) for first, last in booked)
        return RestDays(self.zone, self.clock.weekends or (self.leave and self.quiet), leaves)


def rules_for(
    preset: str, player: str | None, zone: str | None, *, quiet: bool, leave: bool, has_leave: bool = True
) -> ClockRules:
    """Return the rules of a seat's clock."""
    return ClockRules(PRESETS[preset], player, zone or "UTC", bool(quiet), bool(leave), bool(has_leave))


def stop(shows: ClockState, by: ClockRules, at: int, completed: bool) -> ClockState:
    """Return the clock after its seat answered. Only a completed turn earns the increment."""
    if shows.since is None:
        return replace(shows, due_at=None)
    turn = shows.turns + 1 if completed else None
    bank = bank_after_answer(by.clock, shows.bank, shows.since, at, by.rest(shows.since), turn)
    return ClockState(bank, None, None, shows.turns + completed)


def start(shows: ClockState, by: ClockRules, at: int, old: int | None) -> ClockState:
    """Return the clock when its seat is asked. A later deadline that was already promised is kept."""
    until = deadline(by.clock, shows.bank, at, by.rest(at))
    return replace(shows, since=at, due_at=later_deadline(until, old if old is not None and old > at else None))


def renew_after_excuse(shows: ClockState, by: ClockRules, at: int) -> ClockState:
    """Return the clock after a missed deadline was excused."""
    if by.clock.grace and shows.due_at is not None:
        return replace(shows, since=at, due_at=later_deadline(shows.due_at + by.clock.grace, at + DAY))
    fresh = replace(shows, bank=bank_after_excuse(by.clock))
    return start(fresh, replace(by, clock=replace(by.clock, wait=0)), at, shows.due_at)


def initial_state(by: ClockRules) -> ClockState:
    """Return the clock of a new player."""
    return ClockState(by.clock.bank, None, None, 0)

"""Time as the database has it, so that a process whose machine has a wrong clock ends nobody's turn.

Each process of many takes the time of PostgreSQL, counts on from there by a clock that nobody sets, and asks again
every few seconds. On SQLite there is one machine and one clock, and nothing to do.
"""

from __future__ import annotations

import threading
import time

import structlog

from service.db.connection import DatabaseDown, drop_connections, is_postgres, release_connection, rows
from service.timestamps import TimeSource, system_time

EVERY_SECONDS = 5.0
MOST_OFFSET = 2.0
"""How many seconds the clock of a machine may be off before its operator is told."""
SLOW_ANSWER = 0.5
"""An answer that took longer says too little about the time, in seconds."""
SELECT_TIME = "select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)"
_STEADY_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
log = structlog.get_logger("clock")


def _steady_seconds() -> float:
    """Seconds by a clock that nobody sets, and that goes on while a machine sleeps."""
    return time.clock_gettime(_STEADY_CLOCK)


class DatabaseClock:
    """The time of the database: what it said last, and how long ago that was."""

    def __init__(self) -> None:
        self._anchor = (0, 0.0)
        self._told = False

    def __call__(self) -> int:
        """Milliseconds since 1970-01-01T00:00Z."""
        at, since = self._anchor
        return at + int((_steady_seconds() - since) * 1000)

    def synchronise(self) -> None:
        """Ask the database for its time."""
        before = _steady_seconds()
        ((at,),) = rows(SELECT_TIME)
        after = _steady_seconds()
        took = after - before
        estimate = int(at) + int(took * 500)
        known = self._anchor[1] != 0
        if known and took > SLOW_ANSWER and abs(estimate - self()) < took * 1000:
            return
        self._anchor = (estimate, after)
        self._report_offset()

    def _report_offset(self) -> None:
        off = abs(self.offset) > MOST_OFFSET
        if off and not self._told:
            log.warning("this machine's clock is off; using the time of the database", seconds=self.offset)
        self._told = off

    @property
    def offset(self) -> float:
        """How many seconds the clock of this machine is ahead of the database's."""
        return (system_time() - self()) / 1000


class ClockKeeper(threading.Thread):
    """Asks the database for its time again and again; one that is down is asked again."""

    def __init__(self, clock: DatabaseClock) -> None:
        super().__init__(name="clock", daemon=True)
        self.clock = clock

    def run(self) -> None:
        """Ask until the process ends."""
        while True:
            time.sleep(EVERY_SECONDS)
            try:
                self.clock.synchronise()
                release_connection()
            except DatabaseDown:
                drop_connections()


def use_database_time() -> DatabaseClock | None:
    """Let this process have the time of its database, if that is a server; a test's own time is left alone."""
    if not is_postgres():
        return None
    known = TimeSource.source
    if known is not system_time and not isinstance(known, DatabaseClock):
        return None
    clock = DatabaseClock()
    clock.synchronise()
    TimeSource.source = staticmethod(clock)
    return clock


def keep_database_time() -> None:
    """Let this process have the time of its database for as long as it runs."""
    clock = use_database_time()
    if clock is not None:
        ClockKeeper(clock).start()


def clock_offset() -> float:
    """How many seconds the clock of this machine is ahead of the time that this process uses."""
    known = TimeSource.source
    return known.offset if isinstance(known, DatabaseClock) else 0.0

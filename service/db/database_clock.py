"""The time of the database, so that a machine with a wrong clock ends nobody's turn.

Every process reads PostgreSQL's time, counts on from there by a monotonic clock, and reads it again every few seconds.
With SQLite there is one machine and one clock, so none of this is needed.
"""

from __future__ import annotations

import threading
import time

import structlog

from service.db.connection import DatabaseDown, drop_connections, is_postgres, release_connection, rows
from service.timestamps import TimeSource, system_time

EVERY_SECONDS = 5.0
MOST_OFFSET = 2.0
"""Seconds that a machine's clock may be off before a warning is logged."""
SLOW_ANSWER = 0.5
"""Maximum seconds that an answer may take. The time in a slower one is too inexact."""
SELECT_TIME = "select cast(extract(epoch from clock_timestamp()) * 1000 as bigint)"
_STEADY_CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
log = structlog.get_logger("clock")


def _steady_seconds() -> float:
    """Return seconds of a monotonic clock that also counts while the machine sleeps."""
    return time.clock_gettime(_STEADY_CLOCK)


class DatabaseClock:
    """The time of the database: its last answer plus the time since then."""

    def __init__(self) -> None:
        self._anchor = (0, 0.0)
        self._told = False

    def __call__(self) -> int:
        """Return milliseconds since 1970-01-01T00:00Z."""
        at, since = self._anchor
        return at + int((_steady_seconds() - since) * 1000)

    def synchronise(self) -> None:
        """Read the time of the database."""
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
        """Seconds by which the clock of this machine is ahead of the database's."""
        return (system_time() - self()) / 1000


class ClockKeeper(threading.Thread):
    """A thread that reads the time of the database every few seconds."""

    def __init__(self, clock: DatabaseClock) -> None:
        super().__init__(name="clock", daemon=True)
        self.clock = clock

    def run(self) -> None:
        """Read until the process ends."""
        while True:
            time.sleep(EVERY_SECONDS)
            try:
                self.clock.synchronise()
                release_connection()
            except DatabaseDown:
                drop_connections()


def use_database_time() -> DatabaseClock | None:
    """Use the time of PostgreSQL in this process. Return None with SQLite, or if a test has replaced the time."""
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
    """Use the time of the database for as long as this process runs."""
    clock = use_database_time()
    if clock is not None:
        ClockKeeper(clock).start()


def clock_offset() -> float:
    """Return by how many seconds the clock of this machine is ahead of the time that this process uses."""
    known = TimeSource.source
    return known.offset if isinstance(known, DatabaseClock) else 0.0

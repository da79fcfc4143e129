"""The pace of jobs that come in heaps: done in small parts with rests, by one thread of a process at a time.

A round of thousands of matches must leave most of the machine, and on SQLite of its one writer, to the moves of others.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

from service.db.batches import batched
from service.jobs.queue import RetryLater
from service.timestamps import now

T = TypeVar("T")
PART = 20
"""How many things are done before others have their turn."""
REST = 4.0
"""How long a rest is, as a multiple of the work before it."""
LONGEST_REST = 0.1
TURN = 0.5
"""Seconds that a job is expected to take: those that find another at work come back so far apart."""


class BulkThrottle:
    """Lets one thread at a time in; each that comes meanwhile is told when to come back, none at the same time."""

    def __init__(self) -> None:
        self._inside = threading.Lock()
        self._booking = threading.Lock()
        self._booked = 0.0

    @contextmanager
    def enter(self) -> Iterator[None]:
        """Be alone inside; `RetryLater` where another is, because a thread that waits is missing elsewhere."""
        if not self._inside.acquire(blocking=False):
            raise RetryLater(now() + self._book_turn(), "waiting for other jobs of its kind")
        try:
            yield
        finally:
            self._inside.release()

    def _book_turn(self) -> int:
        """The ms until the next turn that nobody has booked."""
        with self._booking:
            at = time.monotonic()
            self._booked = max(self._booked, at) + TURN
            return int(1000 * (self._booked - at))


_throttle = BulkThrottle()


def do_in_parts(things: Sequence[T], do: Callable[[Sequence[T]], object]) -> None:
    """Do something with all of these, some at a time, and rest after each part; few are done at once.

    To be called by the handler of a job, outside any transaction: where another thread is at such work, the job is
    tried again later.
    """
    if len(things) <= PART:
        do(things)
        return
    with _throttle.enter():
        for part in batched(things, PART):
            began = time.monotonic()
            do(part)
            time.sleep(min(LONGEST_REST, REST * (time.monotonic() - began)))

"""The throttle of bulk jobs: small parts with pauses, in one thread of a process at a time.

A round of thousands of matches must leave most of the machine, and of SQLite's one writer, to players' moves.
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
"""Size of a part."""
REST = 4.0
"""Length of a pause, as a multiple of the work before it."""
LONGEST_REST = 0.1
TURN = 0.5
"""Expected seconds of a job. Jobs that find another one running are retried this far apart."""


class BulkThrottle:
    """A lock for one thread at a time. A job that finds it taken is retried later, each at another time."""

    def __init__(self) -> None:
        self._inside = threading.Lock()
        self._booking = threading.Lock()
        self._booked = 0.0

    @contextmanager
    def enter(self) -> Iterator[None]:
        """Hold the lock. Raise `RetryLater` if another thread has it: a thread that waits is missing elsewhere."""
        if not self._inside.acquire(blocking=False):
            raise RetryLater(now() + self._book_turn(), "waiting for other jobs of its kind")
        try:
            yield
        finally:
            self._inside.release()

    def _book_turn(self) -> int:
        """Return the ms until the next free turn, and book it."""
        with self._booking:
            at = time.monotonic()
            self._booked = max(self._booked, at) + TURN
            return int(1000 * (self._booked - at))


_throttle = BulkThrottle()


def do_in_parts(things: Sequence[T], do: Callable[[Sequence[T]], object]) -> None:
    """Do something with all of these, in parts with pauses; a few are done at once.

    Call from a job handler, outside any transaction. If another thread does bulk work, the job is retried later.
    """
    if len(things) <= PART:
        do(things)
        return
    with _throttle.enter():
        for part in batched(things, PART):
            began = time.monotonic()
            do(part)
            time.sleep(min(LONGEST_REST, REST * (time.monotonic() - began)))

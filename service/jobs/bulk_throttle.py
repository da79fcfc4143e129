"""The throttle of bulk jobs: small parts with pauses, in one thread of a process at a time.

A round of thousands of matches must leave most of the machine, and of SQLite's one writer, free for players' moves.
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
"""Expected seconds of a job. If a job finds another one running, its retry is booked this much later."""


class BulkThrottle:
    """A lock for one thread at a time. Jobs that find it taken are retried later, each at a different time."""

    def __init__(self) -> None:
        self._inside = threading.Lock()
        self._booking = threading.Lock()
        self._booked = 0.0

    @contextmanager
    def enter(self) -> Iterator[None]:
        """Hold the lock. Raise `RetryLater` if another thread has it, since a waiting thread does no other work."""
        if not self._inside.acquire(blocking=False):
            raise RetryLater(now() + self._book_turn(), "waiting for other jobs of its kind")
        try:
            yield
        finally:
            self._inside.release()

    def _book_turn(self) -> int:
        """Book the next free turn. Return the ms until then."""
        with self._booking:
            at = time.monotonic()
            self._booked = max(self._booked, at) + TURN
            return int(1000 * (self._booked - at))


_throttle = BulkThrottle()


def do_in_parts(things: Sequence[T], do: Callable[[Sequence[T]], object]) -> None:
    """Process all items in parts with pauses; a few items are processed at once.

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

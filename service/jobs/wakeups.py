"""Wake-ups: messages that ask another process to look at the database now.

A wake-up carries only ids, and may be lost, repeated or late: a sweep finds the work. The docstring of `worker`
describes the whole flow.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

RESOLVE, RUN_JOBS, SWEEP, READ_EVENTS = "echtra.resolve", "echtra.job", "echtra.sweep", "echtra.events"
"""The requests: resolve matches, run jobs, look for due deliveries, read new events."""


class WakeupChannel:
    """The function that sends wake-ups, installed by every process that has a sender. Until then they are dropped."""

    send: Callable[[str, str], None] = staticmethod(lambda _task, _id: None)


def wake_for_match(match: str) -> None:
    """Ask a worker to resolve a match. Call after the commit."""
    _send(RESOLVE, match)


def wake_for_job(number: int) -> None:
    """Ask a worker to run a job. Call after the commit."""
    _send(RUN_JOBS, str(number))


def wake_sweeper() -> None:
    """Ask a worker to look for due deliveries. Call after the commit."""
    _send(SWEEP, "")


def wake_event_readers() -> None:
    """Ask the web processes to read new events. Call after the commit."""
    _send(READ_EVENTS, "")


def _send(task: str, id_: str) -> None:
    # The transaction is committed: an error here must not look like a failure of the request.
    with suppress(Exception):
        WakeupChannel.send(task, id_)

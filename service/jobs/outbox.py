"""The outbox of jobs: each is written in the transaction of its cause, and done afterwards by a worker."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from service.config import Config
from service.db.connection import db, rows
from service.timestamps import now


@dataclass(frozen=True)
class Job:
    """A job as its handler gets it."""

    id: int
    topic: str
    key: str
    """What the job is known by: there is never a second one with the same key."""
    payload: Mapping[str, Any]
    attempts: int
    """How many times it was tried, this time included."""


JobHandler = Callable[[Job, Config], None]
"""Who does the jobs of a topic; safe to repeat. If it raises, the job is tried again; `RetryLater` says when."""


class RetryLater(Exception):
    """A job that cannot be done now and shall be tried again at a given time."""

    def __init__(self, due_at: int, why: str) -> None:
        super().__init__(why)
        self.due_at = due_at


class HintChannel:
    """Where hints go; the process that knows the worker puts its own function here."""

    send: Callable[[str, str], None] = staticmethod(lambda _task, _what: None)


def hint_resolve(match: str) -> None:
    """Tell a worker that a move was accepted in this match."""
    HintChannel.send("echtra.resolve", match)


def hint_job(number: int) -> None:
    """Tell a worker that there is a job to do."""
    HintChannel.send("echtra.job", str(number))


INSERT = (
    "insert into job "
    "(topic, key, payload, address, due_at, attempts, hint_until, lease_until, lease_token, done_at, last_error) "
    "values (?, ?, ?, ?, ?, 0, 0, 0, '', ?, '') on conflict (key) do nothing returning id"
)


def add(
    topic: str, key: str, payload: Mapping[str, Any], due_at: int | None = None, *, done: bool = False
) -> int | None:
    """Write a job unless one with this key is there; hint at it after the commit. Its number, if it is new.

    The mail address in its payload, if there is one, is written beside it, so that it can be found and forgotten.
    A job that is `done` from the start only takes as long to write as another: what must not be told apart by time.
    """
    at = now()
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    address = payload.get("address")
    inserted = rows(INSERT, topic, key, text, address, at if due_at is None else due_at, at if done else None)
    if not inserted:
        return None
    number: int = inserted[0][0]
    if not done and (due_at is None or due_at <= at):
        db.after_commit(lambda: _hint_safely(number))
    return number


def _hint_safely(number: int) -> None:
    # What was committed stays good whatever becomes of the hint; the sweep finds the job.
    with suppress(Exception):
        hint_job(number)

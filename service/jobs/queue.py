"""The queue of jobs: each is written in the transaction of its cause, and run afterwards by a worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from service.config import Config
from service.db.connection import db, execute, rows, with_rows, write_transaction
from service.jobs import wakeups
from service.jobs.payloads import JobPayload
from service.timestamps import now

Payload = TypeVar("Payload", bound=JobPayload)


@dataclass(frozen=True)
class Job(Generic[Payload]):
    """A job as its handler gets it."""

    id: int
    key: str
    """The unique name of the job: there is never a second one with the same key."""
    payload: Payload
    attempts: int
    """How many times it was tried, including this time."""
    due_at: int = 0
    """When it was due, in ms."""


@dataclass(frozen=True)
class ClaimedJob:
    """A job as a worker claims it, with its payload unread."""

    id: int
    topic: str
    key: str
    payload: str
    attempts: int
    due_at: int = 0


JobHandler = Callable[[ClaimedJob, Config], None]
"""Runs a claimed job. It must be safe to repeat. If it raises, the job is retried; `RetryLater` sets the time."""


def handles(payload: type[Payload], handle: Callable[[Job[Payload], Config], None]) -> tuple[str, JobHandler]:
    """Return the topic of a payload, and a handler that reads the payload of a claimed job and then runs `handle`."""

    def run(job: ClaimedJob, config: Config) -> None:
        handle(Job(job.id, job.key, payload.from_json(job.payload), job.attempts, job.due_at), config)

    return payload.topic, run


class RetryLater(Exception):
    """Raised by a handler to have its job retried at a given time. It does not count as an attempt."""

    def __init__(self, due_at: int, why: str) -> None:
        super().__init__(why)
        self.due_at = due_at


FIRST, BULK = 0, 1
"""The ranks of jobs. `FIRST` is for jobs that somebody waits for; `BULK` is for one of many, run after all of those."""


@dataclass(frozen=True)
class NewJob:
    """A job to be queued."""

    payload: JobPayload
    key: str
    due_at: int | None = None
    """When to run it; at once if None."""
    rank: int = FIRST
    """`BULK` jobs send no wake-up: the sweep starts them, a few at a time."""


JOB_TYPES = dict.fromkeys(("topic", "key", "payload", "address"), "text")
JOB_TYPES |= {"due_at": "bigint", "rank": "int", "done_at": "bigint"}
INSERT = (
    "insert into job (topic, key, payload, address, due_at, rank, done_at, "
    "attempts, woken_until, lease_until, lease_token, last_error) "
    # Without a `where` clause SQLite parses `on conflict` as part of a join.
    "select j.*, 0, 0, 0, '', '' from j where true on conflict (key) do nothing returning id, key"
)


def add(
    payload: JobPayload, key: str, due_at: int | None = None, *, rank: int = FIRST, done: bool = False
) -> int | None:
    """Queue a job unless one with this key exists. Return its id if it is new. Call inside a transaction.

    A job that is `done` from the start never runs. It exists so that writing takes the same time whether or not
    something was queued, and the response time reveals nothing.
    """
    return add_all([NewJob(payload, key, due_at, rank)], done=done).get(key)


def add_all(jobs: Sequence[NewJob], *, done: bool = False) -> dict[str, int]:
    """Queue jobs, except those whose key exists already. Return the ids of the new ones by key.

    The email address in a payload, if any, is stored in a column too, so that erasing an address can find it.
    """
    if not jobs:
        return {}
    at, columns = now(), []
    for job in jobs:
        payload, due_at = job.payload, at if job.due_at is None else job.due_at
        address = getattr(payload, "address", None)
        done_at = at if done else None
        columns.append((payload.topic, job.key, payload.to_json(), address, due_at, job.rank, done_at))
    with_jobs, values = with_rows("j", JOB_TYPES, columns)
    ids = {key: number for number, key in rows(with_jobs + INSERT, *values)}
    for job in jobs:
        if job.key in ids and not done and job.rank == FIRST and (job.due_at is None or job.due_at <= at):
            db.after_commit(partial(wakeups.wake_for_job, ids[job.key]))
    return ids


CANCEL = (
    "update job set done_at = ? from k where job.key = k.key and job.lease_token = '' and job.done_at is null "
    "and job.dead_at is null"
)


def cancel_all(keys: Sequence[str]) -> None:
    """Cancel the jobs with these keys unless a worker has claimed them. Call inside the caller's transaction."""
    if keys:
        with_keys, values = with_rows("k", {"key": "text"}, [(key,) for key in keys])
        execute(with_keys + CANCEL, *values, now())


DROPPED = "dropped by the operator"
LOST_RUNS = "case when lease_until > ? then lost - 1 else lost end"
"""How many runs in a row ended with the death of their worker. A run that still holds its lease is not lost."""
SELECT_UNDONE = (
    f"select id, topic, key, attempts, {LOST_RUNS}, due_at, dead_at, last_error from job where done_at is null "  # noqa: S608  # our own words
    "and (topic = ? or ? = '') and (dead_at is not null or not ?) order by due_at, id limit ?"
)
RETRY = (
    "update job set due_at = ?, woken_until = 0, lease_until = 0, dead_at = null, lost = 0, "
    "attempts = case when dead_at is null then attempts else 0 end where id = ? and done_at is null"
)


def list_undone(topic: str, *, dead: bool, most: int) -> list[tuple[Any, ...]]:
    """Return at most `most` unfinished jobs, earliest due first.

    Each row has id, topic, key, attempts, lost runs, due time, time it was given up, and last error.
    """
    return rows(SELECT_UNDONE, now(), topic, topic, dead, most)


def retry_job(number: int) -> bool:
    """Make a job due now, even if it was given up. Return True if it exists."""
    with write_transaction():
        return execute(RETRY, now(), number) == 1


def retry_dead(topic: str) -> int:
    """Make all given-up jobs due now, of this topic or of all. Return how many."""
    sql = "select id from job where dead_at is not null and done_at is null and (topic = ? or ? = '')"
    return sum(retry_job(number) for (number,) in rows(sql, topic, topic))


def drop_job(number: int) -> bool:
    """Cancel a pending job. The row stays, so that its key cannot be queued again. Return True if there was one."""
    with write_transaction():
        sql = "update job set done_at = ?, dead_at = null, last_error = ? where id = ? and done_at is null"
        return execute(sql, now(), DROPPED, number) == 1

"""The outbox of jobs: each is written in the transaction of its cause, and done afterwards by a worker."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from service.config import Config
from service.db.connection import db, execute, rows, with_rows, write_transaction
from service.jobs import wakeups
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
    """How many times it was tried and ended, this time included."""


JobHandler = Callable[[Job, Config], None]
"""Who does the jobs of a topic; safe to repeat. If it raises, the job is tried again; `RetryLater` says when."""


class RetryLater(Exception):
    """A job that cannot be done now and shall be tried again at a given time."""

    def __init__(self, due_at: int, why: str) -> None:
        super().__init__(why)
        self.due_at = due_at


FIRST, BULK = 0, 1
"""The ranks of jobs: what somebody waits for, and what is one of very many and goes after all of that."""


@dataclass(frozen=True)
class NewJob:
    """A job to be written."""

    topic: str
    key: str
    payload: Mapping[str, Any]
    due_at: int | None = None
    """When to do it; at once where None."""
    rank: int = FIRST
    """Whether somebody waits for it; workers are told of `BULK` jobs by the sweep alone, a few at a time."""


JOB_TYPES = dict.fromkeys(("topic", "key", "payload", "address"), "text")
JOB_TYPES |= {"due_at": "bigint", "rank": "int", "done_at": "bigint"}
INSERT = (
    "insert into job (topic, key, payload, address, due_at, rank, done_at, "
    "attempts, woken_until, lease_until, lease_token, last_error) "
    # Without a condition SQLite takes what follows for a join.
    "select j.*, 0, 0, 0, '', '' from j where true on conflict (key) do nothing returning id, key"
)


def add(
    topic: str,
    key: str,
    payload: Mapping[str, Any],
    due_at: int | None = None,
    *,
    rank: int = FIRST,
    done: bool = False,
) -> int | None:
    """Write a job unless one with this key is there; hint at it after the commit. Its number, if it is new.

    A job that is `done` from the start only takes as long to write as another: what must not be told apart by time.
    """
    return add_all([NewJob(topic, key, payload, due_at, rank)], done=done).get(key)


def add_all(jobs: Sequence[NewJob], *, done: bool = False) -> dict[str, int]:
    """Write jobs, each unless one with its key is there; the numbers of the new ones by their keys.

    The mail address in a payload, if there is one, is written beside it, so that it can be found and forgotten.
    """
    if not jobs:
        return {}
    at, columns = now(), []
    for job in jobs:
        text = json.dumps(job.payload, ensure_ascii=False, separators=(",", ":"))
        due_at = at if job.due_at is None else job.due_at
        columns.append((job.topic, job.key, text, job.payload.get("address"), due_at, job.rank, at if done else None))
    with_jobs, values = with_rows("j", JOB_TYPES, columns)
    numbers = {key: number for number, key in rows(with_jobs + INSERT, *values)}
    for job in jobs:
        if job.key in numbers and not done and job.rank == FIRST and (job.due_at is None or job.due_at <= at):
            db.after_commit(partial(wakeups.wake_for_job, numbers[job.key]))
    return numbers


CANCEL = (
    "update job set done_at = ? from k where job.key = k.key and job.lease_token = '' and job.done_at is null "
    "and job.dead_at is null"
)


def cancel_all(keys: Sequence[str]) -> None:
    """Let the jobs with these keys that no worker has begun never be done, inside the transaction of the cause."""
    if keys:
        with_keys, values = with_rows("k", {"key": "text"}, [(key,) for key in keys])
        execute(with_keys + CANCEL, *values, now())


DROPPED = "dropped by the operator"
LOST_RUNS = "case when lease_until > ? then lost - 1 else lost end"
"""How many runs in a row were lost with their worker: one that runs now is not lost yet."""
SELECT_UNDONE = (
    f"select id, topic, key, attempts, {LOST_RUNS}, due_at, dead_at, last_error from job where done_at is null "  # noqa: S608  # our own words
    "and (topic = ? or ? = '') and (dead_at is not null or not ?) order by due_at, id limit ?"
)
RETRY = (
    "update job set due_at = ?, woken_until = 0, lease_until = 0, dead_at = null, lost = 0, "
    "attempts = case when dead_at is null then attempts else 0 end where id = ? and done_at is null"
)


def list_undone(topic: str, *, dead: bool, most: int) -> list[tuple[Any, ...]]:
    """Jobs that are not done, the longest due first.

    Of each number, topic, key, attempts, runs lost with their worker, due, given up at, last error.
    """
    return rows(SELECT_UNDONE, now(), topic, topic, dead, most)


def retry_job(number: int) -> bool:
    """Let a job that waits or was given up be done now; whether there is one."""
    with write_transaction():
        return execute(RETRY, now(), number) == 1


def retry_dead(topic: str) -> int:
    """Let every job that was given up, of this topic or of all, be done now; how many."""
    sql = "select id from job where dead_at is not null and done_at is null and (topic = ? or ? = '')"
    return sum(retry_job(number) for (number,) in rows(sql, topic, topic))


def drop_job(number: int) -> bool:
    """Let a job that is not done never be done; it stays in the ledger, so that its cause cannot ask for it again."""
    with write_transaction():
        sql = "update job set done_at = ?, dead_at = null, last_error = ? where id = ? and done_at is null"
        return execute(sql, now(), DROPPED, number) == 1

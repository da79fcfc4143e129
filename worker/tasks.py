"""The tasks: resolve matches, do jobs; each safe to repeat and to lose."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import uniform
from threading import Lock

import structlog
from celery import Celery

from service import ids
from service.config import Config
from service.db import connection
from service.db.connection import DatabaseDown, drop_connections, execute, rows, write_transaction
from service.jobs.outbox import Job, JobHandler, RetryLater
from service.play.notify import make_effects
from service.play.resolve import Think, resolve_match
from service.timestamps import now
from worker.celery_app import JOB_TASK, RESOLVE_TASK
from worker.hints import WaitingHints

LEASE_MS = 60_000
MOST_CLOCK_SKEW = 600_000
"""How far, in ms, the clocks of workers may be apart before a lease from the future counts as one from the past."""
MOST_TRIES = 12
FIRST_WAIT = 2_000
LONGEST_WAIT = 3_600_000
# A lease much further ahead than any reaches is from before the clock was put back.
CLAIM_JOB = (
    "update job set lease_until = ?, lease_token = ?, attempts = attempts + 1 where id = ? and done_at is null "
    "and dead_at is null and due_at <= ? and (lease_until < ? or lease_until > ?) "
    "returning topic, key, payload, attempts"
)
log = structlog.get_logger("worker")


@contextmanager
def task_connection(**what: str) -> Iterator[None]:
    """A task that hands its connection on, unless it broke; the sweep brings its work back."""
    try:
        yield
    except DatabaseDown as error:
        log.warning("database", error=str(error).strip(), **what)
        drop_connections()
    except Exception:
        log.exception("task failed", **what)
        drop_connections()
    finally:
        connection.release_connection()


def register_tasks(app: Celery, config: Config, handlers: Mapping[str, JobHandler], think: Think) -> None:
    """Give the app its tasks; bots that take long are asked by `think`."""
    locks, known = MatchLocks(), WaitingHints(app)

    @app.task(name=RESOLVE_TASK, shared=False)
    def _resolve(matches: list[str]) -> None:
        known.remove(RESOLVE_TASK, matches)  # first: what is accepted from now on needs a hint of its own
        for match in matches:
            with task_connection(match=match), locks.lock(match) as is_wanted:
                while is_wanted():
                    resolve_match(match, make_effects(config), config.most_entries, think)

    @app.task(name=JOB_TASK, shared=False)
    def _run_jobs(numbers: list[str]) -> None:
        known.remove(JOB_TASK, numbers)
        for number in numbers:
            with task_connection(job=number):
                run_job(int(number), config, handlers)


class MatchLocks:
    """Lets one thread of this process resolve a match; one that comes meanwhile asks for another round and goes."""

    def __init__(self) -> None:
        self._requested: dict[str, bool] = {}
        self._lock = Lock()

    @contextmanager
    def lock(self, match: str) -> Iterator[Callable[[], bool]]:
        """Give a function that says whether to resolve now: once, and again for each thread that came meanwhile."""
        with self._lock:
            held = match in self._requested
            self._requested[match] = True
        if held:
            yield lambda: False
            return
        try:
            yield lambda: self._take_request(match)
        except BaseException:
            with self._lock:
                del self._requested[match]
            raise

    def _take_request(self, match: str) -> bool:
        with self._lock:
            if self._requested[match]:
                self._requested[match] = False
                return True
            # Given up in the same breath, so that nobody asks one who has gone.
            del self._requested[match]
            return False


def run_job(number: int, config: Config, handlers: Mapping[str, JobHandler]) -> bool:
    """Claim a job, do it outside any transaction, and mark it done unless somebody else took it meanwhile."""
    token = ids.new_id()
    job = _claim_job(number, token)
    if job is None:
        return False
    if job.attempts > MOST_TRIES:
        _mark_dead(job, token, "its last try did not end; the worker may have died of it")
        return False
    try:
        if job.topic not in handlers:
            raise RetryLater(now() + LONGEST_WAIT, f"no worker here knows what to do about {job.topic}")  # noqa: TRY301  # as a handler would
        handlers[job.topic](job, config)
    except RetryLater as later:
        _retry_job(job, token, later.due_at, str(later), attempts=job.attempts - 1)
    except DatabaseDown:
        raise
    except Exception as error:
        log.exception("job failed", job=number, topic=job.topic, attempts=job.attempts)
        _record_failure(job, token, f"{type(error).__name__}: {error}")
    else:
        with write_transaction():
            execute("update job set done_at = ? where id = ? and lease_token = ?", now(), number, token)
        return True
    return False


def _claim_job(number: int, token: str) -> Job | None:
    """Lease a due job to the holder of this token; nothing if it is done, not due yet, or leased to another."""
    at = now()
    with write_transaction():
        claimed = rows(CLAIM_JOB, at + LEASE_MS, token, number, at, at, at + LEASE_MS + MOST_CLOCK_SKEW)
    for topic, key, payload, attempts in claimed:
        return Job(number, topic, key, json.loads(payload), attempts)
    return None


def release_leases() -> None:
    """Let go of every job that was in work when the only process there is was killed."""
    with write_transaction():
        execute("update job set lease_until = 0, hint_until = 0 where done_at is null and lease_until + hint_until > 0")


def _retry_job(job: Job, token: str, due_at: int, why: str, attempts: int) -> None:
    sql = (
        "update job set due_at = ?, lease_until = 0, hint_until = 0, last_error = ?, attempts = ? "
        "where id = ? and lease_token = ?"
    )
    with write_transaction():
        execute(sql, due_at, why[:500], attempts, job.id, token)


def _record_failure(job: Job, token: str, why: str) -> None:
    if job.attempts >= MOST_TRIES:
        _mark_dead(job, token, why)
    else:
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2**job.attempts) * uniform(0.8, 1.2)  # noqa: S311  # spreads retries
        _retry_job(job, token, now() + int(wait), why, job.attempts)


def _mark_dead(job: Job, token: str, why: str) -> None:
    sql = "update job set dead_at = ?, last_error = ? where id = ? and lease_token = ?"
    with write_transaction():
        execute(sql, now(), why[:500], job.id, token)

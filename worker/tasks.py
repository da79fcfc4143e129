"""The tasks: resolve matches, run jobs. Each is safe to repeat and to lose."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import islice
from random import uniform
from threading import Lock, get_ident

import structlog
from celery import Celery

from service import ids
from service.config import Config
from service.db import connection
from service.db.connection import DatabaseDown, drop_connections, execute, rows, write_transaction
from service.jobs import wakeups
from service.jobs.queue import ClaimedJob, JobHandler, RetryLater
from service.jobs.work_metrics import RESOLVE_SECONDS
from service.play.notify import make_effects
from service.play.resolve import Effects, Resolution, Think, resolve_match, resolve_together
from service.timestamps import now

MOST_TOGETHER = 50
"""Maximum number of matches resolved in one transaction."""
STALL_SECONDS = 1.0
"""Seconds at one batch after which a thread counts as stuck, and another thread resolves the other matches."""
LEASE_MS = 60_000
MOST_CLOCK_SKEW = 600_000
"""Maximum difference, in ms, between the clocks of workers. A lease that ends later than that counts as expired."""
MOST_TRIES = 12
FIRST_WAIT = 2_000
LONGEST_WAIT = 3_600_000
MOST_LOST = 36
"""Number of runs that may die with their worker before a job is given up. With the waits that is half a day."""
FIRST_WAIT_AFTER_LOSS = 100
LOSS_GROWTH = 1.5
# A lease that ends later than is possible was set before the clock was put back.
CLAIM_JOB = (
    "update job set lease_until = ?, lease_token = ?, lost = lost + 1 where id = ? and done_at is null "
    "and dead_at is null and due_at <= ? and (lease_until < ? or lease_until > ?) "
    "returning topic, key, payload, attempts, lost, due_at"
)
log = structlog.get_logger("worker")


@contextmanager
def task_connection(**what: str) -> Iterator[None]:
    """Run the body of a task and log its error. Return the connection to the pool, or drop it if it broke."""
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


def register_tasks(
    app: Celery,
    config: Config,
    handlers: Mapping[str, JobHandler],
    resolver: MatchResolver,
    wake_sweeper: Callable[[], None],
) -> None:
    """Register the tasks, which receive the wake-ups, with the app."""

    @app.task(name=wakeups.RESOLVE, shared=False)
    def _resolve(matches: list[str]) -> None:
        resolver.resolve(matches)

    @app.task(name=wakeups.RUN_JOBS, shared=False)
    def _run_jobs(numbers: list[str]) -> None:
        for number in numbers:
            with task_connection(job=number):
                run_job(int(number), config, handlers)

    @app.task(name=wakeups.SWEEP, shared=False)
    def _sweep(_ids: list[str]) -> None:
        wake_sweeper()


def measure_resolutions(effects: Effects) -> Effects:
    """Return effects that also measure, after the commit, how long accepted moves waited to be resolved."""

    def write_all(resolutions: Sequence[Resolution]) -> None:
        effects(resolutions)
        accepted = [each.before.at for each in resolutions if each.whole]
        connection.db.after_commit(partial(_observe_waits, accepted))

    return write_all


def _observe_waits(accepted: Sequence[int]) -> None:
    for at in accepted:
        RESOLVE_SECONDS.observe(max(0, now() - at) / 1000)


class MatchResolver:
    """Resolves matches in this process: many in one transaction, or one by one if that fails.

    One thread resolves. Other threads leave their matches to it, so that matches that arrive together share a
    transaction.
    """

    def __init__(self, config: Config, think: Think) -> None:
        self.config = config
        self.think = think
        self.effects = measure_resolutions(make_effects(config))
        self.waiting = WaitingMatches()

    def resolve(self, matches: Sequence[str]) -> None:
        """Resolve these matches, or leave them to the thread that is resolving others."""
        self.waiting.add(matches)
        while batch := self.waiting.take(MOST_TOGETHER):
            unfinished: Sequence[str] = ()
            try:
                unfinished = self._resolve_together(batch)
            finally:
                self.waiting.finish(batch, unfinished)

    def _resolve_together(self, matches: list[str]) -> list[str]:
        """Resolve as many of these as there is time for. Return the rest."""
        with task_connection(matches=str(len(matches))):
            try:
                unfinished = resolve_together(matches, self.effects, self.config.most_entries, self.think)
            except DatabaseDown:
                raise
            except Exception:
                # One bad match must not hold up the rest. Resolved alone, it shows its own error.
                log.exception("resolving a batch of matches failed", matches=len(matches))
                unfinished = matches
            if len(unfinished) < len(matches):
                return unfinished
            self._resolve_one_by_one(matches)
        return []

    def _resolve_one_by_one(self, matches: Sequence[str]) -> None:
        for match in matches:
            with task_connection(match=match):
                resolve_match(match, self.effects, self.config.most_entries, self.think)


class WaitingMatches:
    """Matches that this process was asked to resolve, and those that a thread is resolving now.

    No match is resolved by two threads at once. A match that is added while it is being resolved is resolved again.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: dict[str, None] = {}
        self._held: set[str] = set()
        self._busy_since: dict[int, float] = {}
        """The time at which each thread took the batch it is resolving."""

    def add(self, matches: Sequence[str]) -> None:
        """Add matches to resolve."""
        with self._lock:
            self._waiting.update(dict.fromkeys(matches))

    def take(self, most: int) -> list[str]:
        """Take the matches that have waited longest, at most `most`. Take none while another thread makes progress."""
        with self._lock:
            # A second thread would gain nothing, unless the first one is stuck at a match.
            if any(time.monotonic() - since < STALL_SECONDS for since in self._busy_since.values()):
                return []
            batch = list(islice((match for match in self._waiting if match not in self._held), most))
            for match in batch:
                del self._waiting[match]
            if batch:
                self._held.update(batch)
                self._busy_since[get_ident()] = time.monotonic()
            return batch

    def finish(self, batch: Sequence[str], unfinished: Sequence[str]) -> None:
        """Release matches that were taken, and queue those again that were not resolved."""
        with self._lock:
            self._held.difference_update(batch)
            self._busy_since.pop(get_ident(), None)
            self._waiting.update(dict.fromkeys(unfinished))


def run_job(number: int, config: Config, handlers: Mapping[str, JobHandler]) -> bool:
    """Claim a job, run it outside any transaction, and mark it done unless another worker has claimed it since.

    Return True if it is done.
    """
    token = ids.new_id()
    job = _claim_job(number, token)
    if job is None:
        return False
    try:
        if job.topic not in handlers:
            raise RetryLater(now() + LONGEST_WAIT, f"no handler for the topic {job.topic} in this worker")  # noqa: TRY301  # as a handler would
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


def _claim_job(number: int, token: str) -> ClaimedJob | None:
    """Lease a due job to the holder of this token. Return None if it is done, not due, or leased to another.

    A run counts as lost until it reports. A job whose runs were lost may be what kills its worker, so the wait before
    each further run grows, and in the end the job is given up.
    """
    at = now()
    with write_transaction():
        claimed = rows(CLAIM_JOB, at + LEASE_MS, token, number, at, at, at + LEASE_MS + MOST_CLOCK_SKEW)
        for topic, key, payload, attempts, lost, due_at in claimed:
            if lost > MOST_LOST:
                sql = "update job set dead_at = ?, lost = ?, lease_until = 0 where id = ?"
                execute(sql, at, MOST_LOST, number)
                return None
            if lost > 1:
                log.warning("worker died while running this job", job=number, topic=topic, lost=lost - 1)
                execute("update job set due_at = ? where id = ?", at + wait_after_losses(lost - 1), number)
            return ClaimedJob(number, topic, key, payload, attempts + 1, due_at)
    return None


def wait_after_losses(lost: int) -> int:
    """Return how long, in ms, a job waits after this many lost runs if the next one is lost too."""
    return int(min(LONGEST_WAIT, FIRST_WAIT_AFTER_LOSS * LOSS_GROWTH**lost))


def release_leases() -> None:
    """Release all leases. Call at the start of the only process: whoever held them was killed."""
    with write_transaction():
        execute(
            "update job set lease_until = 0, woken_until = 0 where done_at is null and lease_until + woken_until > 0"
        )


def _retry_job(job: ClaimedJob, token: str, due_at: int, why: str, attempts: int) -> None:
    sql = (
        "update job set due_at = ?, lease_until = 0, woken_until = 0, last_error = ?, attempts = ?, lost = 0 "
        "where id = ? and lease_token = ?"
    )
    with write_transaction():
        execute(sql, due_at, why[:500], attempts, job.id, token)


def _record_failure(job: ClaimedJob, token: str, why: str) -> None:
    if job.attempts >= MOST_TRIES:
        sql = "update job set dead_at = ?, last_error = ?, attempts = ?, lost = 0 where id = ? and lease_token = ?"
        with write_transaction():
            execute(sql, now(), why[:500], job.attempts, job.id, token)
    else:
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2**job.attempts) * uniform(0.8, 1.2)  # noqa: S311  # spreads retries
        _retry_job(job, token, now() + int(wait), why, job.attempts)

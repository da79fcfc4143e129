"""The tasks: resolve matches, do jobs; each safe to repeat and to lose."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import uniform
from threading import Lock

import structlog
from celery import Celery

from service import ids
from service.config import Config
from service.db import connection
from service.db.connection import DatabaseDown, drop_connections, execute, rows, write_transaction
from service.jobs.queue import ClaimedJob, JobHandler, RetryLater
from service.play.notify import make_effects
from service.play.resolve import Think, resolve_match, resolve_together
from service.timestamps import now
from worker.celery_app import JOB_TASK, RESOLVE_TASK
from worker.match_queue import MatchQueue
from worker.wakeups import WaitingJobs, send_task

MOST_TOGETHER = 50
"""How many matches are resolved in one transaction."""
MOST_SECONDS_AT_QUEUE = 5.0
STALL_SECONDS = 1.0
"""After so long without a sign of it another thread comes to the queue."""
LEASE_MS = 60_000
MOST_CLOCK_SKEW = 600_000
"""How far, in ms, the clocks of workers may be apart before a lease from the future counts as one from the past."""
MOST_TRIES = 12
FIRST_WAIT = 2_000
LONGEST_WAIT = 3_600_000
MOST_LOST = 36
"""So many runs in a row may be lost with their worker before a job is given up: with the waits, half a day of them."""
FIRST_WAIT_AFTER_LOSS = 100
LOSS_GROWTH = 1.5
# A lease much further ahead than any reaches is from before the clock was put back.
CLAIM_JOB = (
    "update job set lease_until = ?, lease_token = ?, lost = lost + 1 where id = ? and done_at is null "
    "and dead_at is null and due_at <= ? and (lease_until < ? or lease_until > ?) "
    "returning topic, key, payload, attempts, lost"
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


def register_tasks(
    app: Celery, config: Config, handlers: Mapping[str, JobHandler], think: Think, queue: MatchQueue
) -> MatchResolver:
    """Give the app its tasks; bots that take long are asked by `think`. Who resolves matches in this process."""
    resolver, known, progress = MatchResolver(config, think), WaitingJobs(app), QueueProgress()

    @app.task(name=RESOLVE_TASK, shared=False)
    def _resolve() -> None:
        if progress.is_recent:
            return  # a second thread would add nothing; the call lapses, and the next may reach another process
        worker, until = ids.new_id(), time.monotonic() + MOST_SECONDS_AT_QUEUE
        queue.enter(worker)
        while True:
            progress.note()
            matches = queue.take(worker, MOST_TOGETHER)
            progress.note()
            resolver.resolve(matches)
            if matches and time.monotonic() < until:
                continue
            progress.end()  # before it is said that nobody is here: who is called then must find the place free
            if matches:
                queue.hand_over(worker)
                send_task(app, RESOLVE_TASK)  # whoever is there goes on: a worker that stops must get to its end
                return
            if queue.leave(worker):
                return

    @app.task(name=JOB_TASK, shared=False)
    def _run_jobs(numbers: list[str]) -> None:
        known.remove(numbers)
        for number in numbers:
            with task_connection(job=number):
                run_job(int(number), config, handlers)

    return resolver


class QueueProgress:
    """Whether a thread of this process is at the queue of matches and gets on."""

    def __init__(self) -> None:
        self._at: float | None = None

    def note(self) -> None:
        """Say that the thread is about to do something more."""
        self._at = time.monotonic()

    def end(self) -> None:
        """Say that the thread goes."""
        self._at = None

    @property
    def is_recent(self) -> bool:
        """Whether it got on just now; one that hangs must not keep another from coming."""
        return self._at is not None and time.monotonic() - self._at < STALL_SECONDS


class MatchResolver:
    """Resolves matches in this process: many in one transaction, and each by itself where that does not work."""

    def __init__(self, config: Config, think: Think) -> None:
        self.config = config
        self.think = think
        self.effects = make_effects(config)
        self.locks = MatchLocks()

    def resolve(self, matches: Sequence[str]) -> None:
        """Play these matches on; what another thread of this process is at, that thread does once more."""
        mine = [match for match in matches if self.locks.acquire(match)]
        while mine:
            try:
                through = self._resolve_together(mine)
            except BaseException:
                for match in mine:
                    self.locks.give_up(match)
                raise
            mine = [match for match in mine if match not in through or not self.locks.release(match)]

    def _resolve_together(self, matches: list[str]) -> set[str]:
        """Resolve what there is time for; the matches for which nothing is left to do now."""
        with task_connection(matches=str(len(matches))):
            try:
                left = resolve_together(matches, self.effects, self.config.most_entries, self.think)
            except DatabaseDown:
                raise
            except Exception:
                # One that cannot be resolved must not keep the others from it; alone it says what is wrong.
                log.exception("resolving a batch of matches failed", matches=len(matches))
                left = matches
            if len(left) == len(matches):
                return self._resolve_one_by_one(matches)
            return set(matches).difference(left)
        return set(matches)

    def _resolve_one_by_one(self, matches: Sequence[str]) -> set[str]:
        for match in matches:
            with task_connection(match=match):
                resolve_match(match, self.effects, self.config.most_entries, self.think)
        return set(matches)


class MatchLocks:
    """Lets one thread of this process resolve a match; one that comes meanwhile asks for another round and goes."""

    def __init__(self) -> None:
        self._requested: dict[str, bool] = {}
        self._lock = Lock()

    def acquire(self, match: str) -> bool:
        """Take a match; false if another thread has it, which will then resolve it once more."""
        with self._lock:
            is_held = match in self._requested
            self._requested[match] = is_held
            return not is_held

    def release(self, match: str) -> bool:
        """Let a match go; false if another thread came for it: it stays held, to be resolved once more."""
        with self._lock:
            if self._requested[match]:
                self._requested[match] = False
                return False
            # Let go in the same breath, so that nobody asks one who has gone.
            del self._requested[match]
            return True

    def give_up(self, match: str) -> None:
        """Let a match go, whoever wants it."""
        with self._lock:
            self._requested.pop(match, None)


def run_job(number: int, config: Config, handlers: Mapping[str, JobHandler]) -> bool:
    """Claim a job, do it outside any transaction, and mark it done unless somebody else took it meanwhile."""
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
    """Lease a due job to the holder of this token; nothing if it is done, not due yet, or leased to another.

    A run counts as lost until it reports. A job whose runs were lost before is due again later and later, and in the
    end given up: it may be what kills its worker. A worker that others kill loses the same job a few times only.
    """
    at = now()
    with write_transaction():
        claimed = rows(CLAIM_JOB, at + LEASE_MS, token, number, at, at, at + LEASE_MS + MOST_CLOCK_SKEW)
        for topic, key, payload, attempts, lost in claimed:
            if lost > MOST_LOST:
                sql = "update job set dead_at = ?, lost = ?, lease_until = 0 where id = ?"
                execute(sql, at, MOST_LOST, number)
                return None
            if lost > 1:
                log.warning("worker died while running this job", job=number, topic=topic, lost=lost - 1)
                execute("update job set due_at = ? where id = ?", at + wait_after_losses(lost - 1), number)
            return ClaimedJob(number, topic, key, payload, attempts + 1)
    return None


def wait_after_losses(lost: int) -> int:
    """How long, in ms, a job waits that was lost so many times and is lost once more."""
    return int(min(LONGEST_WAIT, FIRST_WAIT_AFTER_LOSS * LOSS_GROWTH**lost))


def release_leases() -> None:
    """Let go of every job that was in work when the only process there is was killed."""
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
        _mark_dead(job, token, why)
    else:
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2**job.attempts) * uniform(0.8, 1.2)  # noqa: S311  # spreads retries
        _retry_job(job, token, now() + int(wait), why, job.attempts)


def _mark_dead(job: ClaimedJob, token: str, why: str) -> None:
    sql = "update job set dead_at = ?, last_error = ?, attempts = ?, lost = 0 where id = ? and lease_token = ?"
    with write_transaction():
        execute(sql, now(), why[:500], job.attempts, job.id, token)

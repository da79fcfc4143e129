"""The tasks: resolve a match, do a job; each safe to repeat and to lose."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from random import uniform
from threading import Lock
from typing import Any

import structlog
from celery import Celery

from service import ids
from service.config import Config
from service.db import connection
from service.db.connection import DatabaseDown, drop_connections, execute, rows, write_transaction
from service.jobs.outbox import RetryLater
from service.play.notify import make_effects
from service.play.resolve import resolve_match
from service.timestamps import now
from worker.celery_app import JOB_TASK, RESOLVE_TASK

LEASE_MS = 60_000
MOST_CLOCK_SKEW = 600_000
"""How far, in ms, the clocks of workers may be apart before a lease from the future counts as one from the past."""
MOST_TRIES = 12
FIRST_WAIT = 2_000
LONGEST_WAIT = 3_600_000
JobHandler = Callable[[Mapping[str, Any], Config], None]
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


def register_tasks(app: Celery, config: Config, topics: Mapping[str, JobHandler]) -> None:
    """Give the app its tasks."""
    one = MatchLocks()

    @app.task(name=RESOLVE_TASK, shared=False)
    def _resolve(match: str) -> None:
        with task_connection(match=match), one.at(match) as mine:
            while mine():
                resolve_match(match, make_effects(config), config.most_entries)

    @app.task(name=JOB_TASK, shared=False)
    def _job(number: str) -> None:
        with task_connection(job=number):
            run_job(int(number), config, topics)


class MatchLocks:
    """Lets one thread of this process resolve a match; others who come meanwhile leave word and go."""

    def __init__(self) -> None:
        self._again: dict[str, bool] = {}
        self._lock = Lock()

    @contextmanager
    def at(self, match: str) -> Iterator[Callable[[], bool]]:
        """Gives a function that says whether to resolve now: once, and again for whoever left word."""
        with self._lock:
            held = match in self._again
            self._again[match] = True
        if held:
            yield lambda: False
            return
        try:
            yield lambda: self._more(match)
        except BaseException:
            with self._lock:
                del self._again[match]
            raise

    def _more(self, match: str) -> bool:
        with self._lock:
            if self._again[match]:
                self._again[match] = False
                return True
            # Given up in the same breath, so that nobody leaves word with one who has gone.
            del self._again[match]
            return False


def run_job(number: int, config: Config, topics: Mapping[str, JobHandler]) -> bool:
    """Claim a job, do it outside any transaction, and mark it done unless somebody else took it meanwhile."""
    token, at = ids.new_id(), now()
    # A lease much further ahead than any reaches is from before the clock was put back.
    sql = (
        "update job set lease_until = ?, lease_token = ?, attempts = attempts + 1 where id = ? and done_at is null "
        "and dead_at is null and due_at <= ? and (lease_until < ? or lease_until > ?)"
    )
    with write_transaction():
        if execute(sql, at + LEASE_MS, token, number, at, at, at + LEASE_MS + MOST_CLOCK_SKEW) != 1:
            return False
    ((topic, payload, attempts),) = rows("select topic, payload, attempts from job where id = ?", number)
    if attempts > MOST_TRIES:
        _mark_dead(number, token, "its last try did not end; the worker may have died of it")
        return False
    try:
        if topic not in topics:
            raise RetryLater(at + LONGEST_WAIT, f"no worker here knows what to do about {topic}")  # noqa: TRY301  # as a topic would
        topics[topic](json.loads(payload), config)
    except RetryLater as later:
        _retry_job(number, token, later.due_at, str(later), tries=attempts - 1)
    except DatabaseDown:
        raise
    except Exception as error:
        log.exception("job failed", job=number, topic=topic, attempts=attempts)
        _record_failure(number, token, attempts, f"{type(error).__name__}: {error}")
    else:
        with write_transaction():
            execute("update job set done_at = ? where id = ? and lease_token = ?", now(), number, token)
        return True
    return False


def release_leases() -> None:
    """Let go of every job that was in work when the only process there is was killed."""
    with write_transaction():
        execute("update job set lease_until = 0, hint_until = 0 where done_at is null and lease_until + hint_until > 0")


def _retry_job(number: int, token: str, due_at: int, why: str, tries: int) -> None:
    sql = (
        "update job set due_at = ?, lease_until = 0, hint_until = 0, last_error = ?, attempts = ? "
        "where id = ? and lease_token = ?"
    )
    with write_transaction():
        execute(sql, due_at, why[:500], tries, number, token)


def _record_failure(number: int, token: str, attempts: int, why: str) -> None:
    if attempts >= MOST_TRIES:
        _mark_dead(number, token, why)
    else:
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2**attempts) * uniform(0.8, 1.2)  # noqa: S311  # spreads retries
        _retry_job(number, token, now() + int(wait), why, attempts)


def _mark_dead(number: int, token: str, why: str) -> None:
    with write_transaction():
        execute(
            "update job set dead_at = ?, last_error = ? where id = ? and lease_token = ?",
            now(),
            why[:500],
            number,
            token,
        )

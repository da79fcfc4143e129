"""The tasks: resolve a match, do a job; each safe to repeat and to lose."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import structlog
from celery import Celery

from service import chosen
from service.config import Config
from service.database import Down, forget, rows, run, writing
from service.moment import now
from worker.app import JOB, RESOLVE
from worker.effects import effects
from worker.resolve import resolve

LEASE = 60_000
MOST_TRIES = 12
FIRST_WAIT = 2_000
LONGEST_WAIT = 3_600_000
Doing = Callable[[Mapping[str, Any], Config], None]
log = structlog.get_logger("worker")


class Later(Exception):
    """A job that cannot be done now and shall be tried again at a given time."""

    def __init__(self, due_at: int, why: str) -> None:
        super().__init__(why)
        self.due_at = due_at


@contextmanager
def connected() -> Iterator[None]:
    """A task that leaves no broken connection behind for the next one."""
    try:
        yield
    except Down:
        forget()
        raise


def register(app: Celery, config: Config, topics: Mapping[str, Doing]) -> None:
    """Give the app its tasks."""

    @app.task(name=RESOLVE)
    def _resolve(match: str) -> None:
        with connected():
            resolve(match, effects(config), config.most_entries)

    @app.task(name=JOB)
    def _job(number: str) -> None:
        with connected():
            do(int(number), config, topics)


def do(number: int, config: Config, topics: Mapping[str, Doing]) -> bool:
    """Claim a job, do it outside any transaction, and mark it done unless somebody else took it meanwhile."""
    token, at = chosen.name(), now()
    sql = (
        "update job set lease_until = ?, lease_token = ?, attempts = attempts + 1 where id = ? and done_at is null "
        "and dead_at is null and due_at <= ? and lease_until < ?"
    )
    with writing():
        if run(sql, at + LEASE, token, number, at, at) != 1:
            return False
    ((topic, payload, attempts),) = rows("select topic, payload, attempts from job where id = ?", number)
    try:
        topics[topic](json.loads(payload), config)
    except Later as later:
        _again(number, token, later.due_at, str(later))
    except Down:
        raise
    except Exception as error:
        log.exception("job failed", job=number, topic=topic, attempts=attempts)
        _failed(number, token, attempts, f"{type(error).__name__}: {error}")
    else:
        with writing():
            run("update job set done_at = ? where id = ? and lease_token = ?", now(), number, token)
        return True
    return False


def _again(number: int, token: str, due_at: int, why: str) -> None:
    sql = "update job set due_at = ?, lease_until = 0, hint_until = 0, last_error = ? where id = ? and lease_token = ?"
    with writing():
        run(sql, due_at, why[:500], number, token)


def _failed(number: int, token: str, attempts: int, why: str) -> None:
    if attempts >= MOST_TRIES:
        with writing():
            sql = "update job set dead_at = ?, last_error = ? where id = ? and lease_token = ?"
            run(sql, now(), why[:500], number, token)
        return
    _again(number, token, now() + min(LONGEST_WAIT, FIRST_WAIT * 2**attempts), why)

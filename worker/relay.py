"""The relay: a thread in every worker that finds what is to be done and hints at it, and keeps the clocks."""

from __future__ import annotations

import threading
from collections.abc import Callable

import structlog
from celery import Celery

from service.config import Config
from service.database import Down, forget, is_postgres, rows, run, writing
from service.moment import now
from worker.app import JOB, RESOLVE, hint

WINDOW = 200
HINT = 5_000
log = structlog.get_logger("relay")


class Relay(threading.Thread):
    """Looks for work at short intervals until it is stopped."""

    def __init__(self, app: Celery, config: Config, chores: dict[str, tuple[int, Callable[[Config], None]]]) -> None:
        super().__init__(name="relay", daemon=True)
        self.app = app
        self.config = config
        self.chores = chores
        """What is done by the clock: name, how often in milliseconds, and what."""
        self.next = dict.fromkeys(chores, 0)
        self.stopped = threading.Event()
        self.pause = 0.05 if config.embedded else 0.2

    def run(self) -> None:
        """Sweep until stopped; a database that is down is tried again."""
        while not self.stopped.wait(self.pause):
            try:
                self.sweep()
            except Down as error:
                log.warning("database", error=str(error))
                forget()
                self.stopped.wait(1)
            except Exception:
                log.exception("sweep")
                self.stopped.wait(1)

    def sweep(self) -> None:
        """Hint at unresolved matches and due jobs, and do the chores whose time has come."""
        for match in unresolved():
            hint(self.app, RESOLVE, match)
        for number in due():
            hint(self.app, JOB, str(number))
        at = now()
        for name, (every, chore) in self.chores.items():
            if at >= self.next[name]:
                self.next[name] = at + every
                chore(self.config)

    def stop(self) -> None:
        """Stop after the sweep that runs."""
        self.stopped.set()
        self.join(5)


_hinted: dict[str, int] = {}


def unresolved() -> list[str]:
    """Matches where something was accepted and not resolved, each named again only after a while."""
    at = now()
    sql = "select id from match where resolved_seq < head_seq and head_at <= ? limit ?"
    found = [match for (match,) in rows(sql, at - 100, WINDOW)]
    for match in [match for match, until in _hinted.items() if until < at]:
        del _hinted[match]
    fresh = [match for match in found if match not in _hinted]
    _hinted.update(dict.fromkeys(fresh, at + HINT))
    return fresh


def due() -> list[int]:
    """Jobs whose time has come and that nobody was told of lately; they are marked as told."""
    at = now()
    if not rows("select 1 from job where done_at is null and dead_at is null and due_at <= ? limit 1", at):
        return []
    with writing():
        sql = (
            "select id from job where done_at is null and dead_at is null and due_at <= ? and hint_until < ? "
            "and lease_until < ? order by due_at, id limit ?"
        )
        skip = " for update skip locked" if is_postgres() else ""
        found = [number for (number,) in rows(sql + skip, at, at, at, WINDOW)]
        if found:
            holes = ", ".join("?" * len(found))
            run(f"update job set hint_until = ? where id in ({holes})", at + HINT, *found)  # noqa: S608  # only holes
    return found

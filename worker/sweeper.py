"""The sweeper: a thread in every worker that hints at work that is due, and runs the periodic tasks."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence

import structlog
from celery import Celery

from service.config import Config
from service.db.batches import batched
from service.db.connection import (
    DatabaseDown,
    close_connection,
    drop_connections,
    execute,
    rows,
    skip_locked,
    write_transaction,
)
from service.jobs.queue import BULK, FIRST
from service.timestamps import now
from worker.celery_app import JOB_TASK
from worker.match_queue import MatchQueue
from worker.schedule import PeriodicTask
from worker.tasks import LEASE_MS, MOST_CLOCK_SKEW, MatchResolver
from worker.wakeups import name_jobs, name_matches

MOST_WOKEN = 200
MOST_FOUND = 2 * MOST_WOKEN
WAKEUP_MS = 5_000
FIRST_WAKEUP_DELAY = 0.1
SHORT_PAUSE, LONG_PAUSE = 0.05, 0.2
"""Seconds between two sweeps: short where no other process hints, and while jobs are found."""
MOST_RESOLVED_HERE = 10
MOST_JOBS_IN_MESSAGE = 2
"""Jobs wait for other servers; few in a message let several threads wait at once."""
log = structlog.get_logger("sweeper")


class Sweeper(threading.Thread):
    """Looks for work at short intervals until it is stopped."""

    def __init__(
        self,
        app: Celery,
        config: Config,
        periodic_tasks: Mapping[str, PeriodicTask],
        matches: MatchQueue,
        resolver: MatchResolver,
    ) -> None:
        super().__init__(name="sweeper", daemon=True)
        self.app = app
        self.config = config
        self.matches = matches
        self.resolver = resolver
        self.periodic_tasks = periodic_tasks
        self.unresolved = UnresolvedMatches()
        self.stopped = threading.Event()
        self.pause = SHORT_PAUSE if config.embedded else LONG_PAUSE
        self.found_jobs = False
        self._next = dict.fromkeys(periodic_tasks, 0.0)

    def run(self) -> None:
        """Sweep until stopped; a database that is down is tried again."""
        while not self.stopped.wait(SHORT_PAUSE if self.found_jobs else self.pause):
            try:
                self.sweep()
            except DatabaseDown as error:
                log.warning("database", error=str(error).strip())
                self._pause_after_error()
            except Exception:
                log.exception("sweep")
                self._pause_after_error()
        close_connection()

    def _pause_after_error(self) -> None:
        drop_connections()
        self.stopped.wait(1)

    def sweep(self) -> None:
        """Hint at unresolved matches and due jobs, and run the periodic tasks whose time has come."""
        fresh, again = self.unresolved.take_due()
        if fresh and not name_matches(self.app, self.matches, fresh):
            again = [*fresh, *again]  # without a broker the work is done here
        jobs = take_due_jobs()
        self.found_jobs = bool(jobs)
        self._send_wakeups([str(number) for number in jobs])
        if again:
            # Their hint went nowhere, perhaps to a worker that hangs.
            self.resolver.resolve(again)
        for name, periodic in self.periodic_tasks.items():
            # Counted by a clock that nobody sets, so that a jump of the other one skips nothing.
            if time.monotonic() >= self._next[name]:
                self._next[name] = time.monotonic() + periodic.every
                self._run(name, periodic)

    def _send_wakeups(self, jobs: list[str]) -> None:
        """Send hints in small messages, so that all threads have some; without a broker the work is done here."""
        brokered = True
        for part in batched(jobs, MOST_JOBS_IN_MESSAGE):
            brokered = brokered and name_jobs(self.app, part)
            if not brokered:
                self.app.tasks[JOB_TASK](part)

    def _run(self, name: str, periodic: PeriodicTask) -> None:
        try:
            periodic.do(self.config)
        except DatabaseDown:
            raise
        except Exception:
            log.exception("periodic task failed", task=name)
            drop_connections()

    def stop(self) -> None:
        """Stop after the sweep that runs."""
        self.stopped.set()
        self.join(10)


MatchHead = tuple[str, int]
"""A match and its last entry: where it waits again after another move, it is another one that waits."""


class UnresolvedMatches:
    """Finds matches where something was accepted and not resolved, and names each again only after a while."""

    def __init__(self) -> None:
        self._seen: dict[MatchHead, float] = {}
        self._woken: dict[MatchHead, float] = {}

    def take_due(self) -> tuple[list[str], list[str]]:
        """Matches to hint at now, and matches to which a hint was given a while ago and did not help.

        A match is named only if it still waits after a moment, in which the first hint does its work.
        """
        at = time.monotonic()
        sql = "select id, head_seq from match where resolved_seq < head_seq order by random() limit ?"
        found = [(match, seq) for match, seq in rows(sql, MOST_FOUND)]
        flooded = len(found) == MOST_FOUND  # then nobody is too early, and not being found tells nothing
        waiting = self._waiting() if flooded else set(found)
        self._woken = {head: until for head, until in self._woken.items() if head in waiting}
        self._seen = {head: self._seen.get(head, at) for head in found}
        again = [head for head, until in self._woken.items() if until <= at][:MOST_RESOLVED_HERE]
        ripe = [
            head
            for head in found
            if head not in self._woken and (flooded or at - self._seen[head] >= FIRST_WAKEUP_DELAY)
        ]
        fresh = ripe[: max(0, MOST_WOKEN - len(self._woken))]
        self._woken.update(dict.fromkeys([*fresh, *again], at + WAKEUP_MS / 1000))
        return [match for match, _ in fresh], [match for match, _ in again]

    def _waiting(self) -> set[MatchHead]:
        """Those that were hinted at and still wait."""
        holes = ", ".join("?" * len(self._woken)) or "''"
        sql = f"select id, head_seq from match where resolved_seq < head_seq and id in ({holes})"  # noqa: S608  # holes
        return {(match, seq) for match, seq in rows(sql, *(match for match, _ in self._woken))}


DUE_JOB = f"done_at is null and dead_at is null and rank in ({FIRST}, {BULK}) and due_at <= ?"
MOST_BULK = 6
"""So many bulk jobs are named at a time: whoever comes meanwhile waits for no more."""
# A hint or lease much further ahead than any reaches is from before the clock was put back.
UNWOKEN_JOB = "(woken_until < ? or woken_until > ?) and (lease_until < ? or lease_until > ?)"


def take_due_jobs() -> list[int]:
    """Jobs whose time has come and that nobody was told of lately; they are marked as told."""
    at = now()
    bounds = (at, at, at + WAKEUP_MS + MOST_CLOCK_SKEW, at, at + LEASE_MS + MOST_CLOCK_SKEW)
    if not rows(f"select 1 from job where {DUE_JOB} and {UNWOKEN_JOB} limit 1", *bounds):  # noqa: S608  # our own conditions
        return []
    with write_transaction():
        woken, many = _count_woken_jobs(at)
        found = _select_due_jobs(FIRST, bounds, MOST_WOKEN - woken)
        found += _select_due_jobs(BULK, bounds, min(MOST_BULK - many, MOST_WOKEN - woken - len(found)))
        if found:
            holes = ", ".join("?" * len(found))
            execute(f"update job set woken_until = ? where id in ({holes})", at + WAKEUP_MS, *found)  # noqa: S608  # only holes
    return found


def _select_due_jobs(rank: int, bounds: Sequence[int], most: int) -> list[int]:
    sql = (
        "select id from job where done_at is null and dead_at is null and rank = ? and due_at <= ? "  # noqa: S608  # ours
        f"and {UNWOKEN_JOB} order by due_at, id limit ?"
    )
    return [number for (number,) in rows(sql + skip_locked(), rank, *bounds, max(0, most))]


def _count_woken_jobs(at: int) -> tuple[int, int]:
    """How many jobs were named lately and are not done, and how many of them are bulk jobs."""
    sql = (
        "select count(*), coalesce(sum(case when rank = ? then 1 else 0 end), 0) from job "
        "where done_at is null and dead_at is null and woken_until >= ? and woken_until <= ?"
    )
    ((count, many),) = rows(sql, BULK, at, at + WAKEUP_MS + MOST_CLOCK_SKEW)
    return int(count), int(many)

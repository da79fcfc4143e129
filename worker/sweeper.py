"""The sweeper: a thread in every worker that finds work no wake-up has brought, and runs the periodic tasks.

One statement reads when the next thing of every kind is due. The sweeper sleeps until then, until a wake-up, or for
`LOOK_SECONDS`, whichever comes first.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping

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
from service.jobs import wakeups
from service.jobs.queue import BULK, FIRST
from service.timestamps import now
from worker.schedule import PeriodicTask
from worker.tasks import LEASE_MS, MOST_CLOCK_SKEW, MatchResolver
from worker.wakeups import send_task

MOST_WOKEN = 200
MOST_FOUND = 2 * MOST_WOKEN
WAKEUP_MS = 5_000
FIRST_WAKEUP_DELAY = 0.1
LOOK_SECONDS = 2.0
"""The longest sleep between two looks. Work whose wake-up was lost is found at most this late."""
BUSY_SECONDS = 0.2
"""The pause while matches or jobs wait, and the shortest between two looks that wake-ups ask for."""
SHORT_PAUSE = 0.05
"""The shortest pause, also after jobs were found, so that the next jobs of a long queue follow at once."""
RETRY_SECONDS = 1.0
MOST_RESOLVED_HERE = 10
MOST_JOBS_IN_MESSAGE = 2
"""Maximum number of jobs in a message. Jobs wait for other servers; small messages let several threads wait at once."""
log = structlog.get_logger("sweeper")


class Sweeper(threading.Thread):
    """Looks for due work until it is stopped."""

    def __init__(
        self, app: Celery, config: Config, periodic_tasks: Mapping[str, PeriodicTask], resolver: MatchResolver
    ) -> None:
        super().__init__(name="sweeper", daemon=True)
        self.app = app
        self.config = config
        self.resolver = resolver
        self.periodic_tasks = periodic_tasks
        self.unresolved = UnresolvedMatches()
        due_times = (task.due or "null" for task in periodic_tasks.values())
        self._look = f"select {', '.join((UNRESOLVED, NEXT_JOB, NEXT_JOB, *due_times))}"
        self._not_before = dict.fromkeys(periodic_tasks, 0.0)
        self._woken = threading.Event()
        self._stopped = threading.Event()

    def run(self) -> None:
        """Sweep until stopped. A database that is down is tried again."""
        while not self._stopped.is_set():
            self._woken.clear()
            began = time.monotonic()
            pause = self._sweep_safely()
            if self._woken.wait(pause):
                # The first wake-up is followed at once; those in quick succession share a look.
                self._stopped.wait(max(0.0, began + min(pause, BUSY_SECONDS) - time.monotonic()))
        close_connection()

    def _sweep_safely(self) -> float:
        try:
            return self.sweep()
        except DatabaseDown as error:
            log.warning("database", error=str(error).strip())
        except Exception:
            log.exception("sweep")
        drop_connections()
        return RETRY_SECONDS

    def sweep(self) -> float:
        """Wake workers for matches and jobs, run the periodic tasks that are due, and return the seconds to sleep."""
        at = now()
        bounds = _unwoken_bounds(at)
        ((has_unresolved, next_first, next_bulk, *due_times),) = rows(self._look, FIRST, *bounds, BULK, *bounds)
        pauses = [LOOK_SECONDS]
        if has_unresolved:
            self._wake_for_matches()
            pauses.append(BUSY_SECONDS)
        job_times = [due_at for due_at in (next_first, next_bulk) if due_at is not None]
        if job_times:
            wait = (min(job_times) - at) / 1000
            has_woken = wait <= 0 and self._wake_for_jobs()
            pauses.append(SHORT_PAUSE if has_woken else max(BUSY_SECONDS, wait))
        for (name, task), due_at in zip(self.periodic_tasks.items(), due_times, strict=True):
            pauses.append(self._run_if_due(name, task, at, due_at))
        return max(SHORT_PAUSE, min(pauses))

    def _wake_for_matches(self) -> None:
        fresh, again = self.unresolved.take_due()
        if fresh and not send_task(self.app, wakeups.RESOLVE, fresh):
            again = [*fresh, *again]  # without a broker the work is done here
        if again:
            # Its wake-up had no effect; it may have gone to a worker that hangs.
            self.resolver.resolve(again)

    def _wake_for_jobs(self) -> bool:
        """Wake workers for due jobs, in small messages so that all threads get some. Return True if there were any."""
        jobs = [str(number) for number in take_due_jobs()]
        has_broker = True
        for part in batched(jobs, MOST_JOBS_IN_MESSAGE):
            has_broker = has_broker and send_task(self.app, wakeups.RUN_JOBS, part)
            if not has_broker:
                self.app.tasks[wakeups.RUN_JOBS](part)
        return bool(jobs)

    def _run_if_due(self, name: str, task: PeriodicTask, at: int, due_at: int | None) -> float:
        """Run a periodic task if its time has come. Return the seconds until it may have to run again."""
        if not self._not_before[name]:
            due_at = at  # at the start every due task runs once, so that the metrics list all of them
        elif task.due and due_at is None:
            return LOOK_SECONDS
        # Its own interval is counted by a monotonic clock, so that a jump of the system clock skips nothing.
        wait = max(self._not_before[name] - time.monotonic(), (due_at - at) / 1000 if due_at is not None else 0)
        if wait > 0:
            return wait
        self._not_before[name] = time.monotonic() + task.every
        try:
            task.do(self.config)
        except DatabaseDown:
            raise
        except Exception:
            log.exception("periodic task failed", task=name)
            drop_connections()
        return task.every

    def wake(self) -> None:
        """Look now instead of at the end of the sleep."""
        self._woken.set()

    def stop(self) -> None:
        """Stop after the sweep that runs."""
        self._stopped.set()
        self._woken.set()
        self.join(10)


MatchHead = tuple[str, int]
"""A match and the number of its last entry: after another move it counts as a new one."""


class UnresolvedMatches:
    """Finds matches with accepted moves that are not resolved. Returns the same match again only after a while."""

    def __init__(self) -> None:
        self._seen: dict[MatchHead, float] = {}
        self._woken: dict[MatchHead, float] = {}

    def take_due(self) -> tuple[list[str], list[str]]:
        """Return the matches to wake a worker for, and those for which a wake-up was sent a while ago in vain.

        A match counts only if it still waits after a moment, in which the wake-up of its move may arrive.
        """
        at = time.monotonic()
        sql = "select id, head_seq from match where resolved_seq < head_seq order by random() limit ?"
        found = [(match, seq) for match, seq in rows(sql, MOST_FOUND)]
        # Of a flood only a part is read. Whatever was not read may still be waiting, so keep the times of all.
        flooded = len(found) == MOST_FOUND
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
        """Return those matches that still wait although a wake-up was sent for them."""
        holes = ", ".join("?" * len(self._woken)) or "''"
        sql = f"select id, head_seq from match where resolved_seq < head_seq and id in ({holes})"  # noqa: S608  # holes
        return {(match, seq) for match, seq in rows(sql, *(match for match, _ in self._woken))}


UNRESOLVED = "(select 1 from match where resolved_seq < head_seq limit 1)"
MOST_BULK = 6
"""Maximum number of bulk jobs handed out at a time. An urgent job never waits behind more than these."""
# A wake-up or lease that ends later than is possible was set before the clock was put back.
UNWOKEN_JOB = "(woken_until < ? or woken_until > ?) and (lease_until < ? or lease_until > ?)"
OPEN_JOB = f"done_at is null and dead_at is null and rank = ? and {UNWOKEN_JOB}"
NEXT_JOB = f"(select due_at from job where {OPEN_JOB} order by due_at limit 1)"  # noqa: S608  # our own conditions


def _unwoken_bounds(at: int) -> tuple[int, int, int, int]:
    """Return the values for `UNWOKEN_JOB`."""
    return at, at + WAKEUP_MS + MOST_CLOCK_SKEW, at, at + LEASE_MS + MOST_CLOCK_SKEW


def take_due_jobs() -> list[int]:
    """Return due jobs for which no wake-up was sent in the last seconds, and mark them as woken."""
    at = now()
    with write_transaction():
        woken, bulk = _count_woken_jobs(at)
        found = _select_due_jobs(FIRST, at, MOST_WOKEN - woken)
        found += _select_due_jobs(BULK, at, min(MOST_BULK - bulk, MOST_WOKEN - woken - len(found)))
        if found:
            holes = ", ".join("?" * len(found))
            execute(f"update job set woken_until = ? where id in ({holes})", at + WAKEUP_MS, *found)  # noqa: S608  # only holes
    return found


def _select_due_jobs(rank: int, at: int, most: int) -> list[int]:
    sql = f"select id from job where {OPEN_JOB} and due_at <= ? order by due_at, id limit ?{skip_locked()}"  # noqa: S608  # ours
    return [number for (number,) in rows(sql, rank, *_unwoken_bounds(at), at, max(0, most))]


def _count_woken_jobs(at: int) -> tuple[int, int]:
    """Count the open jobs for which a wake-up was sent lately, and the bulk jobs among them."""
    sql = (
        "select count(*), coalesce(sum(case when rank = ? then 1 else 0 end), 0) from job "
        "where done_at is null and dead_at is null and woken_until >= ? and woken_until <= ?"
    )
    ((count, bulk),) = rows(sql, BULK, at, at + WAKEUP_MS + MOST_CLOCK_SKEW)
    return int(count), int(bulk)

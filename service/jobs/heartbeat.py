"""The heartbeat: a row a worker writes each minute, so that its silence is noticed."""

from __future__ import annotations

import os
import socket

from service.config import Config
from service.db.connection import execute, rows, write_transaction
from service.jobs import queue
from service.jobs.payloads import JobPayload
from service.timestamps import MINUTE, now

SILENT_AFTER = 3 * MINUTE
OUTAGE = 15 * MINUTE
FORGET_AFTER = 24 * 60 * MINUTE
STOPPED_ROW = "stopped"
"""The row that keeps the last sign of life of workers that went in good order."""
UPSERT = (
    "insert into heartbeat (worker, at, started_at) values (?, ?, ?) "
    "on conflict (worker) do update set at = excluded.at, started_at = excluded.started_at"
)
_started: dict[str, int] = {}


class RestoreLostTime(JobPayload, topic="outage"):
    """Give the time in which no worker ran back to all clocks."""

    since: int
    until: int


def worker_name() -> str:
    """What this worker is called: its machine and its process."""
    return f"{socket.gethostname()}-{os.getpid()}"


def beat(_config: Config) -> None:
    """Write that this worker is alive; a long silence before becomes a job that gives the clocks that time back."""
    at = now()
    with write_transaction():
        last = last_beat()
        if last is not None and at - last > OUTAGE:
            queue.add(RestoreLostTime(since=last, until=at), f"outage:{last}")
        execute(UPSERT, worker_name(), at, _started.setdefault(worker_name(), at))
        execute("delete from heartbeat where at < ? and worker <> ?", at - FORGET_AFTER, STOPPED_ROW)


def last_beat() -> int | None:
    """Return when a worker was last alive, or None."""
    ((last,),) = rows("select max(at) from heartbeat")
    return None if last is None else int(last)


def mark_stopped() -> None:
    """Write that this worker stops in good order."""
    at = now()
    with write_transaction():
        if execute("delete from heartbeat where worker = ?", worker_name()):
            execute(UPSERT, STOPPED_ROW, at, at)


def silent_workers(at: int) -> list[tuple[str, int]]:
    """Workers that were not heard for too long and did not stop in good order, with when each was last heard."""
    sql = "select worker, at from heartbeat where worker <> ? and at < ? order by at"
    return [(worker, last) for worker, last in rows(sql, STOPPED_ROW, at - SILENT_AFTER)]


def has_live_workers(at: int) -> bool:
    """Whether a worker was heard lately that has not stopped."""
    sql = "select 1 from heartbeat where worker <> ? and at >= ? limit 1"
    return bool(rows(sql, STOPPED_ROW, at - SILENT_AFTER))

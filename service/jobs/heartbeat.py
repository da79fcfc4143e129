"""The heartbeat: a row that each worker writes once a minute, so that its silence is noticed."""

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
FORGET_AFTER = 60 * MINUTE
"""How long, in ms, a killed worker is listed as silent while others run."""
STOPPED_ROW = "stopped"
"""The row for the last beat of workers that stopped normally."""
UPSERT = (
    "insert into heartbeat (worker, at, started_at) values (?, ?, ?) "
    "on conflict (worker) do update set at = excluded.at, started_at = excluded.started_at"
)
_started: dict[str, int] = {}


class RestoreLostTime(JobPayload, topic="outage"):
    """Add the time in which no worker ran to all clocks."""

    since: int
    until: int


def worker_name() -> str:
    """Return the name of this worker: its machine and process."""
    return f"{socket.gethostname()}-{os.getpid()}"


def beat(_config: Config) -> None:
    """Write a beat. After a long silence of all workers, queue the job that returns the lost time to the clocks."""
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
    """Record that this worker has stopped normally."""
    at = now()
    with write_transaction():
        if execute("delete from heartbeat where worker = ?", worker_name()):
            execute(UPSERT, STOPPED_ROW, at, at)


def silent_workers(at: int) -> list[tuple[str, int]]:
    """Return the workers that are silent for too long and did not stop normally, with their last beats."""
    sql = "select worker, at from heartbeat where worker <> ? and at < ? order by at"
    return [(worker, last) for worker, last in rows(sql, STOPPED_ROW, at - SILENT_AFTER)]


def has_live_workers(at: int) -> bool:
    """Return True if a worker has sent a beat lately and has not stopped."""
    sql = "select 1 from heartbeat where worker <> ? and at >= ? limit 1"
    return bool(rows(sql, STOPPED_ROW, at - SILENT_AFTER))

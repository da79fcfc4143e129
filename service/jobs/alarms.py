"""Alarms for the operator, shown in the log, `/readyz`, `/metrics` and `echtra doctor`."""

from __future__ import annotations

from dataclasses import dataclass

import structlog

from service.db.connection import execute, rows, write_transaction
from service.timestamps import HOUR, now

LASTS = HOUR
"""How long, in ms, an alarm stays active after its last cause."""
KINDS = ("relay-policy", "relay-addresses", "mail-unread", "backup-old", "backup-small", "backup-bad")
UPSERT = (
    "insert into alarm (kind, since, last_at, count, detail) values (?, ?, ?, 1, ?) on conflict (kind) do update set "
    "since = case when alarm.last_at < ? then excluded.since else alarm.since end, "
    "count = case when alarm.last_at < ? then 1 else alarm.count + 1 end, "
    "last_at = excluded.last_at, detail = excluded.detail"
)
log = structlog.get_logger("alarm")


@dataclass(frozen=True)
class Alarm:
    """A fault: since when, how often it was seen, and the latest details."""

    kind: str
    since: int
    last_at: int
    count: int
    detail: str


def raise_alarm(kind: str, detail: str) -> None:
    """Raise an alarm, or count another cause of an active one."""
    if kind not in KINDS:
        raise KeyError(f"{kind} is not an alarm; choose from {', '.join(KINDS)}")
    at = now()
    log.error(kind, detail=detail)
    with write_transaction():
        execute(UPSERT, kind, at, at, detail[:500], at - LASTS, at - LASTS)


def list_active(at: int) -> list[Alarm]:
    """Return the active alarms, oldest first."""
    sql = "select kind, since, last_at, count, detail from alarm where last_at >= ? order by since, kind"
    return [Alarm(*row) for row in rows(sql, at - LASTS)]


def clear_alarms() -> int:
    """Delete all alarms, for use once their causes are fixed. Return how many."""
    with write_transaction():
        return execute("delete from alarm")

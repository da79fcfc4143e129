"""Retention: old rows of ledgers are deleted in small batches. Logs, headers and receipts are kept for ever."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from service.config import Config
from service.db import letter_bytes
from service.db.connection import execute, rows, skip_locked, write_transaction
from service.timestamps import DAY, now

BATCH_SIZE = 500
MOST_BATCHES = 200
"""Maximum number of batches in one run. The next run, an hour later, continues."""


@dataclass(frozen=True)
class Ledger:
    """A table with old rows to delete: the setting for the days to keep them, and the condition."""

    setting: str
    table: str
    old: str
    """The condition for old rows, with `?` for the cut-off time."""
    before: Callable[[Sequence[str]], object] = len
    """Deletes the rows that depend on the rows with these keys."""


def delete_attempts(deliveries: Sequence[str]) -> None:
    """Delete the attempts of deliveries."""
    execute(f"delete from attempt where delivery in ({', '.join('?' * len(deliveries))})", *deliveries)  # noqa: S608  # only holes


LEDGERS = (
    Ledger("keep_jobs", "job", "done_at < ?"),
    Ledger("keep_jobs", "code", "until < ?"),
    Ledger("keep_letters", "letter", "created_at < ? and state not in ('queued', 'deferred')", letter_bytes.drop_bytes),
    Ledger("keep_inbox", "inbox", "received < ? and read_at is not null"),
    Ledger("keep_deliveries", "delivery", "at < ? and status <> 'queued'", delete_attempts),
    Ledger("keep_events", "event", "at < ?"),
    Ledger("keep_branches", "branch", "exists (select 1 from match m where m.id = branch.match and m.ended_at < ?)"),
)
"""All ledgers with a retention time. A setting of 0 keeps rows for ever."""


def delete_old_rows(config: Config) -> dict[str, int]:
    """Delete old rows of all ledgers. Return how many of each table."""
    at, counts = now(), dict.fromkeys((ledger.table for ledger in LEDGERS), 0)
    for ledger in LEDGERS:
        days = int(getattr(config, ledger.setting))
        for _ in range(MOST_BATCHES if days else 0):
            gone = _delete_batch(ledger, at - days * DAY)
            counts[ledger.table] += gone
            if gone < BATCH_SIZE:
                break
    return counts


def _delete_batch(ledger: Ledger, before: int) -> int:
    """Delete one batch in a short transaction, skipping rows that another worker is deleting. Return how many."""
    select = f"select id from {ledger.table} where {ledger.old} limit ?{skip_locked()}"  # noqa: S608  # our own
    with write_transaction():
        keys = [key for (key,) in rows(select, before, BATCH_SIZE)]
        if not keys:
            return 0
        holes = ", ".join("?" * len(keys))
        ledger.before(keys)
        return execute(f"delete from {ledger.table} where id in ({holes})", *keys)  # noqa: S608  # only holes

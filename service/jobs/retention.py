"""How long ledgers are kept: what is older is deleted, a little at a time; logs, headers and receipts never are."""

from __future__ import annotations

from dataclasses import dataclass

from service.config import Config
from service.db.connection import execute, rows, skip_locked, write_transaction
from service.timestamps import DAY, now

BATCH_SIZE = 500
MOST_BATCHES = 200
"""How many are deleted at one go; the next hour goes on."""


@dataclass(frozen=True)
class Ledger:
    """A table whose old rows may go: the setting that says how many days they stay, and which they are."""

    setting: str
    table: str
    key: str
    old: str
    """The condition of old rows, with `?` for the time before which they are old."""
    also: str = ""
    """A statement that first deletes what hangs on these rows, with `{keys}` for their keys."""


LEDGERS = (
    Ledger("keep_jobs", "job", "id", "done_at < ?"),
    Ledger("keep_jobs", "code", "id", "until < ?"),
    Ledger("keep_letters", "letter", "id", "created_at < ? and state not in ('queued', 'deferred')"),
    Ledger("keep_inbox", "inbox", "id", "received < ? and read_at is not null"),
    Ledger(
        "keep_deliveries",
        "delivery",
        "id",
        "at < ? and status <> 'queued'",
        "delete from attempt where delivery in ({keys})",
    ),
    Ledger("keep_events", "event", "id", "at < ?"),
)
"""Every ledger that has an end; a setting of 0 keeps it for ever."""


def delete_old_rows(config: Config) -> dict[str, int]:
    """Delete what every ledger need not keep any longer; how many rows of each table."""
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
    """Delete a few old rows in a short transaction; rows that another worker deletes just now are left to it."""
    select = f"select {ledger.key} from {ledger.table} where {ledger.old} limit ?{skip_locked()}"  # noqa: S608  # our own
    with write_transaction():
        keys = [key for (key,) in rows(select, before, BATCH_SIZE)]
        if not keys:
            return 0
        holes = ", ".join("?" * len(keys))
        if ledger.also:
            execute(ledger.also.format(keys=holes), *keys)
        return execute(f"delete from {ledger.table} where {ledger.key} in ({holes})", *keys)  # noqa: S608  # only holes

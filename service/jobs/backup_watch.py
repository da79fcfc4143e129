"""The record of backups: a row for each, the result of proving it, figures, and alarms while something is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from service.config import Config
from service.db.connection import execute, rows, with_rows, write_transaction
from service.jobs import alarms
from service.timestamps import DAY, HOUR, now

MOST_AGE = 36 * HOUR
"""Maximum age of the newest backup: one missed night plus half a day."""
LEAST_SHARE = 0.5
"""A backup smaller than this share of the previous one must be missing something."""
KEEP_ROWS = 400 * DAY
COLUMNS = "file, made_at, bytes, digest, checked_at, fault"
LATEST = f"select {COLUMNS} from backup order by made_at desc limit 2"  # noqa: S608  # our own columns
OF_FILE = f"select {COLUMNS} from backup where file = ? order by made_at desc limit 1"  # noqa: S608  # our own columns
HEAD_TYPES = {"id": "text", "seq": "int", "hash": "text"}
MISSING_HEADS = (
    "select h.id from h left join {table} e on e.{key} = h.id and e.seq = h.seq and e.hash = h.hash "
    "where e.{key} is null"
)
Head = tuple[str, int, str]
"""The id of a match or tournament, and the number and hash of the last entry of its log."""


@dataclass(frozen=True)
class BackupRecord:
    """A backup: when it was made, its size and SHA-256, when it was proved, and its fault, if any."""

    file: str
    made_at: int
    bytes: int
    digest: str
    checked_at: int | None
    fault: str


def record_backup(file: Path, size: int, digest: str) -> None:
    """Record a backup that was just made."""
    at = now()
    with write_transaction():
        execute("delete from backup where made_at < ?", at - KEEP_ROWS)
        execute(
            "insert into backup (file, made_at, bytes, digest) values (?, ?, ?, ?)",
            str(file.resolve()),
            at,
            size,
            digest,
        )


def find_backup(file: Path) -> BackupRecord | None:
    """Return the record of this file from when it was made, or None for a file from elsewhere."""
    found = rows(OF_FILE, str(file.resolve()))
    return BackupRecord(*found[0]) if found else None


def record_proof(backup: BackupRecord, fault: str) -> None:
    """Record the result of proving a backup. `fault` is empty if it is good."""
    with write_transaction():
        sql = "update backup set checked_at = ?, fault = ? where file = ? and made_at = ?"
        execute(sql, now(), fault[:500], backup.file, backup.made_at)
    if fault:
        alarms.raise_alarm("backup-bad", f"{backup.file}: {fault}")


def find_missing_heads(heads: Sequence[Head], table: str, key: str) -> list[str]:
    """Return those of these heads of logs that this database lacks, by id."""
    if not heads:
        return []
    with_heads, values = with_rows("h", HEAD_TYPES, heads)
    return [id_ for (id_,) in rows(with_heads + MISSING_HEADS.format(table=table, key=key), *values)]


def check_backups(_config: Config) -> None:
    """Raise alarms while the newest backup is too old, too small, or was found damaged."""
    latest = [BackupRecord(*row) for row in rows(LATEST)]
    if not latest:
        return
    newest = latest[0]
    if now() - newest.made_at > MOST_AGE:
        alarms.raise_alarm("backup-old", newest.file)
    if len(latest) > 1 and newest.bytes < LEAST_SHARE * latest[1].bytes:
        alarms.raise_alarm("backup-small", f"{newest.file}: {newest.bytes} bytes, {latest[1].bytes} before")
    if newest.fault:
        alarms.raise_alarm("backup-bad", f"{newest.file}: {newest.fault}")


def backup_age() -> float:
    """Return how many seconds ago the newest backup was made, or 0 if none ever was."""
    ((made_at,),) = rows("select max(made_at) from backup")
    return 0.0 if made_at is None else max(0, now() - int(made_at)) / 1000


def backup_bytes() -> float:
    """Return the size of the newest backup."""
    return float(next((size for _, _, size, *_ in rows(LATEST)), 0))


def proof_age() -> float:
    """Return how many seconds ago a backup was last proved good, or 0 if none ever was."""
    ((checked_at,),) = rows("select max(checked_at) from backup where fault = ''")
    return 0.0 if checked_at is None else max(0, now() - int(checked_at)) / 1000

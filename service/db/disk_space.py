"""Check of the disk: free space in this process's folder, and a write that reaches the disk."""

from __future__ import annotations

import os
import time
from pathlib import Path

from service.bounded_cache import BoundedCache
from service.config import Config
from service.db.connection import DatabaseDown, drop_connections, execute, is_postgres, write_transaction
from service.timestamps import now

MEGABYTE = 1024 * 1024
ASK_AGAIN = 5.0
"""Seconds for which a result is cached, so that frequent probes cost little."""
UPSERT = "insert into probe (name, at) values ('disk', ?) on conflict (name) do update set at = excluded.at"
_states: BoundedCache[str, tuple[float, str]] = BoundedCache(4)
"""Time and result of the last check, by database."""


def data_folder(config: Config) -> Path:
    """Return the folder in which this process writes: that of the SQLite file, or the data folder."""
    if config.database.startswith("sqlite"):
        return Path(config.database.removeprefix("sqlite:///")).parent
    return config.data


def free_megabytes(config: Config) -> int | None:
    """Return the free space of that folder in MB, or None if there is no such folder."""
    try:
        disk = os.statvfs(data_folder(config))
    except OSError:
        return None
    return disk.f_bavail * disk.f_frsize // MEGABYTE


def check_disk(config: Config) -> str:
    """Return `ok`, or `full` if there is too little space left or a write fails."""
    at, state = _states.get(config.database) or (0.0, "")
    if not state or time.monotonic() - at > ASK_AGAIN:
        state = "ok" if _has_room(config) and _can_write() else "full"
        _states.put(config.database, (time.monotonic(), state))
    return state


def _has_room(config: Config) -> bool:
    free = free_megabytes(config)
    return free is None or free >= config.disk_free


def _can_write() -> bool:
    """Return False if a row cannot be written. A server that cannot be reached raises its error."""
    try:
        with write_transaction():
            execute(UPSERT, now())
    except DatabaseDown as error:
        cause = error.__cause__ or error.__context__
        sqlstate = getattr(cause, "sqlstate", None)
        drop_connections()
        if is_postgres() and sqlstate is None:
            raise
        return False
    return True

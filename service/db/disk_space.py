"""Whether there is room to write: free space beside an SQLite file, and a write that really reaches the disk."""

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
"""Seconds for which an answer holds, so that probes cost next to nothing."""
UPSERT = "insert into probe (name, at) values ('disk', ?) on conflict (name) do update set at = excluded.at"
_states: BoundedCache[str, tuple[float, str]] = BoundedCache(4)
"""When the disk of each database was checked, and what was found."""


def data_folder(config: Config) -> Path:
    """Where this process writes: the folder of the SQLite file, or the data folder."""
    if config.database.startswith("sqlite"):
        return Path(config.database.removeprefix("sqlite:///")).parent
    return config.data


def free_megabytes(config: Config) -> int | None:
    """How much room is left where this process writes; nothing if that folder is not there."""
    try:
        found = os.statvfs(data_folder(config))
    except OSError:
        return None
    return found.f_bavail * found.f_frsize // MEGABYTE


def check_disk(config: Config) -> str:
    """`ok`; `full` if too little room is left or a write fails."""
    at, state = _states.get(config.database) or (0.0, "")
    if not state or time.monotonic() - at > ASK_AGAIN:
        state = "ok" if _has_room(config) and _can_write() else "full"
        _states.put(config.database, (time.monotonic(), state))
    return state


def _has_room(config: Config) -> bool:
    free = free_megabytes(config)
    return free is None or free >= config.disk_free


def _can_write() -> bool:
    """Whether a row can be written; a server that is away altogether raises."""
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

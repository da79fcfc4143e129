"""Lock file for SQLite: one process at a time. The lock ends with the process."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO


class DatabaseInUse(RuntimeError):
    """Another process is using this database."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


def acquire(path: Path) -> IO[str]:
    """Take the lock and return its file. The lock is held while the file is open."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = path.open("a+", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.seek(0)
        holder = file.read().strip()
        file.close()
        raise DatabaseInUse(holder) from None
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()
    return file

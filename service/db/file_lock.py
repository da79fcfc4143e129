"""One process at a time on an SQLite file: whoever runs on it holds a lock that ends with the process."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO


class DatabaseInUse(RuntimeError):
    """Another process runs on this database."""

    def __init__(self, holder: str) -> None:
        super().__init__(holder)
        self.holder = holder


def acquire(path: Path) -> IO[str]:
    """Hold the lock file until the process ends; keep what this returns."""
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

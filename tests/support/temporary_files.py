"""The place for the files of tests: in memory if there is room, so that no test waits for a disk."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")  # noqa: S108  # folders in it are made by tempfile
ROOM = 2**30


def root() -> Path:
    """Return the folder for temporary files."""
    roomy = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    return MEMORY if roomy else Path(tempfile.gettempdir())


def folder(prefix: str) -> Path:
    """Return a new folder. The caller removes it."""
    return Path(tempfile.mkdtemp(prefix=prefix, dir=root()))

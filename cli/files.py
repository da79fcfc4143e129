"""Reading and writing the files that a call names. Each error is reported in one sentence."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cli.command import refusal

MOST_BYTES = 256 * 1024 * 1024


def read_file(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return the bytes of a file. Refuse one that is missing, unreadable or has more than `most` bytes."""
    data = read_start(path, most + 1)
    if len(data) > most:
        raise refusal("commands.tournament.too_large", path=path, most=most // 1024)
    return data


def read_start(path: Path, count: int) -> bytes:
    """Return the first bytes of a file, which may be endless. Refuse one that is missing or unreadable."""
    try:
        with path.open("rb") as file:
            return file.read(count)
    # Python raises ValueError for a path with a null character, which no file can have.
    except (FileNotFoundError, ValueError):
        raise refusal("commands.match_file.missing", path=path) from None
    except OSError as error:
        raise refusal("commands.match_file.unreadable", path=path, why=error.strerror or error) from None


def check_writable(path: Path) -> None:
    """Refuse a path that cannot be written, before the work whose result belongs there."""
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        why = errno.EISDIR if path.is_dir() else errno.EACCES if path.parent.is_dir() else errno.ENOENT
        raise refusal("commands.match_file.unwritable", path=path, why=os.strerror(why))


@contextmanager
def refuse_unwritable(path: Path) -> Iterator[None]:
    """Refuse a path that turns out not to be writable."""
    try:
        yield
    except OSError as error:
        raise refusal("commands.match_file.unwritable", path=path, why=error.strerror or error) from None


def write_atomically(path: Path, text: str) -> None:
    """Replace a file in one step, so that readers see the old content or the new, never a part of it.

    Not for paths that may be a device: a device such as `/dev/null` would be replaced too.
    """
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", newline="", dir=path.parent, delete=False) as file:
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
            Path(file.name).chmod(0o644)
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise

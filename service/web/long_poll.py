"""Waiting for what follows a move: `Prefer: wait=N`, for a few requests at a time."""

from __future__ import annotations

import re
import time
from threading import BoundedSemaphore

from flask import current_app, request

from service.config import Config
from service.db.connection import release_connection, rows
from service.events import stream

MOST_SECONDS = 60
PAUSES = (0.01, 0.02, 0.05, 0.1)
WAIT_PREFERENCE = re.compile(r"(?:^|[,;])\s*wait\s*=\s*\"?([0-9]{1,6})\"?\s*(?=$|[,;])", re.IGNORECASE)


def requested_seconds() -> int:
    """How many seconds the client is ready to wait (RFC 7240), at most a minute."""
    # Servers join headers of one name; to look for several here would be to look through all of them.
    found = WAIT_PREFERENCE.search(request.environ.get("HTTP_PREFER", ""))
    return min(MOST_SECONDS, int(found.group(1))) if found else 0


def wait_until_resolved(match: str, seq: int, seconds: int) -> bool:
    """Wait until all that follows from this entry has happened, as long as asked and if there is room to wait."""
    room = _waiting_slots()
    if not seconds or not room.acquire(blocking=False):
        return False
    try:
        until, tries = time.monotonic() + seconds, 0
        while not _is_resolved(match, seq):
            if time.monotonic() >= until or stream.is_stopped():
                return False
            release_connection()  # who only waits needs no connection
            time.sleep(PAUSES[min(tries, len(PAUSES) - 1)])
            tries += 1
        return True
    finally:
        room.release()


def _waiting_slots() -> BoundedSemaphore:
    """A quarter of the threads may wait; the others stay free for work."""
    config: Config = current_app.config["ECHTRA"]
    room: BoundedSemaphore = current_app.extensions.setdefault(
        "echtra-waiting", BoundedSemaphore(max(1, config.threads // 4))
    )
    return room


def _is_resolved(match: str, seq: int) -> bool:
    # A match that goes on meanwhile counts too: everything up to the entry was resolved before.
    found = rows("select resolved_seq, head_seq from match where id = ?", match)
    return bool(found) and found[0][0] >= seq

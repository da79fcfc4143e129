"""Waiting for the consequences of a move: `Prefer: wait=N`, for a few requests at a time."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore

from flask import current_app, request

from service.db.connection import release_connection, rows
from service.events import stream
from service.events.dispatcher import dispatcher
from service.web.request_context import current_config

MOST_SECONDS = 60
LOOK_SECONDS = 0.5
"""Seconds between two polls of a waiting request, in case its event is missed."""
WAIT_PREFERENCE = re.compile(r"(?:^|[,;])\s*wait\s*=\s*\"?([0-9]{1,6})\"?\s*(?=$|[,;])", re.IGNORECASE)


def requested_seconds() -> int:
    """Return how many seconds the client is willing to wait (RFC 7240), at most a minute."""
    # The server joins headers of one name, so there is only one to read.
    preference = WAIT_PREFERENCE.search(request.environ.get("HTTP_PREFER", ""))
    return min(MOST_SECONDS, int(preference.group(1))) if preference else 0


def wait_until_resolved(player: str, match: str, seq: int, seconds: int) -> bool:
    """Wait until everything up to this entry is resolved; return False on a timeout or if too many requests wait.

    The player who made the entry gets an event when that happens, which ends the wait.
    """
    if not seconds:
        return False
    with waiting_slot() as is_free:
        if not is_free:
            return False
        until = time.monotonic() + seconds
        with dispatcher.subscribe(player) as subscription:
            while not _is_resolved(match, seq):
                left = until - time.monotonic()
                if left <= 0 or stream.is_stopped():
                    return False
                release_connection()  # a waiting request needs no connection
                subscription.wait(min(left, LOOK_SECONDS))
                subscription.take()
        return True


@contextmanager
def waiting_slot() -> Iterator[bool]:
    """Reserve one of a few slots for requests that wait in their thread; yield False if none is free."""
    most = max(1, current_config().waits)
    room: BoundedSemaphore = current_app.extensions.setdefault("echtra-waiting", BoundedSemaphore(most))
    is_free = room.acquire(blocking=False)
    try:
        yield is_free
    finally:
        if is_free:
            room.release()


def _is_resolved(match: str, seq: int) -> bool:
    # The match may have advanced since: everything up to the entry was resolved before.
    matches = rows("select resolved_seq, head_seq from match where id = ?", match)
    return bool(matches) and matches[0][0] >= seq

"""Reading events as they come: what is there after a place, and waiting for the next."""

from __future__ import annotations

import time
from threading import Event as Flag
from threading import Lock
from typing import Any

from service.db.connection import db, release_connection, rows, rows_appear_in_order
from service.timestamps import now

POLL = 0.1
"""How often a process looks for something new, however many wait."""
UNSETTLED = 15_000
"""After so long a number that is still missing belongs to a transaction that was undone."""
AT_ONCE = 5_000
SELECT_AFTER = (
    "select id, type, match, seat, seq, at from event where player = ? and id > ? and id <= ? order by id limit ?"
)
FIELDS = ("id", "type", "match", "seat", "seq", "at")
_stopped = Flag()


def stop_waiting() -> None:
    """End every wait of this process, as it is about to stop."""
    _stopped.set()


def is_stopped() -> bool:
    """Whether nobody may wait any more."""
    return _stopped.is_set()


class SettledNumber:
    """The number up to which no event can appear any more, so that a reader who has got so far misses nothing."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._source: object = None
        self._number = 0
        self._looked = 0.0

    def number(self) -> int:
        """The number now; asked of the database at most ten times a second."""
        with self._lock:
            if self._source is not db.obj:
                self._source, self._number, self._looked = db.obj, 0, 0.0
            at = time.monotonic()
            if at - self._looked >= POLL:
                self._number = _newest_stored() if rows_appear_in_order() else self._newest_without_gap()
                self._looked = at
            return self._number

    def _newest_without_gap(self) -> int:
        """The number before the first one that is missing and may still appear."""
        old = now() - UNSETTLED
        number = self._number or int(rows("select coalesce(max(id), 0) from event where at <= ?", old)[0][0])
        for id_, at in rows("select id, at from event where id > ? order by id limit ?", number, AT_ONCE):
            if id_ != number + 1 and at > old:
                break
            number = id_
        return number


def _newest_stored() -> int:
    return int(rows("select coalesce(max(id), 0) from event")[0][0])


_settled = SettledNumber()


def newest_settled() -> int:
    """The number of the newest event a reader may be given."""
    return _settled.number()


def events_after(player: str, after: int, limit: int) -> tuple[list[dict[str, Any]], int]:
    """The events of a player after a number, oldest first, and the number up to which was looked."""
    upto = newest_settled()
    if upto <= after:
        return [], after
    found = rows(SELECT_AFTER, player, after, upto, limit)
    events = [dict(zip(FIELDS, row, strict=True)) for row in found]
    return events, events[-1]["id"] if len(events) == limit else upto


def wait_for_events(player: str, after: int, limit: int, seconds: float) -> tuple[list[dict[str, Any]], int]:
    """The events of a player after a number, waiting for the first of them as long as said."""
    until = time.monotonic() + seconds
    while True:
        events, after = events_after(player, after, limit)
        left = until - time.monotonic()
        if events or left <= 0:
            return events, after
        release_connection()  # who only waits needs no connection
        if _stopped.wait(min(POLL, left)):
            return events, after

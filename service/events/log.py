"""The event log: what has happened to each player, for streams and hooks. It is append-only."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from service.db.batches import batched
from service.db.connection import db, rows, with_rows
from service.events.deliveries import StoredEvent, fan_out
from service.events.dispatcher import signal_new_events
from service.timestamps import now

COLUMN_TYPES = {"player": "text", "match": "text", "seat": "int", "seq": "int", "type": "text", "tournament": "text"}
COLUMN_TYPES |= {"at": "bigint"}
INSERT = (
    "insert into event (player, match, seat, seq, type, tournament, at) select * from e "
    "returning id, player, match, seat, seq, type, tournament"
)


class Event(NamedTuple):
    """Something that happened to a player in a match or a tournament."""

    player: str
    match: str | None
    seat: int | None
    seq: int
    """A number of the match's log, or of the tournament's."""
    type: str
    tournament: str | None = None


def write_events(events: Iterable[Event]) -> None:
    """Write events and queue them for hooks. Call inside the transaction of their cause."""
    at = now()
    for part in batched(list(events)):
        with_events, values = with_rows("e", COLUMN_TYPES, [(*event, at) for event in part])
        written = [StoredEvent(*row) for row in rows(with_events + INSERT, *values)]
        fan_out(sorted(written, key=lambda event: event.id), at)
        db.after_commit(signal_new_events)

"""Events: what happened, for streams and hooks; a ledger that is only added to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from service.db.batches import batched
from service.db.connection import db, rows, with_rows
from service.events.deliveries import StoredEvent, fan_out
from service.events.dispatcher import signal_new_events
from service.timestamps import now

COLUMNS = "id, player, match, seat, seq, type"
EVENT_TYPES = {"player": "text", "match": "text", "seat": "int", "seq": "int", "type": "text", "at": "bigint"}
INSERT = f"insert into event (player, match, seat, seq, type, at) select * from e returning {COLUMNS}"  # noqa: S608
"""How many events of a tournament one statement writes."""


@dataclass(frozen=True)
class Event:
    """Something that happened to a player at a table."""

    player: str
    match: str
    seat: int | None
    seq: int
    type: str


@dataclass(frozen=True)
class TournamentEvent:
    """Something that happened to a player in a tournament; `seq` is a line of its log."""

    player: str
    tournament: str
    seq: int
    type: str


def write_events(events: Iterable[Event]) -> None:
    """Write events and queue them for hooks, inside the transaction of their cause."""
    at = now()
    found = [(each.player, each.match, each.seat, each.seq, each.type, at) for each in events]
    if not found:
        return
    with_events, values = with_rows("e", EVENT_TYPES, found)
    written = [StoredEvent(*row) for row in rows(with_events + INSERT, *values)]
    fan_out(sorted(written, key=lambda each: each.id), at)
    db.after_commit(signal_new_events)


def write_tournament_events(events: Iterable[TournamentEvent]) -> None:
    """Write events of tournaments and queue them for hooks, inside the transaction of their cause."""
    at = now()
    found = [(each.player, each.tournament, each.seq, each.type, at) for each in events]
    for part in batched(found):
        holes = ", ".join(["(?, ?, ?, ?, ?)"] * len(part))
        sql = f"insert into event (player, tournament, seq, type, at) values {holes} returning {COLUMNS}, tournament"  # noqa: S608
        written = [StoredEvent(*row) for row in rows(sql, *(value for each in part for value in each))]
        fan_out(sorted(written, key=lambda each: each.id), at)
        db.after_commit(signal_new_events)

"""Events: what happened, for streams and hooks; a ledger that is only added to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from service.database import run
from service.moment import now

TYPES = (
    "match.started",
    "turn.ready",
    "match.moved",
    "match.over",
    "match.cancelled",
    "orders.dropped",
    "seat.timeout",
    "invitation.received",
    "note.written",
    "offer.made",
)


@dataclass(frozen=True)
class Event:
    """Something that happened to a player at a table."""

    player: str
    match: str
    seat: int | None
    seq: int
    type: str


def write(events: Iterable[Event]) -> None:
    """Write events, inside the transaction of their cause."""
    at = now()
    for event in events:
        run(
            "insert into event (player, match, seat, seq, type, at) values (?, ?, ?, ?, ?, ?)",
            event.player,
            event.match,
            event.seat,
            event.seq,
            event.type,
            at,
        )

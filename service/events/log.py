"""Events: what happened, for streams and hooks; a ledger that is only added to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from service.db.connection import db, rows, with_rows
from service.events.deliveries import StoredEvent, fan_out
from service.events.dispatcher import signal_new_events
from service.timestamps import now

TYPES = {
    "match.started": "A match you sit at has started.",
    "turn.ready": "You are asked something new; `seq` is the question's `asked`.",
    "match.moved": "Something happened at your table, and you are not asked anything new.",
    "match.decided": "The house or the organiser has decided something; `seq` is the first entry that says so.",
    "match.over": "A match is over; its record is whole.",
    "match.cancelled": "A match will not take place.",
    "orders.dropped": "Lines of yours that waited cannot be made any more.",
    "seat.timeout": "The seat named here has missed its deadline; `seq` is the entry that says so.",
    "invitation.received": "You are invited to a match.",
    "note.written": "Somebody left a note at your table.",
    "offer.made": "Somebody offers to end or cancel a match.",
    "tournament.opened": "A tournament that you organise can be entered from now on.",
    "tournament.paired": "You are paired for a round of a tournament; `seq` is a line of its log.",
    "tournament.round-over": "A round of a tournament you play in or organise is over.",
    "tournament.ruled": "An organiser has decided something that concerns you; `seq` is the line that says so.",
    "tournament.over": "A tournament is over; its log is whole.",
}
"""What may happen, and what it means to who is told."""
COLUMNS = "id, player, match, seat, seq, type"
EVENT_TYPES = {"player": "text", "match": "text", "seat": "int", "seq": "int", "type": "text", "at": "bigint"}
INSERT = f"insert into event (player, match, seat, seq, type, at) select * from e returning {COLUMNS}"  # noqa: S608
MOST_ROWS = 1_000
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
    for start in range(0, len(found), MOST_ROWS):
        part = found[start : start + MOST_ROWS]
        holes = ", ".join(["(?, ?, ?, ?, ?)"] * len(part))
        sql = f"insert into event (player, tournament, seq, type, at) values {holes} returning {COLUMNS}, tournament"  # noqa: S608
        written = [StoredEvent(*row) for row in rows(sql, *(value for each in part for value in each))]
        fan_out(sorted(written, key=lambda each: each.id), at)
        db.after_commit(signal_new_events)

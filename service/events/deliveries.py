"""Deliveries: events on their way to hooks, one row each, written with the event."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from service import ids
from service.db.connection import db, execute, rows, rows_from_json
from service.events.event_shapes import DeliveryShown, TryShown
from service.jobs import wakeups
from service.timestamps import DAY

KEEP_UNDELIVERED = 30 * DAY
"""How long what could not be delivered is kept."""
SPECTATOR_EVENTS = {"match.started": "match.started", "match.over": "match.over"} | {
    "match.cancelled": "match.cancelled",
    "match.decided": "match.decided",
    "match.moved": "match.moved",
    "turn.ready": "match.moved",
}
"""What a hook on a match hears that is not its owner's seat, by what the seats hear."""
SELECT_HOOKS = (
    "select h.id, h.player, h.match, h.events from {wanted} join hook h on h.player = w.id "
    "where h.deleted_at is null and h.match is null "
    "union select h.id, h.player, h.match, h.events from {wanted} join match m on m.id = w.id "
    "join hook h on h.player = m.arbiter where h.deleted_at is null and h.match is null "
    "union select h.id, h.player, h.match, h.events from {wanted} join hook h on h.match = w.id "
    "where h.deleted_at is null"
)
SELECT_ARBITERS = "select id, arbiter from match where id in ({holes})"
COLUMNS = "(id, hook, event, match, type, seat, seq, at, attempts, due_at, status, answer)"


@dataclass(frozen=True)
class StoredEvent:
    """An event with its number."""

    id: int
    player: str | None
    match: str | None
    seat: int | None
    seq: int
    type: str
    tournament: str | None = None


@dataclass(frozen=True)
class HookSubscription:
    """A hook, as far as it matters to who hears what."""

    id: str
    player: str
    match: str | None
    events: frozenset[str]

    def select_events(self, events: Sequence[StoredEvent], arbiters: Mapping[str, str | None]) -> list[StoredEvent]:
        """Return what this hook gets of events that happened together: its owner's own, or what spectators see."""
        found: list[StoredEvent] = []
        for match in dict.fromkeys(event.match for event in events):
            about = [event for event in events if event.match == match]
            mine = [event for event in about if event.player == self.player]
            watches = match is not None and self._is_watching(match, arbiters.get(match))
            if self.match is None or watches:
                found += [event for event in mine if event.type in self.events]
            if not mine and watches:
                found += self._spectator_events(about)
        return found

    def _is_watching(self, match: str, arbiter: str | None) -> bool:
        """Return True if the hook hears of this match although its owner does not play in it."""
        return self.match == match if self.match is not None else self.player == arbiter

    def _spectator_events(self, about: Sequence[StoredEvent]) -> list[StoredEvent]:
        seen: dict[tuple[str, int], StoredEvent] = {}
        for event in about:
            kind = SPECTATOR_EVENTS.get(event.type)
            if kind in self.events:
                told = replace(event, player=None, seat=None, type=str(kind))
                seen.setdefault((told.type, 0 if kind == "match.moved" else told.seq), told)
        return list(seen.values())


def fan_out(events: Sequence[StoredEvent], at: int) -> None:
    """Queue the deliveries of events, inside the transaction that writes them."""
    matches = sorted({event.match for event in events if event.match})
    hooks = _find_subscriptions({event.player for event in events if event.player}, matches)
    arbiters = _find_arbiters(matches) if hooks else {}
    for hook in hooks:
        for event in hook.select_events(events, arbiters):
            queue_delivery(hook.id, event, at)


def _find_arbiters(matches: Sequence[str]) -> dict[str, str | None]:
    """Return the arbiter of each of these matches, None where there is none."""
    if not matches:
        return {}
    return dict(rows(SELECT_ARBITERS.format(holes=", ".join("?" * len(matches))), *matches))


def _find_subscriptions(players: Collection[str], matches: Sequence[str]) -> list[HookSubscription]:
    """Return the hooks that may hear of events: those of the players, of the arbiters, and on the matches."""
    source = rows_from_json("w", id="text")
    wanted = [json.dumps([{"id": each} for each in found]) for found in (sorted(players), matches)]
    people, tables = wanted
    found = rows(SELECT_HOOKS.format(wanted=source), people, tables, tables)
    return [HookSubscription(id_, player, match, frozenset(json.loads(events))) for id_, player, match, events in found]


def queue_delivery(hook: str, event: StoredEvent, at: int) -> str:
    """Queue one delivery; its id, which stays the same however often it is tried."""
    id_ = ids.new_id(24)
    holes = ", ".join("?" * 12)
    sql = f"insert into delivery {COLUMNS} values ({holes})"  # noqa: S608  # our own columns
    execute(sql, id_, hook, event.id, event.match or "", event.type, event.seat, event.seq, at, 0, at, "queued", "")
    if event.tournament is not None:
        execute("update delivery set tournament = ? where id = ?", event.tournament, id_)
    db.after_commit(wakeups.wake_sweeper)
    return id_


def replay(hook: str, since: int, at: int) -> int:
    """Queue everything again that happened since then, delivered or not, in its old order; how many."""
    sql = "update delivery set status = 'queued', attempts = 0, due_at = ? where hook = ? and at >= ? and event > 0"
    return execute(sql, at, hook, since)


def retry_now(hook: str, at: int) -> int:
    """Try at once what waits for its next try; how many."""
    return execute("update delivery set due_at = ? where hook = ? and status = 'queued' and due_at > ?", at, hook, at)


def expire_old(at: int) -> int:
    """Give up what could not be delivered for thirty days; how many."""
    return execute("update delivery set status = 'expired' where status = 'queued' and at < ?", at - KEEP_UNDELIVERED)


SELECT_LOG = (
    "select id, type, match, seat, seq, at, status, attempts, due_at, sent_at, code, answer from delivery "
    "where hook = ? and (at < ? or (at = ? and id > ?)) order by at desc, id limit ?"
)
LOG_FIELDS = ("id", "type", "match", "seat", "seq", "at", "status", "attempts", "due_at", "sent_at", "code", "answer")


def list_deliveries(hook: str, after: tuple[Any, ...] | None, limit: int) -> list[DeliveryShown]:
    """Return the log of a hook, latest first, each delivery with its tries."""
    at, id_ = after or (2**53, "")
    log = [dict(zip(LOG_FIELDS, row, strict=True)) for row in rows(SELECT_LOG, hook, at, at, id_, limit)]
    tries = _attempts_by_delivery([row["id"] for row in log])
    for row in log:
        row["match"] = row["match"] or None
        row["due_at"] = row["due_at"] if row["status"] == "queued" else None
    return [DeliveryShown(**row, tries=tries.get(row["id"], [])) for row in log]


def _attempts_by_delivery(deliveries: Sequence[str]) -> dict[str, list[TryShown]]:
    attempts: dict[str, list[TryShown]] = {}
    if not deliveries:
        return attempts
    sql = "select delivery, at, code, answer, ms from attempt where delivery in ({}) order by id"
    for delivery, at, code, answer, ms in rows(sql.format(", ".join("?" * len(deliveries))), *deliveries):
        attempts.setdefault(delivery, []).append(TryShown(at=at, code=code, answer=answer, ms=ms))
    return attempts

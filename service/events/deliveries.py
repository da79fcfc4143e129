"""Deliveries: a row for each event that goes to a hook, written with the event."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from service import ids
from service.db.batches import rows_for
from service.db.connection import db, execute, rows, rows_from_json
from service.events.event_shapes import DeliveryShown, TryShown
from service.jobs import wakeups
from service.timestamps import DAY

KEEP_UNDELIVERED = 30 * DAY
"""How long, in ms, undelivered events are retried."""
SPECTATOR_EVENTS = {"match.started": "match.started", "match.over": "match.over"} | {
    "match.cancelled": "match.cancelled",
    "match.decided": "match.decided",
    "match.moved": "match.moved",
    "turn.ready": "match.moved",
}
"""The event type for spectators, by the type that the seats get."""
SELECT_HOOKS = (
    "select h.id, h.player, h.match, h.events from {wanted} join hook h on h.player = w.id "
    "where h.deleted_at is null and h.match is null "
    "union select h.id, h.player, h.match, h.events from {wanted} join match m on m.id = w.id "
    "join hook h on h.player = m.arbiter where h.deleted_at is null and h.match is null "
    "union select h.id, h.player, h.match, h.events from {wanted} join hook h on h.match = w.id "
    "where h.deleted_at is null"
)
SELECT_ARBITERS = "select id, arbiter from match where id in ({holes})"
INSERT = (
    "insert into delivery (id, hook, event, match, type, seat, seq, tournament, at, due_at, attempts, status, answer) "
    "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 'queued', '')"
)


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
    """The parts of a hook that decide which events it gets."""

    id: str
    player: str
    match: str | None
    events: frozenset[str]

    def select_events(self, events: Sequence[StoredEvent], arbiters: Mapping[str, str | None]) -> list[StoredEvent]:
        """Return the events for this hook: its owner's own, or those for spectators. All have the same time."""
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
        """Return True if the hook gets events of this match although its owner does not play in it."""
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
    """Queue the deliveries of events. Call inside the transaction that writes them."""
    matches = sorted({event.match for event in events if event.match})
    hooks = _find_subscriptions({event.player for event in events if event.player}, matches)
    arbiters = dict(rows_for(SELECT_ARBITERS, matches)) if hooks else {}
    for hook in hooks:
        for event in hook.select_events(events, arbiters):
            queue_delivery(hook.id, event, at)


def _find_subscriptions(players: Collection[str], matches: Sequence[str]) -> list[HookSubscription]:
    """Return the hooks that may get events: of these players, of the arbiters, and on these matches."""
    source = rows_from_json("w", id="text")
    wanted = [json.dumps([{"id": each} for each in found]) for found in (sorted(players), matches)]
    people, tables = wanted
    found = rows(SELECT_HOOKS.format(wanted=source), people, tables, tables)
    return [HookSubscription(id_, player, match, frozenset(json.loads(events))) for id_, player, match, events in found]


def queue_delivery(hook: str, event: StoredEvent, at: int) -> str:
    """Queue one delivery. Return its id, which stays the same for every attempt."""
    id_ = ids.new_id(24)
    about = (event.id, event.match or "", event.type, event.seat, event.seq, event.tournament)
    execute(INSERT, id_, hook, *about, at, at)
    db.after_commit(wakeups.wake_sweeper)
    return id_


def replay(hook: str, since: int, at: int) -> int:
    """Queue all deliveries since then again, in their old order. Return how many."""
    sql = "update delivery set status = 'queued', attempts = 0, due_at = ? where hook = ? and at >= ? and event > 0"
    return execute(sql, at, hook, since)


def retry_now(hook: str, at: int) -> int:
    """Make the queued deliveries of a hook due now. Return how many."""
    return execute("update delivery set due_at = ? where hook = ? and status = 'queued' and due_at > ?", at, hook, at)


def expire_old(at: int) -> int:
    """Give up deliveries that have failed for thirty days. Return how many."""
    return execute("update delivery set status = 'expired' where status = 'queued' and at < ?", at - KEEP_UNDELIVERED)


LOG_FIELDS = ("id", "type", "match", "seat", "seq", "at", "status", "attempts", "due_at", "sent_at", "code", "answer")
SELECT_LOG = (
    f"select {', '.join(LOG_FIELDS)} from delivery "  # noqa: S608  # our own columns
    "where hook = ? and (at < ? or (at = ? and id > ?)) order by at desc, id limit ?"
)
SELECT_ATTEMPTS = "select delivery, at, code, answer, ms from attempt where delivery in ({holes}) order by id"


def list_deliveries(hook: str, after: tuple[Any, ...] | None, limit: int) -> list[DeliveryShown]:
    """Return the deliveries of a hook with their attempts, latest first."""
    at, id_ = after or (2**53, "")
    log = [dict(zip(LOG_FIELDS, row, strict=True)) for row in rows(SELECT_LOG, hook, at, at, id_, limit)]
    tries = _attempts_by_delivery([row["id"] for row in log])
    for row in log:
        row["match"] = row["match"] or None
        row["due_at"] = row["due_at"] if row["status"] == "queued" else None
    return [DeliveryShown(**row, tries=tries.get(row["id"], [])) for row in log]


def _attempts_by_delivery(deliveries: Sequence[str]) -> dict[str, list[TryShown]]:
    attempts: dict[str, list[TryShown]] = {}
    for delivery, at, code, answer, ms in rows_for(SELECT_ATTEMPTS, deliveries):
        attempts.setdefault(delivery, []).append(TryShown(at=at, code=code, answer=answer, ms=ms))
    return attempts

"""Deliveries: events on their way to hooks, one row each, written with the event."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from service import ids as chosen
from service.db.connection import rows, run
from service.play.time_control import DAY

KEPT = 30 * DAY
"""How long what could not be delivered is kept."""
LOGGED = 90 * DAY
"""How long the log of deliveries goes back."""
WATCHED = {"match.started": "match.started", "match.over": "match.over"} | {
    "match.cancelled": "match.cancelled",
    "match.decided": "match.decided",
    "match.moved": "match.moved",
    "turn.ready": "match.moved",
}
"""What a hook on a match hears that is not its owner's seat, by what the seats hear."""
HOOKS = "select id, player, match, league, events from hook where deleted_at is null and "
COLUMNS = "(id, hook, event, match, type, seat, seq, at, attempts, due_at, status, answer)"


@dataclass(frozen=True)
class Written:
    """An event with its number."""

    id: int
    player: str | None
    match: str
    seat: int | None
    seq: int
    type: str


@dataclass(frozen=True)
class Belonging:
    """To whom a match belongs besides its players."""

    league: str | None
    arbiter: str | None


@dataclass(frozen=True)
class Listening:
    """A hook, as far as it matters to who hears what."""

    id: str
    player: str
    match: str | None
    league: str | None
    events: frozenset[str]

    def hears(self, events: Sequence[Written], matches: Mapping[str, Belonging]) -> list[Written]:
        """What this hook gets of events that happened together: its owner's own, or what anybody sees who watches."""
        found: list[Written] = []
        for match in dict.fromkeys(event.match for event in events):
            about = [event for event in events if event.match == match]
            mine = [event for event in about if event.player == self.player]
            whole = self.match is None and self.league is None
            if whole or self._watches(match, matches.get(match)):
                found += [event for event in mine if event.type in self.events]
            if not mine and self._watches(match, matches.get(match)):
                found += self._watched(about)
        return found

    def _watches(self, match: str, belongs: Belonging | None) -> bool:
        """Whether what happens at this table is heard by whoever does not sit there."""
        if belongs is None:
            return False
        if self.league is not None:
            return self.league == belongs.league
        return self.match == match if self.match is not None else self.player == belongs.arbiter

    def _watched(self, about: Sequence[Written]) -> list[Written]:
        seen: dict[tuple[str, int], Written] = {}
        for event in about:
            kind = WATCHED.get(event.type)
            if kind in self.events:
                told = replace(event, player=None, seat=None, type=str(kind))
                seen.setdefault((told.type, 0 if kind == "match.moved" else told.seq), told)
        return list(seen.values())


def fan_out(events: Sequence[Written], at: int) -> None:
    """Queue the deliveries of events, inside the transaction that writes them."""
    matches = _belonging(sorted({event.match for event in events if event.match}))
    people = {event.player for event in events} | {each.arbiter for each in matches.values()}
    found = _listening("match is null and league is null and player", people) + _listening("match", set(matches))
    for hook in found + _listening("league", {each.league for each in matches.values()}):
        for event in hook.hears(events, matches):
            queue(hook.id, event, at)


def _belonging(matches: Sequence[str]) -> dict[str, Belonging]:
    if not matches:
        return {}
    sql = f"select id, league, arbiter from match where id in ({', '.join('?' * len(matches))})"  # noqa: S608  # holes
    return {match: Belonging(league, arbiter) for match, league, arbiter in rows(sql, *matches)}


def _listening(column: str, values: Iterable[str | None]) -> list[Listening]:
    known = sorted(each for each in values if each)
    if not known:
        return []
    found = rows(f"{HOOKS}{column} in ({', '.join('?' * len(known))})", *known)
    return [
        Listening(id_, player, match, league, frozenset(json.loads(events)))
        for id_, player, match, league, events in found
    ]


def queue(hook: str, event: Written, at: int) -> str:
    """Queue one delivery; its id, which stays the same however often it is tried."""
    made = chosen.name(24)
    holes = ", ".join("?" * 12)
    sql = f"insert into delivery {COLUMNS} values ({holes})"  # noqa: S608  # our own columns
    run(sql, made, hook, event.id, event.match or "", event.type, event.seat, event.seq, at, 0, at, "queued", "")
    return made


def replay(hook: str, since: int, at: int) -> int:
    """Queue everything again that happened since then, delivered or not, in its old order; how many."""
    sql = "update delivery set status = 'queued', attempts = 0, due_at = ? where hook = ? and at >= ? and event > 0"
    return run(sql, at, hook, since)


def hasten(hook: str, at: int) -> int:
    """Try at once what waits for its next try; how many."""
    return run("update delivery set due_at = ? where hook = ? and status = 'queued' and due_at > ?", at, hook, at)


def tidy(at: int) -> int:
    """Give up what could not be delivered for thirty days, and forget the log of long ago; how many were given up."""
    run(
        "delete from attempt where delivery in (select id from delivery where at < ? and status <> 'queued')",
        at - LOGGED,
    )
    run("delete from delivery where at < ? and status <> 'queued'", at - LOGGED)
    return run("update delivery set status = 'expired' where status = 'queued' and at < ?", at - KEPT)


LISTED = (
    "select id, type, match, seat, seq, at, status, attempts, due_at, sent_at, code, answer from delivery "
    "where hook = ? and (at < ? or (at = ? and id > ?)) order by at desc, id limit ?"
)
NAMES = ("id", "type", "match", "seat", "seq", "at", "status", "attempts", "due_at", "sent_at", "code", "answer")


def listed(hook: str, after: tuple[Any, ...] | None, limit: int) -> list[dict[str, Any]]:
    """The log of a hook, latest first, each delivery with its tries."""
    at, id_ = after or (2**53, "")
    found = [dict(zip(NAMES, row, strict=True)) for row in rows(LISTED, hook, at, at, id_, limit)]
    tries = _tries([row["id"] for row in found])
    for row in found:
        row["match"] = row["match"] or None
        row["due_at"] = row["due_at"] if row["status"] == "queued" else None
        row["tries"] = tries.get(row["id"], [])
    return found


def _tries(ids: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    if not ids:
        return found
    sql = "select delivery, at, code, answer, ms from attempt where delivery in ({}) order by id"
    for delivery, at, code, answer, ms in rows(sql.format(", ".join("?" * len(ids))), *ids):
        found.setdefault(delivery, []).append({"at": at, "code": code, "answer": answer, "ms": ms})
    return found

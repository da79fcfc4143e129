"""Examining a match: recompute everything that follows from its log and compare it with the stored values."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from engine.game import AnyAction, Seal, seal
from engine.reading import read
from service.db.connection import DatabaseDown, rows
from service.play import match_loader, record_export, seat_cache
from service.play.match_log import select_entries
from service.record.errors import BadRecord
from service.record.match_state import MatchState, initial_match_state
from service.record.verify import verify
from service.record.verify.rules_check import RulesChecker


def entries_with_wrong_seal(now: MatchState) -> Iterator[int]:
    """Yield the entries whose stored seal differs from the rules."""
    then = initial_match_state(now.facts)
    for entry in select_entries("match = ? and seq <= ? order by seq", now.facts.id, now.seq):
        action = read(now.facts.game, entry.line, entry.seat)
        kept = (entry.prev, entry.sealed, entry.reveals, entry.owner, entry.shown)
        if kept != _derive_seal(then, entry.seat, action):
            yield entry.seq
        then = then.after(entry.seat, action, entry.hash, entry.at)


def _derive_seal(then: MatchState, seat: int, action: AnyAction) -> tuple[str, str, int, int, str]:
    sealed = seal(then.state, action)
    shown = action.line if sealed is Seal.NEVER else action.seen_by(seat, None)
    return (then.hash, sealed.value, then.state.reveals, action.owner(seat), shown)


TRIES = 3
MATCH = (
    "select m.status, m.head_seq, m.head_hash, m.head_at, m.ended_at, m.resolved_seq, "
    "(select max(seq) from entry e where e.match = m.id) from match m where m.id = ?"
)


@dataclass(frozen=True)
class Finding:
    """A discrepancy: its kind and its values."""

    kind: str
    values: dict[str, object]


@dataclass(frozen=True)
class StoredMatch:
    """The stored row of a match."""

    status: str
    head: tuple[int, str, int]
    ended_at: int | None
    resolved: int
    entries: int


def started_matches() -> list[str]:
    """Return the matches that have a log, oldest first."""
    sql = "select h.match from header h join match m on m.id = h.match order by m.started_at, h.match"
    return [match for (match,) in rows(sql)]


def matches_changed_since(at: int) -> list[str]:
    """Return the matches whose log has grown since then, oldest first."""
    sql = "select m.id from match m join header h on h.match = m.id where m.head_at >= ? order by m.head_at, m.id"
    return [match for (match,) in rows(sql, at)]


def examine(match: str) -> list[Finding]:
    """Return what is wrong with this match. If the match moves meanwhile, examine it again."""
    found: list[Finding] = []
    for _ in range(TRIES):
        before = stored_match(match)
        found = list(_findings(match, before))
        if not found or stored_match(match) == before:
            break
    return found


def stored_match(match: str) -> StoredMatch:
    """Return the row of a match and the length of its log."""
    ((status, seq, hash_, at, ended_at, resolved, entries),) = rows(MATCH, match)
    return StoredMatch(status, (seq, hash_, at), ended_at, resolved, entries or 0)


def derive_match_state(match: str, seq: int) -> MatchState:
    """Return the match state after `seq` entries, computed from the log alone."""
    return match_loader.replay_from_start(match, seq)


def _findings(match: str, row: StoredMatch) -> Iterator[Finding]:
    record = b""
    try:
        now = derive_match_state(match, row.entries)
        record = record_export.export_record(now, "all")
        verify(record, rules=RulesChecker())
        unlike = list(entries_with_wrong_seal(now))
    except DatabaseDown:
        raise
    except BadRecord as fault:
        yield _log_finding(_entry_at_line(record, fault.line), f"{fault.reason}: {fault.detail}")
        return
    except Exception as error:  # noqa: BLE001  # whatever a broken log makes of the rules is a finding
        yield _log_finding(_first_unplayable(match, row.entries), f"{type(error).__name__}: {error}")
        return
    if now.facts.header.hash != now.facts.header_hash:
        yield Finding("header", {})
    for seq in unlike:
        yield Finding("seal", {"entry": seq})
    if row.head != (now.seq, now.hash, now.at):
        kept_head, log_head = (f"{seq} {hash_[:12]}" for seq, hash_ in (row.head[:2], (now.seq, now.hash)))
        yield Finding("head", {"kept": kept_head, "log": log_head})
    if row.status != expected_status(now) or row.ended_at != expected_end(now):
        yield Finding("status", {"kept": row.status, "log": expected_status(now)})
    if row.resolved > now.seq:
        yield Finding("resolved", {"kept": row.resolved, "log": now.seq})
    yield from snapshot_findings(match, now)
    if row.resolved == now.seq:
        yield from _seat_findings(match, now)
    yield from _submission_findings(match)


def _log_finding(entry: int | None, why: str) -> Finding:
    """Return the finding for a bad log, at this entry or as a whole."""
    values: dict[str, object] = {"why": why.rstrip(".")}
    return Finding("entry", {"entry": entry, **values}) if entry else Finding("log", values)


def _entry_at_line(record: bytes, line: int) -> int | None:
    """Return the number of the entry in this line of a record, or None."""
    for row in map(json.loads, record.splitlines()[line - 1 : line]):
        return int(row["seq"]) if "commit" in row else None
    return None


def _first_unplayable(match: str, entries: int) -> int | None:
    """Return the first entry that cannot be replayed, or None if the header is at fault."""
    first = bisect_left(range(entries + 1), 1, key=lambda seq: not _is_playable(match, seq))
    return first if first <= entries else None


def _is_playable(match: str, seq: int) -> bool:
    try:
        derive_match_state(match, seq)
    except DatabaseDown:
        raise
    except Exception:  # noqa: BLE001  # whatever a broken log makes of the rules
        return False
    return True


def expected_status(now: MatchState) -> str:
    """Return the status that the row of the match should have."""
    return "over" if now.state.over else "running"


def expected_end(now: MatchState) -> int | None:
    """Return the end time that the row of the match should have."""
    return now.at if now.state.over else None


def snapshot_findings(match: str, now: MatchState) -> Iterator[Finding]:
    """Yield what is wrong with the snapshot of a match. A snapshot that lags behind the log must fit its own entry."""
    for seq, hash_, shape, state in rows("select seq, hash, shape, state from snapshot where match = ?", match):
        if seq > now.seq:
            yield Finding("snapshot-ahead", {"kept": seq, "log": now.seq})
            continue
        then = now if seq == now.seq else derive_match_state(match, seq)
        known, text = match_loader.dump_snapshot(then)
        if shape == known and (hash_, state) != (then.hash, text):
            yield Finding("snapshot", {"kept": seq})


def _seat_findings(match: str, now: MatchState) -> Iterator[Finding]:
    for row, place in zip(seat_cache.stored_seats(match), seat_cache.derive_seats(now), strict=True):
        differ = [name for name, value in vars(place).items() if vars(row.place)[name] != value]
        if differ:
            yield Finding("seat", {"seat": row.seat, "names": ", ".join(differ)})


def _submission_findings(match: str) -> Iterator[Finding]:
    signed = {each for (each,) in rows("select signature from entry where match = ? and signature is not null", match)}
    for id_, made, body in rows("select id, made, body from submission where match = ? and channel <> 'mail'", match):
        count = sum(each in signed for each in json.loads(body)["signatures"])
        if made != count:
            yield Finding("submission", {"id": id_, "kept": made, "log": count})

"""Rebuilding the caches of a match from its log: head, snapshot and seats."""

from __future__ import annotations

from service.db.connection import execute, rows, write_transaction
from service.play import integrity, match_loader, seat_cache
from service.play.match_log import lock_match
from service.play.resolve import postpone_thought, resolution_of, waiting_orders
from service.record.match_state import MatchState

HEAD = (
    "update match set head_seq = ?, head_hash = ?, head_at = ?, status = ?, ended_at = ?, resolved_seq = ? where id = ?"
)
SNAPSHOT = "insert into snapshot (match, seq, hash, shape, state) values (?, ?, ?, ?, ?)"


def rebuild_caches(match: str, most_entries: int) -> bool:
    """Recompute head, snapshot and seats. Return True if anything differed."""
    while True:
        row = integrity.stored_match(match)
        now = integrity.derive_match_state(match, row.entries)
        resolved = _resolved_seq(row, now, most_entries)
        with write_transaction():
            lock_match(match)
            if integrity.stored_match(match) != row:
                continue
            before = _read_caches(match)
            head = (now.seq, now.hash, now.at, integrity.expected_status(now), integrity.expected_end(now))
            execute(HEAD, *head, resolved, match)
            _rebuild_snapshot(match, now)
            if resolved == now.seq:
                seat_cache.renew(now)
            changed = _read_caches(match) != before
        match_loader.forget_match_state(match)
        return changed


def _rebuild_snapshot(match: str, now: MatchState) -> None:
    """Store a snapshot, unless an earlier one that fits the log is stored."""
    stored = rows("select seq, shape from snapshot where match = ?", match)
    shape, text = match_loader.dump_snapshot(now)
    if [each for _, each in stored] == [shape] and not list(integrity.snapshot_findings(match, now)):
        return
    execute("delete from snapshot where match = ?", match)
    execute(SNAPSHOT, match, now.seq, now.hash, shape, text)


def _resolved_seq(row: integrity.StoredMatch, now: MatchState, most_entries: int) -> int:
    """Return the entry up to which the match is resolved: the stored value, unless that is impossible."""
    if row.resolved < now.seq and row.head[:2] == (now.seq, now.hash):
        return row.resolved
    follows = resolution_of(
        now, now.at, most_entries, think=postpone_thought, waiting=waiting_orders([now]).get(now.facts.id)
    )
    return now.seq - 1 if follows.entries or follows.thinking else now.seq


def _read_caches(match: str) -> list[list[tuple[object, ...]]]:
    return [
        rows("select head_seq, head_hash, head_at, status, ended_at, resolved_seq from match where id = ?", match),
        rows("select seq, hash, shape, state from snapshot where match = ?", match),
        rows("select player, bot, keys, asked, asked_at from seat where match = ? order by seat", match),
    ]

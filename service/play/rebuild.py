"""Making the caches of a match anew from its log, touching nothing else."""

from __future__ import annotations

from service.db.connection import rows, run, writing
from service.matches.start import locked
from service.play import integrity as examination
from service.play import seat_cache as seats
from service.play.resolve import resolution_of
from service.record import table
from service.record.table import Table

HEAD = (
    "update match set head_seq = ?, head_hash = ?, head_at = ?, status = ?, ended_at = ?, resolved_seq = ? where id = ?"
)
SNAPSHOT = "insert into snapshot (match, seq, hash, shape, state) values (?, ?, ?, ?, ?)"


def rebuild(match: str, most_entries: int) -> bool:
    """Derive head, snapshot and seats again; whether anything was different."""
    while True:
        row = examination.kept(match)
        now = examination.derived(match, row.entries)
        shape, text = table.dumped(now)
        resolved = _resolved(row, now, most_entries)
        with writing():
            locked(match)
            if examination.kept(match) != row:
                continue
            before = _caches(match)
            head = (now.seq, now.hash, now.at, examination.status(now), examination.ended(now))
            run(HEAD, *head, resolved, match)
            run("delete from snapshot where match = ?", match)
            run(SNAPSHOT, match, now.seq, now.hash, shape, text)
            if resolved == now.seq:
                seats.renew(now)
            changed = _caches(match) != before
        table.forget(match)
        return changed


def _resolved(row: examination.Kept, now: Table, most_entries: int) -> int:
    """Up to where the match is resolved: as it was, unless that cannot be."""
    if row.resolved < now.seq and row.head[:2] == (now.seq, now.hash):
        return row.resolved
    return now.seq - 1 if resolution_of(now, now.at, most_entries).entries else now.seq


def _caches(match: str) -> list[list[tuple[object, ...]]]:
    return [
        rows("select head_seq, head_hash, head_at, status, ended_at, resolved_seq from match where id = ?", match),
        rows("select seq, hash, shape, state from snapshot where match = ?", match),
        rows("select player, bot, keys, asked, asked_at from seat where match = ? order by seat", match),
    ]

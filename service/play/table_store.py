"""Earlier tables: replayed from the nearest one that is remembered, so that leafing through a log stays cheap."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections import OrderedDict
from threading import Lock

from service.problems import Problem
from service.record.table import Table, first, tail

STRIDE = 64
"""Every so manieth table on the way is remembered too."""
MOST_KEPT = 512
"""How many tables this process remembers, of all matches together."""


class Shelf:
    """Tables that were looked at, found by match and entry; those not asked for longest go first."""

    def __init__(self, most: int = MOST_KEPT) -> None:
        self.most = most
        self._kept: OrderedDict[tuple[str, int], Table] = OrderedDict()
        self._seqs: dict[str, list[int]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._kept)

    def nearest(self, header: str, seq: int) -> Table | None:
        """The latest remembered table of this log that is not after this entry."""
        with self._lock:
            seqs = self._seqs.get(header, [])
            at = bisect_right(seqs, seq)
            if not at:
                return None
            self._kept.move_to_end((header, seqs[at - 1]))
            return self._kept[header, seqs[at - 1]]

    def keep(self, table: Table) -> None:
        """Remember a table."""
        header, seq = table.facts.header_hash, table.seq
        with self._lock:
            if (header, seq) not in self._kept:
                insort(self._seqs.setdefault(header, []), seq)
            self._kept[header, seq] = table
            self._kept.move_to_end((header, seq))
            while len(self._kept) > self.most:
                self._drop(*self._kept.popitem(last=False)[0])

    def _drop(self, header: str, seq: int) -> None:
        seqs = self._seqs[header]
        seqs.remove(seq)
        if not seqs:
            del self._seqs[header]

    def clear(self) -> None:
        """Remember nothing."""
        with self._lock:
            self._kept.clear()
            self._seqs.clear()


_shelf = Shelf()


def forget() -> None:
    """Drop what is remembered."""
    _shelf.clear()


def at(table: Table, seq: int, shelf: Shelf = _shelf) -> Table:
    """The table as it stood after an entry that this table has behind it."""
    if seq == table.seq:
        return table
    found = shelf.nearest(table.facts.header_hash, seq) or first(table.facts)
    while found.seq < seq:
        found = tail(found, min(seq, found.seq - found.seq % STRIDE + STRIDE))
        if found.seq % STRIDE == 0:
            shelf.keep(found)
    shelf.keep(found)
    return found


def asked_for(table: Table, seq: int) -> Table:
    """The table after the entry that a reader names, or a refusal if there is no such entry yet."""
    if seq > table.seq:
        raise Problem(
            "invalid",
            f"The log has {table.seq} entries so far; `at` is 0 to {table.seq}.",
            errors=[{"field": "at", "reason": f"at most {table.seq}"}],
        )
    return at(table, seq)

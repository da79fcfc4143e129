"""Errors for a refused record: the first fault, with its line, its reason and a sentence."""

from __future__ import annotations

REASONS = frozenset(
    {
        *("bytes", "cut", "fields", "order", "header", "key", "time", "by", "line", "commit", "hash", "salt", "mail"),
        *("signature", "asked", "house", "receipt", "head", "seed", "server", "join", "story", "shown", "rules"),
    }
)


class BadRecordPart(Exception):
    """A fault in one part of a record. The caller that reads the lines adds the line number."""

    def __init__(self, reason: str, detail: str) -> None:
        if reason not in REASONS:
            raise ValueError(f"{reason!r} is no reason to refuse a record")
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail

    def at(self, line: int) -> BadRecord:
        """Return the same fault with its line number."""
        return BadRecord(line, self.reason, self.detail)


class BadRecord(Exception):
    """A record is refused: `line N: REASON: detail`, lines counted from 1."""

    def __init__(self, line: int, reason: str, detail: str) -> None:
        if reason not in REASONS:
            raise ValueError(f"{reason!r} is no reason to refuse a record")
        super().__init__(f"line {line}: {reason}: {detail}")
        self.line = line
        self.reason = reason
        self.detail = detail

    def __reduce__(self) -> tuple[type[BadRecord], tuple[int, str, str]]:
        # Faults travel between the processes that verify a directory of records.
        return (BadRecord, (self.line, self.reason, self.detail))

"""Signed moves: the bytes a player signs for each line, and the alternatives such a line may name."""

from __future__ import annotations

from hashlib import sha256

from service.record.hashing import LINE_LIMIT, is_line

MOST_LINES = 64
BAR = " | "
LEAST_ALTERNATIVES = 2


def before(previous: str | None, orders: bool = False) -> str:
    """What ties a line to the one before it in its submission: `now`, `wait`, or the hash of that signature."""
    if previous is not None:
        return sha256(bytes.fromhex(previous)).hexdigest()
    return "wait" if orders else "now"


def move_text(match: str, seat: int, asked: int, prev: str, n: int, before: str, line: str) -> bytes:
    """The bytes that are signed for line n of a submission."""
    return f"echtra-move-v1\n{match}\n{seat}\n{asked}\n{prev}\n{n}\n{before}\n{line}\n".encode("ascii")


def alternatives(text: str) -> tuple[str, ...]:
    """The lines a signed text names in order of preference, one or several; nothing if it is not well formed."""
    lines = tuple(text.split(BAR))
    well_formed = len(text) <= LINE_LIMIT and all(is_line(line) for line in lines)
    return lines if well_formed and len(set(lines)) == len(lines) else ()

"""Two or more exports of one match: whether they tell one story, and what they show together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from service.record import canonical_json as canonical
from service.record.entry import Entry
from service.record.errors import Fault
from service.record.hashing import fits
from service.record.server_keys import ServerKeys
from service.record.verify.reader import Walk, walk


@dataclass(frozen=True)
class Union:
    """What several viewers' exports show together: the lines of an open export up to its head."""

    lines: bytes
    entries: int
    redacted: int


def compare(one: bytes, other: bytes, *, server_keys: ServerKeys | None = None) -> None:
    """Raises `Fault` if one of two exports is bad or they contradict each other; the line is one of the longer."""
    _compare(walk(one, server_keys), walk(other, server_keys))


def _compare(one: Walk, other: Walk) -> None:
    shorter, longer = sorted((one, other), key=lambda each: len(each.log.entries))
    if shorter.log.header != longer.log.header:
        raise Fault(1, "story", "the two exports have different headers")
    for mine, theirs in zip(shorter.log.entries, longer.log.entries, strict=False):
        line = longer.entry_line(mine.seq)
        if mine.hash != theirs.hash:
            raise Fault(line, "story", f"entry {mine.seq} is another one in the other export")
        _check_shown(line, mine, theirs)
    if shorter.seed is not None and len(shorter.log.entries) < len(longer.log.entries):
        line = longer.entry_line(len(shorter.log.entries) + 1)
        raise Fault(line, "story", "the match was over before this entry in the other export")


def _check_shown(line: int, mine: Entry, theirs: Entry) -> None:
    if mine.redacted == theirs.redacted:
        return
    sealed, opened = (mine, theirs) if mine.redacted else (theirs, mine)
    never = opened.line == "resign" or opened.line.startswith("keys ")
    if never or not fits(sealed.shown, opened.line):
        raise Fault(line, "shown", f"entry {mine.seq} was shown as {sealed.shown!r} and is {opened.line!r}")


def union(exports: Sequence[bytes], *, server_keys: ServerKeys | None = None) -> Union:
    """The lines of several viewers' exports together, each entry in its most open form, verified up to the head."""
    walks = [walk(data, server_keys) for data in exports]
    longest = max(walks, key=lambda each: len(each.log.entries))
    for each in walks:
        _compare(each, longest)
    rows = [
        *longest.raw["header"],
        *_merged(walks, "key", "id"),
        *(_most_open(walks, seq) for seq in range(len(longest.log.entries))),
        *_merged(walks, "receipt", "seq", "at", "signature"),
        *next((each.raw["seed"] for each in walks if each.seed is not None), []),
    ]
    together = Walk(server_keys)
    for row in rows:
        together.take(row)
    for each in walks:
        for server, line in each.servers.items():
            together.servers.setdefault(server, line)
    together.finish()
    entries = together.log.entries
    return Union(b"".join(row + b"\n" for row in rows), len(entries), sum(entry.redacted for entry in entries))


def _most_open(walks: Sequence[Walk], index: int) -> bytes:
    holding = [each for each in walks if index < len(each.log.entries)]
    return min(holding, key=lambda each: each.log.entries[index].redacted).raw["entry"][index]


def _merged(walks: Sequence[Walk], kind: str, *order: str) -> list[bytes]:
    rows = {row for each in walks for row in each.raw[kind]}
    return sorted(rows, key=lambda row: tuple(canonical.read(row)[name] for name in order))

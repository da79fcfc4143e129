"""Compare exports of one match, and merge what they show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from service.record import canonical_json
from service.record.entry import Entry
from service.record.errors import BadRecord
from service.record.patterns import fits_redacted_form
from service.record.server_keys import ServerKeys
from service.record.verify.reader import ExportReader, read_export


@dataclass(frozen=True)
class MergedExport:
    """Combined view of several viewers' exports: the lines of an open export up to its head."""

    lines: bytes
    entries: int
    redacted: int


def compare_exports(one: bytes, other: bytes, *, server_keys: ServerKeys | None = None) -> None:
    """Raise `BadRecord` if an export is bad or the two contradict each other; its line is one of the longer export."""
    _compare_readings(read_export(one, server_keys), read_export(other, server_keys))


def _compare_readings(one: ExportReader, other: ExportReader) -> None:
    shorter, longer = sorted((one, other), key=lambda each: len(each.log.entries))
    if shorter.log.header != longer.log.header:
        raise BadRecord(1, "story", "the two exports have different headers")
    for mine, theirs in zip(shorter.log.entries, longer.log.entries, strict=False):
        line = longer.entry_line(mine.seq)
        if mine.hash != theirs.hash:
            raise BadRecord(line, "story", f"entry {mine.seq} is another one in the other export")
        _check_redacted_form(line, mine, theirs)
    if shorter.seed is not None and len(shorter.log.entries) < len(longer.log.entries):
        line = longer.entry_line(len(shorter.log.entries) + 1)
        raise BadRecord(line, "story", "the match was over before this entry in the other export")


def _check_redacted_form(line: int, mine: Entry, theirs: Entry) -> None:
    if mine.redacted == theirs.redacted:
        return
    sealed, opened = (mine, theirs) if mine.redacted else (theirs, mine)
    never = opened.line == "resign" or opened.line.startswith("keys ")
    if never or not fits_redacted_form(sealed.shown, opened.line):
        raise BadRecord(line, "shown", f"entry {mine.seq} was shown as {sealed.shown!r} and is {opened.line!r}")


def merge_exports(exports: Sequence[bytes], *, server_keys: ServerKeys | None = None) -> MergedExport:
    """Merge the exports of several viewers, each entry in its most open form, verified up to the head."""
    readers = [read_export(data, server_keys) for data in exports]
    longest = max(readers, key=lambda each: len(each.log.entries))
    for each in readers:
        _compare_readings(each, longest)
    rows = [
        *longest.raw["header"],
        *_merge_rows(readers, "key", "id"),
        *(_most_open_row(readers, seq) for seq in range(len(longest.log.entries))),
        *_merge_rows(readers, "receipt", "seq", "at", "signature"),
        *next((each.raw["seed"] for each in readers if each.seed is not None), []),
    ]
    together = ExportReader(server_keys)
    for row in rows:
        together.read_line(row)
    for each in readers:
        for server, line in each.servers.items():
            together.servers.setdefault(server, line)
    together.check_all_keys_shown()
    entries = together.log.entries
    return MergedExport(b"".join(row + b"\n" for row in rows), len(entries), sum(entry.redacted for entry in entries))


def _most_open_row(readers: Sequence[ExportReader], index: int) -> bytes:
    holding = [each for each in readers if index < len(each.log.entries)]
    return min(holding, key=lambda each: each.log.entries[index].redacted).raw["entry"][index]


def _merge_rows(readers: Sequence[ExportReader], kind: str, *order: str) -> list[bytes]:
    rows = {row for each in readers for row in each.raw[kind]}
    return sorted(rows, key=lambda row: tuple(canonical_json.read(row)[name] for name in order))

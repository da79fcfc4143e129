"""Verify an export: every byte, every link, every signature, and every move by the rules of the game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from service.record.canonical_json import JsonObject
from service.record.entry import Entry
from service.record.errors import BadRecord, BadRecordPart
from service.record.header import Header
from service.record.server_keys import ServerKeys
from service.record.verify.bot_lines import BotLinesChecker
from service.record.verify.kept_receipts import check_joins, check_receipts
from service.record.verify.reader import ExportReader, read_export
from service.record.verify.report import Report, build_report


def verify(
    data: bytes,
    *,
    server_keys: ServerKeys | None = None,
    receipts: Iterable[JsonObject] = (),
    joins: Iterable[JsonObject] = (),
    rules: GameRules | None = None,
) -> Report:
    """Return the report of a valid record. Raise `BadRecord` with the first fault of an invalid one."""
    reader = read_export(data, server_keys)
    joined = check_joins(reader, joins)
    kept, later = check_receipts(reader, receipts)
    if rules is not None:
        _check_rules(rules, reader)
    again = rules.bot_lines() if isinstance(rules, BotLinesChecker) else None
    return build_report(reader, joins=joined, kept=kept, later=later, rules=rules is not None, bot_lines=again)


def _check_rules(rules: GameRules, reader: ExportReader) -> None:
    if reader.head is None:
        raise ValueError("only an export with a head is shown to the rules")
    line = 1
    try:
        rules.start(reader.log.header, reader.head["viewer"], reader.seed)
        for entry in reader.log.entries:
            line = reader.entry_line(entry.seq)
            rules.check_entry(entry)
        line = reader.line
        rules.finish()
    except BadRecordPart as error:
        raise BadRecord(line, error.reason, error.detail) from None


class GameRules(Protocol):
    """The checks of a record by its game's rules. Each method may raise `BadRecordPart("rules", "…")`."""

    def start(self, header: Header, viewer: str, seed: bytes | None) -> None:
        """Called once. `viewer` is a seat's number, `-` or `all`. `seed` is given if the match is over."""

    def check_entry(self, entry: Entry) -> None:
        """Called for each entry in order.

        Open entry: its line must be listed, and its picks must follow from the seed. It must be the first listed line
        among `entry.alternatives`. After `now`, the seat's question must be unchanged since `entry.asked`. Scores
        written by the house must be the game's own.

        Redacted entry: `entry.shown` must be what the game shows this viewer.
        """

    def finish(self) -> None:
        """Called after the last entry. The match must be over if, and only if, a seed was given."""

"""Verifies an export: every byte, every link, every signature, and with the rules every move."""

from __future__ import annotations

from collections.abc import Iterable

from service.record.canonical_json import Row
from service.record.errors import Fault, Refused
from service.record.kept_receipts import check_joins, check_receipts
from service.record.report import Report, report
from service.record.server_keys import ServerKeys
from service.record.verify.reader import Progress, Walk, walk
from service.record.verify.rules_check_rules import Rules


def verify(
    data: bytes,
    *,
    server_keys: ServerKeys | None = None,
    receipts: Iterable[Row] = (),
    joins: Iterable[Row] = (),
    rules: Rules | None = None,
    progress: Progress | None = None,
) -> Report:
    """The report of a good record; the first fault of a bad one is raised as `Fault`."""
    found = walk(data, server_keys, progress)
    joined = check_joins(found, joins)
    kept, later = check_receipts(found, receipts)
    if rules is not None:
        _ask(rules, found, progress)
    return report(found, joins=joined, kept=kept, later=later, rules=rules is not None)


def _ask(rules: Rules, found: Walk, progress: Progress | None) -> None:
    if found.head is None:
        raise ValueError("only an export with a head is shown to the rules")
    line, entries = 1, found.log.entries
    try:
        rules.begin(found.log.header, found.head["viewer"], found.seed)
        for entry in entries:
            line = found.entry_line(entry.seq)
            rules.entry(entry)
            if progress is not None:
                progress(entry.seq, len(entries))
        line = found.line
        rules.over()
    except Refused as error:
        raise Fault(line, error.reason, error.detail) from None

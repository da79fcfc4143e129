"""`echtra verify`: check records byte by byte and move by move."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.command import FILE, Refusal, bilingual_command, bilingual_option, current_language, localise, refusal

if TYPE_CHECKING:
    from service.record.server_keys import ServerKeys
    from service.record.verify.report import Report

EXIT_BAD = 2


@dataclass(frozen=True)
class Evidence:
    """Files given with the records: the server's keys, receipts of moves and of seats."""

    keys: ServerKeys | None = None
    receipts: list[dict[str, Any]] = field(default_factory=list)
    joins: list[dict[str, Any]] = field(default_factory=list)
    bots: bool = False
    """True to recompute the moves of bots."""

    def of_match(self, match: str) -> Evidence:
        """Return the evidence about one match, since people keep the receipts of all their matches together."""
        receipts, joins = (
            [receipt for receipt in kept if receipt.get("match", match) == match]
            for kept in (self.receipts, self.joins)
        )
        return replace(self, receipts=receipts, joins=joins)

    def __len__(self) -> int:
        """Return the number of receipts."""
        return len(self.receipts) + len(self.joins)


@dataclass(frozen=True)
class Verdict:
    """The result of one file: a report, or its first fault."""

    path: Path
    report: Report | None = None
    line: int = 0
    reason: str = ""
    detail: str = ""
    skipped: int = 0
    """Number of receipts about other matches."""


@bilingual_command("verify", "usage.verify.about")
@click.argument("paths", nargs=-1, required=True, type=FILE, metavar="PATH…")
@bilingual_option("--receipt", type=FILE, metavar="FILE", text="usage.verify.receipt")
@bilingual_option("--keys", type=FILE, metavar="FILE", text="usage.verify.keys")
@bilingual_option("--bots", is_flag=True, text="usage.verify.bots")
@bilingual_option("--jobs", type=click.IntRange(1), metavar="N", text="usage.verify.jobs")
def command(paths: tuple[Path, ...], receipt: Path | None, keys: Path | None, bots: bool, jobs: int | None) -> int:
    """Verify records."""
    files = list(_find_files(paths))
    if receipt is not None and len(files) > 1:
        raise refusal("commands.verify.one")
    evidence = replace(_read_evidence(receipt, keys), bots=bots)
    if len(files) == 1:
        return _report_one(verify_file(evidence, files[0]))
    return _report_many(files, evidence, jobs or os.cpu_count() or 1)


def _find_files(paths: tuple[Path, ...]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        inside = sorted(path.rglob("*.jsonl"))
        if not inside:
            raise refusal("commands.verify.empty", path=path)
        yield from inside


def _read_evidence(receipt: Path | None, keys: Path | None) -> Evidence:
    from cli.files import read_file
    from service.record import server_keys
    from service.record.verify import kept_receipts

    known = None
    receipts: list[dict[str, Any]] = []
    joins: list[dict[str, Any]] = []
    try:
        if keys is not None:
            known = server_keys.read(read_file(keys))
        if receipt is not None:
            receipts, joins = kept_receipts.read(read_file(receipt))
    except (server_keys.KeyListError, kept_receipts.BadReceiptFile) as error:
        path = receipt if isinstance(error, kept_receipts.BadReceiptFile) else keys
        raise refusal("commands.verify.receipt", path=path, why=error) from None
    return Evidence(known, receipts, joins)


def verify_file(evidence: Evidence, path: Path) -> Verdict:
    """Verify one file. If there are many, this runs in several processes."""
    from service.record.errors import BadRecord
    from service.record.verify import verify
    from service.record.verify.bot_lines import BotLinesChecker
    from service.record.verify.rules_check import RulesChecker

    try:
        data = path.read_bytes()
    except OSError as error:
        return Verdict(path, None, 0, "file", error.strerror or str(error))
    given, evidence = len(evidence), evidence.of_match(_read_match_id(data))
    try:
        rules = BotLinesChecker() if evidence.bots else RulesChecker()
        report = verify(data, server_keys=evidence.keys, receipts=evidence.receipts, joins=evidence.joins, rules=rules)
    except BadRecord as fault:
        return Verdict(path, None, fault.line, fault.reason, fault.detail)
    return Verdict(path, report, skipped=given - len(evidence))


def _read_match_id(data: bytes) -> str:
    """Return the match that the last line of a record names, or "" if it is malformed, which `verify` reports."""
    try:
        head = json.loads(data.rstrip().rpartition(b"\n")[2])
    except ValueError:
        return ""
    return str(head.get("match", "")) if isinstance(head, dict) else ""


def _fault_text(verdict: Verdict) -> str:
    if verdict.reason == "file":
        return localise("commands.match_file.unreadable", path=verdict.path, why=verdict.detail)
    return localise("commands.verify.bad", **vars(verdict))


def _report_one(verdict: Verdict) -> int:
    if verdict.report is None:
        raise Refusal(_fault_text(verdict))
    click.echo(verdict.report.text(current_language()))
    if verdict.skipped:
        click.echo(localise("commands.verify.skipped", count=verdict.skipped), err=True)
    return EXIT_BAD if _count_bot_lines([verdict.report])["differ"] else 0


def _count_bot_lines(reports: list[Report]) -> dict[str, int]:
    """Return how many lines of bots were compared, could not be compared, and differ, over all records."""
    counts = [report.bot_lines for report in reports if report.bot_lines is not None]
    return {
        "compared": sum(sum(count.compared.values()) for count in counts),
        "skipped": sum(sum(count.skipped.values()) + sum(count.retired.values()) for count in counts),
        "differ": sum(len(count.differences) for count in counts),
    }


def _report_many(files: list[Path], evidence: Evidence, jobs: int) -> int:
    from cli.progress import progress_bar

    with progress_bar() as bar, ProcessPoolExecutor(min(jobs, len(files))) as pool:
        results = pool.map(partial(verify_file, evidence), files, chunksize=1)
        verdicts = list(bar.track(results, total=len(files), description=localise("commands.verify.checking")))
    good = [(verdict.path, verdict.report) for verdict in verdicts if verdict.report is not None]
    bad = [verdict for verdict in verdicts if verdict.report is None]
    _print_table(good)
    for verdict in bad:
        click.echo(_fault_text(verdict), err=True)
    reports = [report for _, report in good]
    entries = sum(report.entries for report in reports)
    click.echo(localise("commands.verify.sum", good=len(good), bad=len(bad), entries=entries))
    counts = _count_bot_lines(reports)
    if evidence.bots:
        click.echo(localise("commands.verify.bots_sum", **counts))
    return EXIT_BAD if bad or counts["differ"] else 0


def _print_table(good: list[tuple[Path, Report]]) -> None:
    from cli.terminal import Terminal

    def say(key: str) -> str:
        return localise(f"commands.verify.{key}")

    rows = []
    for path, report in good:
        state = say("over" if report.over else "running")
        figures = (str(report.entries), str(len(report.house)))
        rows.append([path.name, report.match, report.game, report.hash[:12], state, *figures])
    header = [say(key) for key in ("file", "match", "game", "head", "state", "entries", "house")]
    Terminal().grid(say("title"), header, rows, left=5)

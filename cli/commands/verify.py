"""`echtra verify`: whether records are good, checked byte by byte and move by move."""

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

from cli.command import Refusal, bilingual_command, bilingual_option, refusal
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale
    from service.record.server_keys import ServerKeys
    from service.record.verify.report import Report

EXIT_BAD = 2


@dataclass(frozen=True)
class Evidence:
    """What was given beside the records."""

    keys: ServerKeys | None = None
    receipts: list[dict[str, Any]] = field(default_factory=list)
    joins: list[dict[str, Any]] = field(default_factory=list)
    bots: bool = False
    """Whether the bots are asked again."""

    def of_match(self, match: str) -> Evidence:
        """What of it is about this match: people keep the receipts of all their matches together."""
        receipts, joins = (
            [each for each in found if each.get("match", match) == match] for found in (self.receipts, self.joins)
        )
        return replace(self, receipts=receipts, joins=joins)

    def __len__(self) -> int:
        """How many receipts there are."""
        return len(self.receipts) + len(self.joins)


@dataclass(frozen=True)
class Verdict:
    """What came of one file: a report, or its first fault."""

    path: Path
    report: Report | None = None
    line: int = 0
    reason: str = ""
    detail: str = ""
    skipped: int = 0
    """How many receipts are about other matches."""


@bilingual_command("verify", "usage.verify.about")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="PATH…")
@bilingual_option(
    "--receipt",
    type=click.Path(path_type=Path),
    metavar="FILE",
    text="usage.verify.receipt",
)
@bilingual_option(
    "--keys",
    type=click.Path(path_type=Path),
    metavar="FILE",
    text="usage.verify.keys",
)
@bilingual_option("--bots", is_flag=True, text="usage.verify.bots")
@bilingual_option("--jobs", type=click.IntRange(1), metavar="N", text="usage.verify.jobs")
def command(  # what the command takes
    paths: tuple[Path, ...],
    receipt: Path | None,
    keys: Path | None,
    bots: bool,
    jobs: int | None,
    locale: Locale,
    no_color: bool,
) -> int:
    """Verify records."""
    files = list(_find_files(paths, locale))
    if receipt is not None and len(files) > 1:
        raise refusal(locale, "commands.verify.one")
    beside = replace(_read_evidence(receipt, keys, locale), bots=bots)
    if len(files) == 1:
        return _report_one(verify_file(beside, files[0]), locale)
    return _report_many(files, beside, jobs or os.cpu_count() or 1, locale, no_color=no_color)


def _find_files(paths: tuple[Path, ...], locale: Locale) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        inside = sorted(path.rglob("*.jsonl"))
        if not inside:
            raise refusal(locale, "commands.verify.empty", path=path)
        yield from inside


def _read_bytes(path: Path, locale: Locale) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise refusal(locale, "commands.match_file.missing", path=path) from None
    except OSError as error:
        raise refusal(locale, "commands.match_file.unreadable", path=path, why=error.strerror or error) from None


def _read_evidence(receipt: Path | None, keys: Path | None, locale: Locale) -> Evidence:
    from service.record import server_keys
    from service.record.verify import kept_receipts

    known = None
    receipts: list[dict[str, Any]] = []
    joins: list[dict[str, Any]] = []
    try:
        if keys is not None:
            known = server_keys.read(_read_bytes(keys, locale))
        if receipt is not None:
            receipts, joins = kept_receipts.read(_read_bytes(receipt, locale))
    except (server_keys.KeyListError, kept_receipts.BadReceiptFile) as error:
        path = receipt if isinstance(error, kept_receipts.BadReceiptFile) else keys
        raise refusal(locale, "commands.verify.receipt", path=path, why=error) from None
    return Evidence(known, receipts, joins)


def verify_file(beside: Evidence, path: Path) -> Verdict:
    """What comes of this file; runs in processes of its own where there are many."""
    from service.record.errors import BadRecord
    from service.record.verify import verify
    from service.record.verify.bot_lines import BotLinesChecker
    from service.record.verify.rules_check import RulesChecker

    try:
        data = path.read_bytes()
    except OSError as error:
        return Verdict(path, None, 0, "file", error.strerror or str(error))
    given, beside = len(beside), beside.of_match(_read_match_id(data))
    try:
        rules = BotLinesChecker() if beside.bots else RulesChecker()
        report = verify(data, server_keys=beside.keys, receipts=beside.receipts, joins=beside.joins, rules=rules)
    except BadRecord as fault:
        return Verdict(path, None, fault.line, fault.reason, fault.detail)
    return Verdict(path, report, skipped=given - len(beside))


def _read_match_id(data: bytes) -> str:
    """The match that the last line of a record names; nothing where it cannot be read, which the check will say."""
    try:
        head = json.loads(data.rstrip().rpartition(b"\n")[2])
    except ValueError:
        return ""
    return str(head.get("match", "")) if isinstance(head, dict) else ""


def _fault_text(found: Verdict, locale: Locale) -> str:
    if found.reason == "file":
        return refusal(locale, "commands.match_file.unreadable", path=found.path, why=found.detail).message
    return translate(locale, "commands.verify.bad", **vars(found))


def _report_one(found: Verdict, locale: Locale) -> int:
    if found.report is None:
        raise Refusal(_fault_text(found, locale))
    click.echo(found.report.text(locale))
    if found.skipped:
        click.echo(translate(locale, "commands.verify.skipped", count=found.skipped), err=True)
    return EXIT_BAD if _count_bot_lines([found.report])["differ"] else 0


def _count_bot_lines(reports: list[Report]) -> dict[str, int]:
    """How many lines of bots were compared, could not be, and differ, over all records."""
    found = [report.bot_lines for report in reports if report.bot_lines is not None]
    return {
        "compared": sum(sum(each.compared.values()) for each in found),
        "skipped": sum(sum(each.skipped.values()) for each in found),
        "differ": sum(len(each.differences) for each in found),
    }


def _report_many(files: list[Path], beside: Evidence, jobs: int, locale: Locale, *, no_color: bool) -> int:
    from cli.progress import progress_bar

    found: list[Verdict] = []
    with progress_bar(no_color=no_color) as shown, ProcessPoolExecutor(min(jobs, len(files))) as pool:
        task = shown.add_task(translate(locale, "commands.verify.checking"), total=len(files))
        for each in pool.map(partial(verify_file, beside), files, chunksize=1):
            found.append(each)
            shown.advance(task)
    _print_table([each for each in found if each.report], locale, no_color=no_color)
    bad = [each for each in found if each.report is None]
    for each in bad:
        click.echo(_fault_text(each, locale), err=True)
    entries = sum(each.report.entries for each in found if each.report)
    click.echo(translate(locale, "commands.verify.sum", good=len(found) - len(bad), bad=len(bad), entries=entries))
    counts = _count_bot_lines([each.report for each in found if each.report])
    if beside.bots:
        click.echo(translate(locale, "commands.verify.bots_sum", **counts))
    return EXIT_BAD if bad or counts["differ"] else 0


def _print_table(good: list[Verdict], locale: Locale, *, no_color: bool) -> None:
    from cli.terminal import Terminal

    def say(key: str) -> str:
        return translate(locale, f"commands.verify.{key}")

    rows = []
    for each in good:
        report = each.report
        if report is not None:
            state = say("over" if report.over else "running")
            figures = (str(report.entries), str(len(report.house)))
            rows.append([each.path.name, report.match, report.game, report.hash[:12], state, *figures])
    header = [say(key) for key in ("file", "match", "game", "head", "state", "entries", "house")]
    Terminal(locale, no_color=no_color).grid(say("title"), header, rows, left=5)

"""`echtra tournament verify`: recompute the export of a tournament line by line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.command import (
    FILE,
    Refusal,
    bilingual_command,
    bilingual_option,
    current_language,
    localise,
    refusal,
    strip_control_characters,
)
from service.i18n.catalogue import render

if TYPE_CHECKING:
    from service.tournaments.formats.tournament_log import BadTournament
    from service.tournaments.formats.verify import TournamentReport
    from service.tournaments.formats.verify_evidence import TournamentEvidence

EXIT_BAD = 2


@bilingual_command("verify", "usage.tournament_verify.about")
@click.argument("file", type=FILE)
@bilingual_option(
    "--record", "records", type=FILE, multiple=True, metavar="PATH", text="usage.tournament_verify.record"
)
@bilingual_option(
    "--receipt", "receipts", type=FILE, multiple=True, metavar="FILE", text="usage.tournament_verify.receipt"
)
@bilingual_option("--head", "heads", multiple=True, metavar="LINE:DIGITS", text="usage.tournament_verify.head")
@bilingual_option("--names", type=FILE, metavar="FILE", text="usage.tournament_verify.names")
@bilingual_option("--json", "as_json", is_flag=True, text="usage.tournament_verify.json")
def command(
    file: Path,
    records: tuple[Path, ...],
    receipts: tuple[Path, ...],
    heads: tuple[str, ...],
    names: Path | None,
    as_json: bool,
) -> int:
    """Verify the export of a tournament, with any receipts and records kept with it."""
    from cli.files import read_file
    from service.tournaments.formats.tournament_log import BadTournament
    from service.tournaments.formats.verify import verify_tournament

    data = read_file(file)
    evidence = _read_evidence(records, receipts, heads)
    known = {} if names is None else _read_names(names)
    try:
        report = verify_tournament(data, evidence)
    except BadTournament as fault:
        if not as_json:
            raise Refusal(_describe_fault(file, data, fault)) from None
        click.echo(json.dumps({"good": False, **_fault_as_json(data, fault)}, ensure_ascii=False, indent=2))
        return EXIT_BAD
    if as_json:
        click.echo(json.dumps(_report_as_json(report), ensure_ascii=False, indent=2))
    else:
        _print_report(report, lambda player: known.get(player, player))
    return 0


def _read_evidence(records: Sequence[Path], receipts: Sequence[Path], heads: Sequence[str]) -> TournamentEvidence:
    """Return the files kept with the export. A directory stands for the records in it."""
    from cli.files import read_file
    from service.tournaments.formats.verify_evidence import LEAST_DIGITS, KeptHead, TournamentEvidence

    kept = []
    for text in heads:
        found = re.fullmatch(rf"(\d{{1,9}}):([0-9a-f]{{{LEAST_DIGITS},64}})", text)
        if found is None:
            raise refusal("commands.tournament.head_form", text=text, least=LEAST_DIGITS)
        kept.append(KeptHead(int(found[1]), found[2]))
    rows: list[Any] = []
    for path in receipts:
        value = _read_json(path)
        rows += value if isinstance(value, list) else [value]
    if not all(isinstance(row, dict) for row in rows):
        raise refusal("commands.tournament.receipt_form")
    files = [each for path in records for each in (sorted(path.rglob("*.jsonl")) if path.is_dir() else [path])]
    return TournamentEvidence(kept, rows, [read_file(path) for path in files])


def _read_json(path: Path) -> object:
    from cli.files import read_file

    try:
        return json.loads(read_file(path))
    except (ValueError, RecursionError):
        raise refusal("commands.tournament.no_json", path=path) from None


def _read_names(path: Path) -> dict[str, str]:
    """Return the names of players by id, from the JSON export of the same tournament."""
    value = _read_json(path)
    entrants = value.get("entrants") if isinstance(value, dict) else None
    if not isinstance(entrants, list) or not all(isinstance(each, dict) for each in entrants):
        raise refusal("commands.tournament.no_names", path=path)
    return {str(each.get("player")): strip_control_characters(str(each.get("name"))) for each in entrants}


def _find_line(data: bytes, line: int) -> str | None:
    """Return the line of the log in this row of the file, or None."""
    rows = data.split(b"\n")
    try:
        row = json.loads(rows[line - 1])
    except (IndexError, ValueError, RecursionError):
        return None
    text = row.get("line") if isinstance(row, dict) else None
    return text if isinstance(text, str) else None


def _fault_as_json(data: bytes, fault: BadTournament) -> dict[str, Any]:
    return {
        "line": fault.line,
        "reason": fault.reason,
        "detail": fault.detail,
        "entry": _find_line(data, fault.line),
    }


def _describe_fault(file: Path, data: bytes, fault: BadTournament) -> str:
    """Return which line is wrong and why, with its text."""
    reason = localise(f"commands.tournament.reason.{fault.reason}")
    detail = render(fault.message, current_language()).removesuffix(".")
    text = localise("commands.tournament.bad", path=file, line=fault.line, reason=reason, detail=detail)
    entry = _find_line(data, fault.line)
    return text if entry is None else f"{text} {localise('commands.tournament.stands', entry=entry)}"


def _report_as_json(report: TournamentReport) -> dict[str, Any]:
    from cli.standings_tables import standing_as_json

    return {
        "good": True,
        "tournament": report.tournament,
        "ruleset": report.ruleset or None,
        "entries": report.entries,
        "recomputed": list(report.recomputed),
        "not_recomputed": dict(report.not_recomputed),
        "rulings": [{"seq": seq, "line": line} for seq, line in report.rulings],
        "standings": {
            name: [
                [{**standing_as_json(line), "player": report.holders[line.number]} for line in ranking.standings]
                for ranking in rankings
            ]
            for name, rankings in report.rankings.items()
        },
        "places": {
            name: [{"place": place, "number": number, "player": report.holders[number]} for place, number in places]
            for name, places in report.places.items()
        },
        "ladders": {name: [report.holders[number] for number in order] for name, order in report.ladders.items()},
        "seeds": dict(report.seeds),
        "proved": list(report.proved),
        "heads": report.heads,
        "not_proved": list(report.not_proved),
    }


def _print_report(report: TournamentReport, name_of: Callable[[str], str]) -> None:
    from cli.standings_tables import print_report_standings
    from cli.terminal import Terminal
    from service.tournaments.formats.rulesets import NEWEST

    def say(key: str, **values: object) -> str:
        return localise(f"commands.tournament.{key}", **values)

    terminal = Terminal()
    terminal.prose(say("good", tournament=report.tournament, entries=report.entries))
    terminal.prose(say("ruleset" if report.ruleset else "first_ruleset", ruleset=report.ruleset or NEWEST))
    if report.recomputed:
        terminal.prose(say("recomputed", count=len(report.recomputed), rounds=", ".join(report.recomputed)))
    for name, why in report.not_recomputed.items():
        terminal.prose(say(f"skipped.{why}", round=name))
    print_report_standings(terminal, report, name_of)
    if report.seeds:
        terminal.prose(say("seeds", count=len(report.seeds)))
    if report.rulings:
        terminal.prose(say("rulings", count=len(report.rulings)))
        terminal.points(
            say("ruling", seq=seq, line=" ".join(name_of(word) for word in line.split(" ")))
            for seq, line in report.rulings
        )
    if report.proved:
        terminal.prose(say("proved", count=len(report.proved)))
    if report.heads:
        terminal.prose(say("heads", count=report.heads))
    terminal.prose(say("unproved"))
    terminal.points(say(f"unproved.{name}") for name in report.not_proved)

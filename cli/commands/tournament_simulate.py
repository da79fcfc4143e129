"""`echtra tournament simulate`: a whole tournament of bots in one process, verified and printed."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import Refusal, bilingual_command, bilingual_option, refusal
from service.i18n.catalogue import render, translate

if TYPE_CHECKING:
    from cli.simulation.tournament import SimulatedTournament, SimulationProgress
    from engine.words import Locale

MOST_ENTRANTS = 2000


@bilingual_command("simulate", "usage.tournament_simulate.about")
@click.argument("file", type=click.Path(path_type=Path))
@bilingual_option(
    "--entrants",
    type=click.IntRange(1, MOST_ENTRANTS),
    default=8,
    metavar="N",
    text="usage.tournament_simulate.entrants",
)
@bilingual_option("--drop", type=click.IntRange(0), default=0, metavar="N", text="usage.tournament_simulate.drop")
@bilingual_option("--seed", type=int, default=0, metavar="N", text="usage.tournament_simulate.seed")
@bilingual_option("--out", type=click.Path(path_type=Path), metavar="FILE", text="usage.tournament_simulate.out")
def command(file: Path, entrants: int, drop: int, seed: int, out: Path | None, locale: Locale, no_color: bool) -> None:
    """Simulate a tournament."""
    from cli.tournament_files import read_tournament_file
    from service.tournaments.documents.document_nodes import MOST_BYTES

    data = read_tournament_file(file, locale, 2 * MOST_BYTES)
    outcome = _simulate(file, data, (entrants, drop, seed), locale, no_color=no_color)
    if out is not None:
        _write_export(out, outcome.record, locale)
    _print_outcome(outcome, entrants, out, locale, no_color=no_color)


def _simulate(
    file: Path, data: bytes, numbers: tuple[int, int, int], locale: Locale, *, no_color: bool
) -> SimulatedTournament:
    from cli.progress import progress_bar
    from cli.simulation.tournament import SimulationStuck, simulate_tournament
    from cli.tournament_access import refuse_document
    from service.problems import Problem
    from service.timestamps import rfc3339
    from service.tournaments.documents.document import BadDocument
    from service.tournaments.formats.tournament_log import BadTournament

    def say(key: str, **values: object) -> str:
        return translate(locale, f"commands.tournament_simulate.{key}", **values)

    try:
        with progress_bar(no_color=no_color) as bar:
            task = bar.add_task(file.stem, total=None)

            def show(progress: SimulationProgress) -> None:
                day = (rfc3339(progress.at) or "")[:10]
                bar.update(task, description=say("working", day=day), completed=progress.over, total=progress.made)

            return simulate_tournament(data, *numbers, show)
    except BadDocument as bad:
        raise refuse_document(file, bad, locale) from None
    except Problem as problem:
        raise Refusal(problem.detail_in(locale)) from None
    except SimulationStuck as stuck:
        raise Refusal(say("stuck", state=stuck)) from None
    except BadTournament as fault:
        raise Refusal(say("wrong", fault=render(fault.place_and_message, locale))) from None
    except KeyboardInterrupt:
        click.echo(say("stopped"), err=True)
        raise click.exceptions.Exit(130) from None


def _write_export(path: Path, record: bytes, locale: Locale) -> None:
    try:
        path.write_bytes(record)
    except OSError as error:
        raise refusal(locale, "commands.match_file.unwritable", path=path, why=error.strerror) from None


def _print_outcome(
    outcome: SimulatedTournament, entrants: int, out: Path | None, locale: Locale, *, no_color: bool
) -> None:
    from cli.terminal import Terminal
    from cli.tournament_files import print_report_standings
    from service.timestamps import rfc3339

    def say(key: str, **values: object) -> str:
        return translate(locale, f"commands.tournament_simulate.{key}", **values)

    terminal, document = Terminal(locale, no_color=no_color), outcome.document
    about = {"title": document.title[locale], "entrants": entrants, "at": rfc3339(outcome.ended_at)}
    if outcome.state == "cancelled":
        terminal.prose(say("cancelled", least=document.entry.least, **about))
    else:
        terminal.prose(say("over", matches=outcome.matches, moves=outcome.moves, **about))
    print_report_standings(terminal, outcome.report, lambda player: outcome.names.get(player, player))
    terminal.prose(say("good", entries=outcome.report.entries))
    terminal.prose(say("hash", hash=sha256(outcome.record).hexdigest()))
    if out is not None:
        terminal.prose(say("written", path=out))

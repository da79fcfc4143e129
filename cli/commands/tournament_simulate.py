"""`echtra tournament simulate`: play, verify and print a whole tournament of bots in one process."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import FILE, Refusal, bilingual_command, bilingual_option, current_language, localise, refuse_problems
from service.i18n.catalogue import render

if TYPE_CHECKING:
    from cli.simulation.tournament import SimulatedTournament, SimulationProgress

MOST_ENTRANTS = 2000


@bilingual_command("simulate", "usage.tournament_simulate.about")
@click.argument("file", type=FILE)
@bilingual_option(
    "--entrants",
    type=click.IntRange(1, MOST_ENTRANTS),
    default=8,
    metavar="N",
    text="usage.tournament_simulate.entrants",
)
@bilingual_option("--drop", type=click.IntRange(0), default=0, metavar="N", text="usage.tournament_simulate.drop")
@bilingual_option("--seed", type=int, default=0, metavar="N", text="usage.tournament_simulate.seed")
@bilingual_option("--out", type=FILE, metavar="FILE", text="usage.tournament_simulate.out")
def command(file: Path, entrants: int, drop: int, seed: int, out: Path | None) -> None:
    """Simulate a tournament."""
    from cli.files import read_file, refuse_unwritable
    from service.tournaments.documents.document_nodes import MOST_BYTES

    outcome = _simulate(file, read_file(file, 2 * MOST_BYTES), (entrants, drop, seed))
    if out is not None:
        with refuse_unwritable(out):
            out.write_bytes(outcome.record)
    _print_outcome(outcome, entrants, out)


def say(key: str, **values: object) -> str:
    """Return a text of this command."""
    return localise(f"commands.tournament_simulate.{key}", **values)


def _simulate(file: Path, data: bytes, numbers: tuple[int, int, int]) -> SimulatedTournament:
    from cli.progress import progress_bar
    from cli.simulation.tournament import SimulationStuck, simulate_tournament
    from cli.tournament_access import refuse_document
    from service.timestamps import rfc3339
    from service.tournaments.documents.document import BadDocument
    from service.tournaments.formats.tournament_log import BadTournament

    try:
        with refuse_problems(), progress_bar() as bar:
            task = bar.add_task(file.stem, total=None)

            def show(progress: SimulationProgress) -> None:
                day = (rfc3339(progress.at) or "")[:10]
                bar.update(task, description=say("working", day=day), completed=progress.over, total=progress.made)

            return simulate_tournament(data, *numbers, show)
    except BadDocument as bad:
        raise refuse_document(file, bad) from None
    except SimulationStuck as stuck:
        raise Refusal(say("stuck", state=stuck)) from None
    except BadTournament as fault:
        raise Refusal(say("wrong", fault=render(fault.place_and_message, current_language()))) from None
    except KeyboardInterrupt:
        click.echo(say("stopped"), err=True)
        raise click.exceptions.Exit(130) from None


def _print_outcome(outcome: SimulatedTournament, entrants: int, out: Path | None) -> None:
    from cli.standings_tables import print_report_standings
    from cli.terminal import Terminal
    from service.timestamps import rfc3339

    terminal, document = Terminal(), outcome.document
    about = {"title": document.title[terminal.locale], "entrants": entrants, "at": rfc3339(outcome.ended_at)}
    if outcome.state == "cancelled":
        terminal.prose(say("cancelled", least=document.entry.least, **about))
    else:
        terminal.prose(say("over", matches=outcome.matches, moves=outcome.moves, **about))
    print_report_standings(terminal, outcome.report, lambda player: outcome.names.get(player, player))
    terminal.prose(say("good", entries=outcome.report.entries))
    terminal.prose(say("hash", hash=sha256(outcome.record).hexdigest()))
    if out is not None:
        terminal.prose(say("written", path=out))

"""`echtra worker`: one worker process of any number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Said, in_words
from cli.command import command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Said = (
    "Run a worker: bots, chance, orders, clocks and letters; any number on any machines.",
    "Faire tourner un worker : robots, hasard, ordres, pendules et lettres ; autant qu'on veut, où l'on veut.",
)
RUNS: Said = ("Worker {name} runs (Ctrl-C stops it).", "Le worker {name} tourne (Ctrl-C l'arrête).")
STOPPED: Said = ("Worker stopped.", "Worker arrêté.")
DIED: Said = (
    "The worker lost its broker for good and ends; start it again.",
    "Le worker a perdu son broker pour de bon et s'arrête ; relancez-le.",
)


@spoken_command("worker", ABOUT)
def command(locale: Locale, no_color: bool) -> int:  # noqa: ARG001  # every command takes it
    """Run a worker."""
    from cli import preflight as starting
    from cli import run_until_signal as running
    from service.jobs import heartbeat
    from worker.process import Crew

    crew = Crew(starting.scaled("echtra worker", locale))
    running.run(crew, crew.died, in_words(RUNS, locale).format(name=heartbeat.name()))
    click.echo(in_words(DIED if crew.died.is_set() else STOPPED, locale), err=True)
    return 1 if crew.died.is_set() else 0

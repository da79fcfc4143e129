"""`echtra beat`: the clock of the service as a process of its own, beside workers that are busy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Said, in_words
from cli.command import command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Said = (
    "Run the clock alone: deadlines, reminders, hooks, and a sweep for what was left; any number on any machines.",
    "Faire tourner la seule pendule : échéances, rappels, hooks, et un balayage de ce qui reste ; autant qu'on veut, "
    "où l'on veut.",
)
RUNS: Said = ("Beat {name} runs (Ctrl-C stops it).", "La pendule {name} tourne (Ctrl-C l'arrête).")
STOPPED: Said = ("Beat stopped.", "Pendule arrêtée.")


@spoken_command("beat", ABOUT)
def command(locale: Locale, no_color: bool) -> None:  # noqa: ARG001  # every command takes it
    """Run the clock alone."""
    from cli import preflight as starting
    from cli import run_until_signal as running
    from service.jobs import heartbeat
    from worker.process import Beat
    from worker.shutdown import Attentive

    beat = Beat(starting.scaled("echtra beat", locale))
    running.run(beat, Attentive(), in_words(RUNS, locale).format(name=heartbeat.name()))
    click.echo(in_words(STOPPED, locale), err=True)

"""`echtra beat`: the clock of the service as a process of its own, beside workers that are busy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Bilingual, text_in
from cli.command import bilingual_command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Bilingual = (
    "Run the clock alone: deadlines, reminders, hooks, and a sweep for what was left; any number on any machines.",
    "Faire tourner la seule pendule : échéances, rappels, hooks, et un balayage de ce qui reste ; autant qu'on veut, "
    "où l'on veut.",
)
RUNS: Bilingual = ("Beat {name} runs (Ctrl-C stops it).", "La pendule {name} tourne (Ctrl-C l'arrête).")
STOPPED: Bilingual = ("Beat stopped.", "Pendule arrêtée.")


@spoken_command("beat", ABOUT)
def command(locale: Locale, no_color: bool) -> None:  # noqa: ARG001  # every command takes it
    """Run the clock alone."""
    from cli import preflight, run_until_signal
    from service.jobs import heartbeat
    from worker.process import Scheduler
    from worker.shutdown import InterruptibleEvent

    beat = Scheduler(preflight.prepare_cluster_process("echtra beat", locale))
    run_until_signal.run(beat, InterruptibleEvent(), text_in(RUNS, locale).format(name=heartbeat.worker_name()))
    click.echo(text_in(STOPPED, locale), err=True)

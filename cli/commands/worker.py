"""`echtra worker`: one worker process of any number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Bilingual, text_in
from cli.command import bilingual_command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Bilingual = (
    "Run a worker: bots, chance, orders, clocks and letters; any number on any machines.",
    "Faire tourner un worker : robots, hasard, ordres, pendules et lettres ; autant qu'on veut, où l'on veut.",
)
RUNS: Bilingual = ("Worker {name} runs (Ctrl-C stops it).", "Le worker {name} tourne (Ctrl-C l'arrête).")
STOPPED: Bilingual = ("Worker stopped.", "Worker arrêté.")
DIED: Bilingual = (
    "The worker lost its broker for good and ends; start it again.",
    "Le worker a perdu son broker pour de bon et s'arrête ; relancez-le.",
)


@spoken_command("worker", ABOUT)
def command(locale: Locale, no_color: bool) -> int:  # noqa: ARG001  # every command takes it
    """Run a worker."""
    from cli import preflight, run_until_signal
    from service.jobs import heartbeat
    from worker.process import BackgroundWorker

    crew = BackgroundWorker(preflight.prepare_cluster_process("echtra worker", locale))
    run_until_signal.run(crew, crew.died, text_in(RUNS, locale).format(name=heartbeat.worker_name()))
    click.echo(text_in(DIED if crew.died.is_set() else STOPPED, locale), err=True)
    return 1 if crew.died.is_set() else 0

"""`echtra worker`: one worker process of any number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale


@bilingual_command("worker", "usage.worker.about")
def command(locale: Locale, no_color: bool) -> int:  # noqa: ARG001  # every command takes it
    """Run a worker."""
    from cli import preflight, run_until_signal
    from service.jobs import heartbeat
    from worker.process import BackgroundWorker

    crew = BackgroundWorker(preflight.prepare_cluster_process("echtra worker", locale))
    run_until_signal.run(
        crew, crew.died, translate(locale, "commands.worker.runs", name=heartbeat.worker_name()), locale
    )
    click.echo(translate(locale, "commands.worker.died" if crew.died.is_set() else "commands.worker.stopped"), err=True)
    return 1 if crew.died.is_set() else 0

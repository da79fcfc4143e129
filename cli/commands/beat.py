"""`echtra beat`: the clock of the service as a process of its own, beside workers that are busy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale


@bilingual_command("beat", "usage.beat.about")
def command(locale: Locale, no_color: bool) -> None:  # noqa: ARG001  # every command takes it
    """Run the clock alone."""
    from cli import preflight, run_until_signal
    from service.jobs import heartbeat
    from worker.process import Scheduler
    from worker.shutdown import InterruptibleEvent

    beat = Scheduler(preflight.prepare_cluster_process("echtra beat", locale))
    run_until_signal.run(
        beat, InterruptibleEvent(), translate(locale, "commands.beat.runs", name=heartbeat.worker_name()), locale
    )
    click.echo(translate(locale, "commands.beat.stopped"), err=True)

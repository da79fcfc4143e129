"""`echtra beat`: the scheduler of the service as a separate process, next to busy workers."""

from __future__ import annotations

import click

from cli.command import bilingual_command, localise


@bilingual_command("beat", "usage.beat.about")
def command() -> None:
    """Run the scheduler alone."""
    from cli import preflight
    from cli.run_until_signal import run_until_signal
    from service.jobs import heartbeat
    from worker.process import Scheduler
    from worker.shutdown import InterruptibleEvent

    config = preflight.prepare_cluster_process("echtra beat")
    scheduler = Scheduler(config)
    greeting = localise("commands.beat.runs", name=heartbeat.worker_name())
    run_until_signal(config, greeting, InterruptibleEvent(), scheduler.start, scheduler.stop)
    click.echo(localise("commands.beat.stopped"), err=True)

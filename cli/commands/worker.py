"""`echtra worker`: one of any number of worker processes."""

from __future__ import annotations

import click

from cli.command import bilingual_command, localise


@bilingual_command("worker", "usage.worker.about")
def command() -> int:
    """Run a worker."""
    from cli import preflight
    from cli.run_until_signal import run_until_signal
    from service.jobs import heartbeat
    from worker.process import BackgroundWorker

    config = preflight.prepare_cluster_process("echtra worker")
    worker = BackgroundWorker(config)
    greeting = localise("commands.worker.runs", name=heartbeat.worker_name())
    run_until_signal(config, greeting, worker.died, worker.start, worker.stop)
    click.echo(localise("commands.worker.died" if worker.died.is_set() else "commands.worker.stopped"), err=True)
    return 1 if worker.died.is_set() else 0

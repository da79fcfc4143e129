"""`echtra web`: the web server alone, in several processes, with separate workers."""

from __future__ import annotations

import os
from secrets import token_urlsafe
from tempfile import TemporaryDirectory

import click

from cli.command import bilingual_command, localise


@bilingual_command("web", "usage.web.about")
def command() -> None:
    """Run the web server alone."""
    with TemporaryDirectory(prefix="echtra-metrics-") as folder:
        # Set before prometheus_client is imported, because it decides then whether processes share their metrics.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        os.environ.setdefault("MAILBOX_SECRET", token_urlsafe(18))
        _serve()


def _serve() -> None:
    from granian import Granian
    from granian.log import LogLevels

    from cli import preflight
    from cli.embedded_server import SERVER_OPTIONS
    from service.db import connection
    from worker.shutdown import InterruptibleEvent

    config = preflight.prepare_cluster_process("echtra web")
    address = preflight.check_listen_address(config, "web", shared=True)
    preflight.warn_without_proxy(config)
    connection.drop_connections()
    server = Granian(
        "cli.web_process:application",
        factory=True,
        address=address,
        port=config.port,
        workers=config.processes,
        respawn_failed_workers=True,
        respawn_interval=0.5,
        # A process ignores the request to stop while it is still starting.
        workers_kill_timeout=10,
        log_level=LogLevels.error,
        **SERVER_OPTIONS,
    )
    if not config.smtp_url:
        mailbox = f"{config.direct_url}/mailbox?key={os.environ['MAILBOX_SECRET']}"
        key = "commands.serve.mailbox" if config.local else "commands.serve.no_mail"
        click.echo(localise(key, mailbox=mailbox, door=config.smtp_door))
    server.main_loop_interrupt = InterruptibleEvent()
    server.serve()

"""`echtra web`: the web service alone, in several processes beside separate workers."""

from __future__ import annotations

import os
from secrets import token_urlsafe
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale


@bilingual_command("web", "usage.web.about")
def command(locale: Locale, no_color: bool) -> None:  # noqa: ARG001  # every command takes it
    """Run the web service alone."""
    with TemporaryDirectory(prefix="echtra-metrics-") as folder:
        # Before anything that counts is imported: the processes share their figures there.
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        os.environ.setdefault("MAILBOX_SECRET", token_urlsafe(18))
        _serve(locale)


def _serve(locale: Locale) -> None:
    from granian import Granian
    from granian.constants import HTTPModes, Interfaces
    from granian.http import HTTP1Settings
    from granian.log import LogLevels

    from cli import preflight
    from service.db import connection
    from service.web.gateway import HEADER_SECONDS, MOST_REQUESTS
    from worker.shutdown import InterruptibleEvent

    config = preflight.prepare_cluster_process("echtra web", locale)
    address = preflight.check_listen_address(config, locale, "web", shared=True)
    preflight.warn_without_proxy(config, locale)
    connection.drop_connections()
    server = Granian(
        "cli.web_process:application",
        factory=True,
        interface=Interfaces.RSGI,
        address=address,
        port=config.port,
        workers=config.processes,
        http=HTTPModes.http1,
        http1_settings=HTTP1Settings(header_read_timeout=HEADER_SECONDS * 1000),
        backpressure=MOST_REQUESTS,
        websockets=False,
        respawn_failed_workers=True,
        respawn_interval=0.5,
        # A process told to stop while it still starts would not listen.
        workers_kill_timeout=10,
        log_level=LogLevels.error,
    )
    if not config.smtp_url:
        values = {"url": config.url, "secret": os.environ["MAILBOX_SECRET"], "door": config.smtp_door}
        click.echo(translate(locale, "commands.serve.mailbox", **values))
    server.main_loop_interrupt = InterruptibleEvent()
    server.serve()

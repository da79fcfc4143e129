"""`echtra mail-door`: the receiver of letters as a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, refusal
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale


@bilingual_command("mail-door", "usage.mail_door.about")
def command(locale: Locale, no_color: bool) -> None:  # noqa: ARG001  # every command takes it
    """Receive letters."""
    from cli import preflight
    from service.config import BadConfig
    from service.db import database_clock
    from service.mail.incoming.smtp_server import SmtpServer
    from worker.shutdown import InterruptibleEvent, force_exit_after
    from worker.wakeups import start_sender

    config = preflight.prepare_cluster_process("echtra mail-door", locale)
    try:
        door = SmtpServer(config)
        door.start()
    except BadConfig as error:
        raise preflight.config_refusal(error, locale) from None
    except OSError as error:
        why = error.strerror or error
        raise refusal(locale, "commands.mail_door.taken", place=config.smtp_door, why=why) from None
    wakeups = start_sender(config)
    database_clock.keep_database_time()
    preflight.open_metrics_door(config, locale)
    preflight.stop_on_signals()
    click.echo(translate(locale, "commands.mail_door.runs", place=config.smtp_door))
    try:
        InterruptibleEvent().wait()
    except (KeyboardInterrupt, preflight.StopSignal):
        pass
    finally:
        force_exit_after()
        door.stop()
        wakeups.stop()
        click.echo(translate(locale, "commands.mail_door.closed"), err=True)

"""`echtra mail-door`: the receiver of email as a separate process."""

from __future__ import annotations

import click

from cli.command import bilingual_command, localise, program_name, refusal


@bilingual_command("mail-door", "usage.mail_door.about")
def command() -> None:
    """Receive email."""
    from cli import preflight
    from cli.run_until_signal import run_until_signal
    from service.config import BadConfig
    from service.mail.incoming.smtp_server import SmtpServer
    from worker.celery_app import create_celery
    from worker.shutdown import InterruptibleEvent
    from worker.wakeups import WakeupSender

    config = preflight.prepare_cluster_process("echtra mail-door")
    wakeups = WakeupSender(create_celery(config), config)
    wakeups.install()
    try:
        door = SmtpServer(config)
        door.start()
    except BadConfig as error:
        raise preflight.config_refusal(error) from None
    except OSError as error:
        raise refusal("commands.mail_door.taken", place=config.smtp_door, why=error.strerror or error) from None

    def stop() -> None:
        door.stop()
        wakeups.stop()

    greeting = localise("commands.mail_door.runs", place=config.smtp_door)
    if config.imap_url:
        greeting += "\n" + localise("commands.mail_door.imap", called=program_name())
    run_until_signal(config, greeting, InterruptibleEvent(), wakeups.start, stop)
    click.echo(localise("commands.mail_door.closed"), err=True)

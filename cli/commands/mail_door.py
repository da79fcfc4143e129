"""`echtra mail-door`: the receiver of letters as a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Bilingual, Refusal, text_in
from cli.command import bilingual_command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Bilingual = (
    "Receive letters over SMTP, or LMTP behind a mail server, at ECHTRA_SMTP_DOOR.",
    "Recevoir des lettres par SMTP, ou LMTP derrière un serveur de courrier, à ECHTRA_SMTP_DOOR.",
)
RUNS: Bilingual = (
    "The mail door is open at {place} (Ctrl-C closes it).",
    "La porte du courrier est ouverte à {place} (Ctrl-C la ferme).",
)
CLOSED: Bilingual = ("The mail door is closed.", "La porte du courrier est fermée.")
TAKEN: Bilingual = (
    "{place} cannot be opened: {why}; set ECHTRA_SMTP_DOOR to another address.",
    "{place} ne peut pas être ouvert : {why} ; donnez une autre adresse à ECHTRA_SMTP_DOOR.",
)


@spoken_command("mail-door", ABOUT)
def command(locale: Locale, no_color: bool) -> None:  # noqa: ARG001  # every command takes it
    """Receive letters."""
    from cli import preflight
    from service.config import BadConfig
    from service.mail.incoming.smtp_server import SmtpServer
    from worker import celery_app
    from worker.hints import HintSender
    from worker.shutdown import InterruptibleEvent, force_exit_after

    config = preflight.prepare_cluster_process("echtra mail-door", locale)
    hints = HintSender(celery_app.create_celery(config))
    hints.install()
    try:
        door = SmtpServer(config)
        door.start()
    except BadConfig as error:
        raise Refusal(f"{text_in(error.said, locale)}.") from None
    except OSError as error:
        said = text_in(TAKEN, locale).format(place=config.smtp_door, why=error.strerror or error)
        raise Refusal(said) from None
    hints.start()
    preflight.stop_on_signals()
    click.echo(text_in(RUNS, locale).format(place=config.smtp_door))
    try:
        InterruptibleEvent().wait()
    except (KeyboardInterrupt, preflight.StopSignal):
        pass
    finally:
        force_exit_after()
        door.stop()
        hints.stop()
        click.echo(text_in(CLOSED, locale), err=True)

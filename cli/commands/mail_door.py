"""`echtra mail-door`: the receiver of letters as a process of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Refusal, Said, in_words
from cli.command import command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Said = (
    "Receive letters over SMTP, or LMTP behind a mail server, at ECHTRA_SMTP_DOOR.",
    "Recevoir des lettres par SMTP, ou LMTP derrière un serveur de courrier, à ECHTRA_SMTP_DOOR.",
)
RUNS: Said = (
    "The mail door is open at {place} (Ctrl-C closes it).",
    "La porte du courrier est ouverte à {place} (Ctrl-C la ferme).",
)
CLOSED: Said = ("The mail door is closed.", "La porte du courrier est fermée.")
TAKEN: Said = (
    "{place} cannot be opened: {why}; set ECHTRA_SMTP_DOOR to another address.",
    "{place} ne peut pas être ouvert : {why} ; donnez une autre adresse à ECHTRA_SMTP_DOOR.",
)


@spoken_command("mail-door", ABOUT)
def command(locale: Locale, no_color: bool) -> None:  # noqa: ARG001  # every command takes it
    """Receive letters."""
    from cli import preflight as starting
    from service.config import BadConfig
    from service.mail.incoming.smtp_server import Door
    from worker import celery_app as app
    from worker.hints import Hints
    from worker.shutdown import Attentive, leave_within

    config = starting.scaled("echtra mail-door", locale)
    hints = Hints(app.made(config))
    hints.listen()
    try:
        door = Door(config)
        door.start()
    except BadConfig as error:
        raise Refusal(f"{in_words(error.said, locale)}.") from None
    except OSError as error:
        said = in_words(TAKEN, locale).format(place=config.smtp_door, why=error.strerror or error)
        raise Refusal(said) from None
    hints.start()
    starting.stop_on_signals()
    click.echo(in_words(RUNS, locale).format(place=config.smtp_door))
    try:
        Attentive().wait()
    except (KeyboardInterrupt, starting.Stopped):
        pass
    finally:
        leave_within()
        door.stop()
        hints.stop()
        click.echo(in_words(CLOSED, locale), err=True)

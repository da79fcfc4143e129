"""`echtra migrate`: bring the database up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Said, in_words
from cli.command import command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Said = (
    "Make the tables of the database, or bring them up to date; safe to repeat.",
    "Créer les tables de la base de données, ou les mettre à jour ; peut se répéter sans risque.",
)
DONE: Said = ("Done: {names}.", "Fait : {names}.")
NOTHING: Said = ("The database is up to date.", "La base de données est à jour.")


@spoken_command("migrate", ABOUT)
def command(locale: Locale, no_color: bool) -> None:  # noqa: ARG001  # every command takes it
    """Bring the database up to date."""
    from cli import preflight as starting
    from service.db import migrations
    from service.play import server_keys as signing

    config = starting.configured(locale)
    names: list[str] = []
    starting.connected(config, locale)
    starting.answering(config, locale, lambda: names.extend(migrations.migrate()))
    starting.prepared(config, locale)
    signing.current()
    click.echo(in_words(DONE, locale).format(names=", ".join(names)) if names else in_words(NOTHING, locale))

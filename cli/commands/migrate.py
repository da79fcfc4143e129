"""`echtra migrate`: bring the database up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Bilingual, text_in
from cli.command import bilingual_command as spoken_command

if TYPE_CHECKING:
    from engine.words import Locale

ABOUT: Bilingual = (
    "Make the tables of the database, or bring them up to date; safe to repeat.",
    "Créer les tables de la base de données, ou les mettre à jour ; peut se répéter sans risque.",
)
DONE: Bilingual = ("Done: {names}.", "Fait : {names}.")
NOTHING: Bilingual = ("The database is up to date.", "La base de données est à jour.")


@spoken_command("migrate", ABOUT)
def command(locale: Locale, no_color: bool) -> None:  # noqa: ARG001  # every command takes it
    """Bring the database up to date."""
    from cli import preflight
    from service.db import migrations
    from service.play import server_keys

    config = preflight.load_config(locale)
    names: list[str] = []
    preflight.connect_database(config, locale)
    preflight.call_database(config, locale, lambda: names.extend(migrations.migrate()))
    preflight.check_database(config, locale)
    server_keys.current_key()
    click.echo(text_in(DONE, locale).format(names=", ".join(names)) if names else text_in(NOTHING, locale))

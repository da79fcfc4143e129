"""`echtra migrate`: bring the database up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale


@bilingual_command("migrate", "usage.migrate.about")
def command(locale: Locale, no_color: bool) -> None:  # noqa: ARG001  # every command takes it
    """Bring the database up to date."""
    from cli import preflight
    from service.db import encrypted_columns, migrations
    from service.db.secret_encryption import SecretKeys
    from service.play import server_keys

    config = preflight.load_config(locale)
    names: list[str] = []
    preflight.check_schema(config, locale)
    preflight.call_database(config, locale, lambda: names.extend(migrations.migrate()))
    preflight.check_database(config, locale)
    server_keys.current_key()
    if SecretKeys.known:
        encrypted_columns.encrypt_everything()
    key = "commands.migrate.done" if names else "commands.migrate.nothing"
    click.echo(translate(locale, key, names=", ".join(names)))

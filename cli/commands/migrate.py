"""`echtra migrate`: bring the database up to date."""

from __future__ import annotations

import click

from cli.command import bilingual_command, localise


@bilingual_command("migrate", "usage.migrate.about")
def command() -> None:
    """Bring the database up to date."""
    from cli import preflight
    from service.db import encrypted_columns
    from service.db.secret_encryption import SecretKeys
    from service.play import server_keys

    names = preflight.migrate_database(preflight.load_config())
    server_keys.current_key()
    if SecretKeys.known:
        encrypted_columns.encrypt_everything()
    click.echo(localise("commands.migrate.done" if names else "commands.migrate.nothing", names=", ".join(names)))

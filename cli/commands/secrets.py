"""`echtra secrets`: show whether keys and seeds in the database are encrypted, and encrypt them."""

from __future__ import annotations

import click

from cli.command import BilingualArgument, bilingual_command, localise, refusal


@bilingual_command("secrets", "usage.secrets.about")
@click.argument("action", cls=BilingualArgument, type=click.Choice(["status", "encrypt"]), default="status")
def command(action: str) -> None:
    """Print how secrets are stored, or encrypt them."""
    from cli import preflight
    from service.db import encrypted_columns
    from service.db.secret_encryption import SecretKeys

    preflight.open_database()
    if action == "encrypt":
        if not SecretKeys.known:
            raise refusal("operator.secrets.no_key")
        click.echo(localise("operator.secrets.encrypted", count=encrypted_columns.encrypt_everything()))
        return
    count = encrypted_columns.count_unencrypted()
    key = "operator.secrets.plain" if not SecretKeys.known else "operator.secrets.status"
    click.echo(localise(key, count=count, key=next(iter(SecretKeys.known), "-")))

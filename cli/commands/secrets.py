"""`echtra secrets`: whether keys and seeds in the database are encrypted, and encrypting them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import BilingualArgument, bilingual_command, refusal
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale


@bilingual_command("secrets", "usage.secrets.about")
@click.argument("action", cls=BilingualArgument, type=click.Choice(["status", "encrypt"]), default="status")
def command(action: str, locale: Locale, no_color: bool) -> None:  # noqa: ARG001  # every command takes it
    """Look at how secrets are stored, or encrypt them."""
    from cli import preflight
    from service.db import encrypted_columns
    from service.db.secret_encryption import SecretKeys

    config = preflight.load_config(locale)
    preflight.check_database(config, locale)
    if action == "encrypt":
        if not SecretKeys.known:
            raise refusal(locale, "operator.secrets.no_key")
        click.echo(translate(locale, "operator.secrets.encrypted", count=encrypted_columns.encrypt_everything()))
        return
    count = encrypted_columns.count_unencrypted()
    key = "operator.secrets.plain" if not SecretKeys.known else "operator.secrets.status"
    click.echo(translate(locale, key, count=count, key=next(iter(SecretKeys.known), "-")))

"""`echtra backup`: a consistent copy of everything, while the service runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, bilingual_option, refusal
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale


@bilingual_command("backup", "usage.backup.about")
@click.argument("file", type=click.Path(path_type=Path))
@bilingual_option("--replace", is_flag=True, text="usage.backup.replace")
def command(file: Path, replace: bool, locale: Locale, no_color: bool) -> None:  # noqa: ARG001  # every command takes it
    """Copy everything into a file."""
    from cli import preflight
    from service.db import backup, encrypted_columns, migrations

    config = preflight.load_config(locale)
    if file.exists() and not replace:
        raise refusal(locale, "operator.backup.exists", file=file)
    if not file.parent.is_dir():
        raise refusal(locale, "operator.backup.no_folder", folder=file.parent)
    preflight.check_database(config, locale)
    try:
        backup.write_backup(file, config, sorted(migrations.applied_names()), encrypted_columns.stored_fingerprint())
    except backup.BackupFailed as error:
        raise refusal(locale, f"operator.backup.failed.{error.reason}", why=error.why) from None
    except OSError as error:
        raise refusal(locale, "operator.backup.failed.write", why=preflight.os_error_text(error)) from None
    size = f"{file.stat().st_size / 1e6:.1f}"
    click.echo(translate(locale, "operator.backup.done", file=file, size=size))
    if encrypted_columns.stored_fingerprint():
        click.echo(translate(locale, "operator.backup.keep_key"))

"""`echtra backup`: a consistent copy of everything, while the service runs."""

from __future__ import annotations

from pathlib import Path

import click

from cli.command import FILE, bilingual_command, bilingual_option, localise, refusal


@bilingual_command("backup", "usage.backup.about")
@click.argument("file", type=FILE)
@bilingual_option("--replace", is_flag=True, text="usage.backup.replace")
def command(file: Path, replace: bool) -> None:
    """Copy everything into a file."""
    from cli import preflight
    from service.db import backup, encrypted_columns, migrations
    from service.jobs import backup_watch

    if file.exists() and not replace:
        raise refusal("operator.backup.exists", file=file)
    if not file.parent.is_dir():
        raise refusal("operator.backup.no_folder", folder=file.parent)
    config = preflight.open_database()
    with preflight.refuse_failed_backup():
        backup.write_backup(file, config, sorted(migrations.applied_names()), encrypted_columns.stored_fingerprint())
    size = file.stat().st_size
    backup_watch.record_backup(file, size, backup.checksum(file))
    click.echo(localise("operator.backup.done", file=file, size=f"{size / 1e6:.1f}"))
    if encrypted_columns.stored_fingerprint():
        click.echo(localise("operator.backup.keep_key"))

"""`echtra restore`: a database from a backup, in an empty place."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, bilingual_option, program_name, refusal
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale
    from service.config import Config
    from service.db.backup import Manifest


@bilingual_command("restore", "usage.restore.about")
@click.argument("file", type=click.Path(path_type=Path))
@bilingual_option("--replace", is_flag=True, text="usage.restore.replace")
def command(file: Path, replace: bool, locale: Locale, no_color: bool) -> None:  # noqa: ARG001  # every command takes it
    """Make the database from a backup."""
    from cli import preflight
    from service.db import backup

    config = preflight.load_config(locale)
    try:
        manifest = backup.read_manifest(file)
        with preflight.lock_database_file(config, locale) or nullcontext():
            _check_target(config, manifest, locale, replace=replace)
            backup.restore_backup(file, manifest, config)
    except backup.BackupFailed as error:
        raise refusal(locale, f"operator.backup.failed.{error.reason}", why=error.why) from None
    except OSError as error:
        raise refusal(locale, "operator.backup.failed.write", why=preflight.os_error_text(error)) from None
    click.echo(translate(locale, "operator.restore.done", made_at=manifest.made_at, called=program_name()))


def _check_target(config: Config, manifest: Manifest, locale: Locale, *, replace: bool) -> None:
    """Refuse a place of the other kind, one that is not empty, and a key that does not open the secrets."""
    from cli import preflight
    from service.db import connection, migrations, secret_encryption

    kind = "sqlite" if config.database.startswith("sqlite") else "postgresql"
    if manifest.kind != kind:
        raise refusal(locale, "operator.restore.other_kind", kind=manifest.kind)
    preflight.refuse_other_schema(sorted(set(manifest.migrations) - set(migrations.load_steps())), locale)
    if manifest.key and manifest.key not in secret_encryption.read_keys(config):
        raise refusal(locale, "operator.restore.other_key")
    path = Path(config.database.removeprefix("sqlite:///"))
    if kind == "sqlite" and not path.exists():
        return
    preflight.connect_database(config, locale)
    taken = "migration" in connection.db.get_tables()
    connection.drop_connections()
    if taken and not (replace and kind == "sqlite"):
        raise refusal(locale, f"operator.restore.taken.{kind}")

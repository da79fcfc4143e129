"""`echtra restore`: restore a backup into an empty database."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import FILE, bilingual_command, bilingual_option, localise, program_name, refusal

if TYPE_CHECKING:
    from service.config import Config
    from service.db.backup import Manifest


@bilingual_command("restore", "usage.restore.about")
@click.argument("file", type=FILE)
@bilingual_option("--replace", is_flag=True, text="usage.restore.replace")
def command(file: Path, replace: bool) -> None:
    """Restore a backup into the database."""
    from cli import preflight
    from service.db import backup

    config = preflight.load_config()
    with preflight.refuse_failed_backup():
        manifest = backup.read_manifest(file)
        with preflight.lock_database_file(config) or nullcontext():
            _check_target(config, manifest, replace=replace)
            backup.restore_backup(file, manifest, config)
    click.echo(localise("operator.restore.done", made_at=manifest.made_at, called=program_name()))


def _check_target(config: Config, manifest: Manifest, *, replace: bool) -> None:
    """Refuse a database of the other kind, one that is not empty, and a key that does not decrypt the secrets."""
    from cli import preflight
    from service.db import connection, migrations, secret_encryption

    kind = "sqlite" if config.database.startswith("sqlite") else "postgresql"
    if manifest.kind != kind:
        raise refusal("operator.restore.other_kind", kind=manifest.kind)
    preflight.refuse_other_schema(sorted(set(manifest.migrations) - set(migrations.load_steps())))
    if manifest.key and manifest.key not in secret_encryption.read_keys(config):
        raise refusal("operator.restore.other_key")
    path = Path(config.database.removeprefix("sqlite:///"))
    if kind == "sqlite" and not path.exists():
        return
    preflight.connect_database(config)
    taken = "migration" in connection.db.get_tables()
    connection.drop_connections()
    if taken and not (replace and kind == "sqlite"):
        raise refusal(f"operator.restore.taken.{kind}")

"""`echtra prove-backup`: restore a backup into a scratch database, examine it, and compare it with the live one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import click

from cli.command import FILE, bilingual_command, localise, refusal

if TYPE_CHECKING:
    from service.config import Config
    from service.jobs.backup_watch import BackupRecord, Head

MOST_NAMED = 3
"""Maximum number of matches or tournaments that a fault names."""


class BackupFault(Exception):
    """A fault of a backup: the key of a sentence, and its values."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(key)
        self.sentence = localise(f"operator.prove.fault.{key}", **values)


@dataclass
class Heads:
    """The heads of all logs in a database."""

    matches: list[Head]
    tournaments: list[Head]


@bilingual_command("prove-backup", "usage.prove_backup.about")
@click.argument("file", type=FILE)
def command(file: Path) -> int:
    """Prove that a backup can be restored."""
    from cli import preflight
    from service.jobs import backup_watch

    config = preflight.open_database()
    chosen = _newest_file(file)
    record = backup_watch.find_backup(chosen)
    try:
        heads = prove_backup(chosen, record, config)
    except BackupFault as fault:
        if record is not None:
            backup_watch.record_proof(record, fault.sentence)
        click.echo(localise("operator.prove.bad", file=chosen, fault=fault.sentence), err=True)
        return 1
    if record is not None:
        backup_watch.record_proof(record, "")
    counts = {"matches": len(heads.matches), "tournaments": len(heads.tournaments)}
    click.echo(localise("operator.prove.good", file=chosen, **counts))
    return 0


def _newest_file(path: Path) -> Path:
    """Return the file itself, or the newest backup in a folder."""
    files = sorted(path.glob("*.backup"), key=lambda each: each.stat().st_mtime) if path.is_dir() else [path]
    if not files or not files[-1].is_file():
        raise refusal("operator.prove.none", path=path)
    return files[-1]


def prove_backup(file: Path, record: BackupRecord | None, config: Config) -> Heads:
    """Restore a backup into a scratch database and examine it there. Raise `BackupFault` if anything is wrong.

    The scratch database has no mail server, no mailbox and no broker, and no process serves from it.
    """
    from service.db import backup, connection

    if record is not None and backup.checksum(file) != record.digest:
        raise BackupFault("changed")
    try:
        manifest = backup.read_manifest(file)
        with _scratch_database(config) as scratch:
            backup.restore_backup(file, manifest, scratch)
            connection.connect(scratch.database)
            heads = _examine()
            connection.drop_connections()
    except (backup.BackupFailed, OSError) as error:
        raise BackupFault("unreadable", why=getattr(error, "why", "") or str(error)) from None
    finally:
        connection.connect(config.database)
    _compare_with_live(heads)
    return heads


@contextmanager
def _scratch_database(config: Config) -> Iterator[Config]:
    """Yield settings of an empty database of the same kind, which is dropped at the end of the block."""
    import psycopg

    from service.db import connection

    with TemporaryDirectory(prefix="echtra-proof-") as folder:
        quiet = replace(config, data=Path(folder), smtp_url="", imap_url="", broker_url="", beacon_url="")
        if config.database.startswith("sqlite"):
            yield replace(quiet, database_url=f"sqlite:///{folder}/echtra.db")
            connection.drop_connections()
            return
        name = f"echtra_proof_{os.getpid()}"
        try:
            with psycopg.connect(config.database, autocommit=True) as server:
                server.execute(f"create database {name}")
        except psycopg.errors.InsufficientPrivilege:
            raise refusal("operator.prove.no_createdb") from None
        try:
            yield replace(quiet, database_url=_name_database(config.database, name))
        finally:
            connection.drop_connections()
            with psycopg.connect(config.database, autocommit=True) as server:
                server.execute(f"drop database {name} with (force)")


def _name_database(url: str, name: str) -> str:
    """Return the URL of another database on the same server."""
    from urllib.parse import urlsplit

    return urlsplit(url)._replace(path=f"/{name}").geturl()


def _examine() -> Heads:
    """Recompute every log of the restored database. Return its heads."""
    from service.db import encrypted_columns, migrations
    from service.db.connection import DatabaseDown, rows
    from service.db.secret_encryption import WrongSecretKey
    from service.play import integrity
    from service.tournaments.tournament_integrity import examine_tournament, list_tournaments

    try:
        if migrations.pending_names() or migrations.unknown_names():
            raise BackupFault("schema")
        encrypted_columns.check_key()
        wrong = [match for match in integrity.started_matches() if list(integrity.examine(match))]
        wrong += [tournament for tournament in list_tournaments() if examine_tournament(tournament)]
    except WrongSecretKey:
        raise BackupFault("key") from None
    except DatabaseDown as error:
        raise BackupFault("unreadable", why=str(error).strip()) from None
    if wrong:
        raise BackupFault("logs", ids=", ".join(wrong[:MOST_NAMED]), count=len(wrong))
    sql = "select {key}, seq, hash from {table} e where seq = (select max(seq) from {table} o where o.{key} = e.{key})"
    return Heads(
        [(id_, seq, hash_) for id_, seq, hash_ in rows(sql.format(table="entry", key="match"))],
        [(id_, seq, hash_) for id_, seq, hash_ in rows(sql.format(table="tournament_entry", key="tournament"))],
    )


def _compare_with_live(heads: Heads) -> None:
    """Raise `BackupFault` if the live logs do not contain every head of the backup."""
    from service.db.batches import batched
    from service.jobs.backup_watch import find_missing_heads

    missing = [id_ for part in batched(heads.matches) for id_ in find_missing_heads(part, "entry", "match")]
    for part in batched(heads.tournaments):
        missing += find_missing_heads(part, "tournament_entry", "tournament")
    if missing:
        raise BackupFault("heads", ids=", ".join(missing[:MOST_NAMED]), count=len(missing))

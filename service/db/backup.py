"""Backup of the whole database while the service runs, and restore.

A backup is one tar file: the database as SQLite's backup or `pg_dump` writes it, the files that belong to it, and a
manifest with their checksums. It does not contain the key that encrypts secrets: anyone with both could read them.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
from contextlib import closing
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from service.config import Config, hide_password
from service.timestamps import now, rfc3339

FORMAT = "echtra-backup-v1"
MANIFEST = "manifest.json"
DATABASE = "database"
CHUNK = 1024 * 1024
DUMP_OPTIONS = ("--format=custom", "--no-owner", "--no-privileges")
RESTORE_OPTIONS = ("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction")


class BackupFailed(RuntimeError):
    """A backup could not be written or read. `reason` is the key of a text, `why` the output of a program."""

    def __init__(self, reason: str, why: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.why = why


@dataclass(frozen=True)
class Manifest:
    """Description of a backup."""

    kind: str
    made_at: str
    migrations: tuple[str, ...]
    key: str
    """Fingerprint of the key that encrypts the secrets; empty if they are not encrypted."""
    sums: dict[str, str]


def write_backup(file: Path, config: Config, migrations: list[str], key: str) -> Manifest:
    """Write a backup. The file appears complete or not at all."""
    kind = "sqlite" if config.database.startswith("sqlite") else "postgresql"
    with TemporaryDirectory(prefix=".echtra-backup-", dir=file.parent) as folder:
        parts = {DATABASE: Path(folder) / DATABASE, **_companions(config)}
        (_copy_sqlite if kind == "sqlite" else _dump_postgres)(config.database, parts[DATABASE])
        sums = {name: checksum(path) for name, path in parts.items()}
        manifest = Manifest(kind, rfc3339(now()) or "", tuple(migrations), key, sums)
        packed = Path(folder) / "packed"
        _pack(packed, manifest, parts)
        packed.replace(file)
    return manifest


def _companions(config: Config) -> dict[str, Path]:
    """Return the files outside the database that a restored service needs."""
    found = {"demo/token": config.data / "demo" / "token", "demo/key.pem": config.data / "demo" / "key.pem"}
    if config.dkim_key:
        found["dkim.key"] = Path(config.dkim_key)
    return {name: path for name, path in found.items() if path.is_file()}


def _copy_sqlite(url: str, to: Path) -> None:
    source = Path(url.removeprefix("sqlite:///"))
    if not source.is_file():
        raise BackupFailed("no_database")
    with closing(sqlite3.connect(source, timeout=30)) as live, closing(sqlite3.connect(to)) as copy:
        live.backup(copy)
        copy.execute("pragma journal_mode = delete")


def _dump_postgres(url: str, to: Path) -> None:
    _run_client("pg_dump", (*DUMP_OPTIONS, f"--file={to}"), url)


def _run_client(program: str, words: tuple[str, ...], url: str) -> None:
    """Run a program of PostgreSQL. The password goes into the environment, which other users cannot see."""
    found = shutil.which(program)
    if found is None:
        raise BackupFailed("no_client", program)
    parts = urlsplit(url.replace("postgres://", "postgresql://", 1))
    user = quote(unquote(parts.username or ""))
    place = (f"{user}@" if user else "") + (parts.netloc.rpartition("@")[2])
    env = {**os.environ, **({"PGPASSWORD": unquote(parts.password)} if parts.password else {})}
    bare = urlunsplit((parts.scheme, place, parts.path, parts.query, ""))
    done = subprocess.run([found, *words, f"--dbname={bare}"], env=env, capture_output=True, text=True, check=False)  # noqa: S603  # our own words
    if done.returncode:
        said = hide_password(done.stderr.strip(), url).splitlines()
        raise BackupFailed("client", said[0] if said else program)


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _pack(packed: Path, manifest: Manifest, parts: dict[str, Path]) -> None:
    text = {**vars(manifest), "format": FORMAT}
    data = json.dumps(text, indent=1, sort_keys=True).encode()
    with _create_private(packed) as file:
        with tarfile.open(fileobj=file, mode="w") as archive:
            entry = tarfile.TarInfo(MANIFEST)
            entry.size, entry.mode = len(data), 0o600
            archive.addfile(entry, io.BytesIO(data))
            for name, path in parts.items():
                archive.add(path, name, filter=_make_private)
        file.flush()
        os.fsync(file.fileno())


def _make_private(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.mode, entry.uid, entry.gid, entry.uname, entry.gname = 0o600, 0, 0, "", ""
    return entry


def read_manifest(file: Path) -> Manifest:
    """Return the manifest of a backup. Raise `BackupFailed` if the file is not one."""
    try:
        with tarfile.open(file) as archive:
            member = archive.extractfile(MANIFEST)
            found: dict[str, Any] = json.loads(member.read()) if member else {}
    except (tarfile.TarError, KeyError, ValueError):
        raise BackupFailed("no_backup") from None
    try:
        if found.pop("format", "") != FORMAT:
            raise BackupFailed("no_backup")
        return Manifest(**{**found, "migrations": tuple(found["migrations"])})
    except (AttributeError, KeyError, TypeError):
        raise BackupFailed("no_backup") from None


def restore_backup(file: Path, manifest: Manifest, config: Config) -> None:
    """Restore a backup into the database of these settings. No other process may be using it."""
    with TemporaryDirectory(prefix=".echtra-restore-", dir=file.parent) as folder:
        _unpack(file, manifest, Path(folder))
        copy = Path(folder) / DATABASE
        if manifest.kind == "sqlite":
            _place_sqlite(copy, Path(config.database.removeprefix("sqlite:///")))
        else:
            _run_client("pg_restore", (*RESTORE_OPTIONS, str(copy)), config.database)
        for name in ("demo/token", "demo/key.pem"):
            if name in manifest.sums:
                (config.data / "demo").mkdir(mode=0o700, parents=True, exist_ok=True)
                _place_private(Path(folder) / name, config.data / name)


def _unpack(file: Path, manifest: Manifest, folder: Path) -> None:
    """Unpack a backup. Raise `BackupFailed` if a checksum differs."""
    with tarfile.open(file) as archive:
        for name, expected in manifest.sums.items():
            try:
                member = archive.extractfile(name)
            except (KeyError, tarfile.TarError):
                member = None
            if member is None or ".." in Path(name).parts or Path(name).is_absolute():
                raise BackupFailed("damaged", name)
            (folder / name).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with (folder / name).open("wb") as part:
                shutil.copyfileobj(member, part, CHUNK)
            if checksum(folder / name) != expected:
                raise BackupFailed("damaged", name)


def _place_sqlite(copy: Path, target: Path) -> None:
    for suffix in ("-wal", "-shm"):
        target.with_name(target.name + suffix).unlink(missing_ok=True)
    _place_private(copy, target)


def _create_private(path: Path) -> BinaryIO:
    """Create a file that only its owner can read."""
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _place_private(source: Path, target: Path) -> None:
    """Copy a file to its place, readable by its owner only. It appears complete or not at all."""
    staged = target.with_name(f".{target.name}.restore")
    staged.unlink(missing_ok=True)
    with _create_private(staged) as file, source.open("rb") as part:
        shutil.copyfileobj(part, file, CHUNK)
        file.flush()
        os.fsync(file.fileno())
    staged.replace(target)

"""Checks before a command uses the service: settings, database, broker. Each failure is reported in one sentence."""

from __future__ import annotations

import errno
import os
import signal
import socket
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from cli.command import Refusal, current_language, localise, program_name, refusal
from service.i18n.catalogue import render

if TYPE_CHECKING:
    from service.config import BadConfig, Config


def load_config() -> Config:
    """Read the settings from the environment, or refuse and name the bad one."""
    from service.config import BadConfig, read
    from service.db import secret_encryption

    try:
        config = read(os.environ)
        secret_encryption.use_keys(config)
    except BadConfig as error:
        raise config_refusal(error) from None
    return config


def config_refusal(error: BadConfig) -> Refusal:
    """Return the refusal of a bad setting."""
    return Refusal(f"{render(error.message, current_language())}.")


def open_database() -> Config:
    """Read the settings and connect to their database, which must be up to date."""
    config = load_config()
    check_database(config)
    return config


def prepare_cluster_process(command: str) -> Config:
    """Return the settings of one process of many, once logging is set up and its database and broker are checked."""
    from service.web import middleware

    config = load_config()
    middleware.configure_logging(config.log_level)
    if config.embedded:
        raise refusal("commands.preflight.alone", command=command)
    check_database(config)
    check_broker(config)
    return config


def check_listen_address(config: Config, command: str, *, shared: bool = False) -> str:
    """Return the address to listen on, or refuse if it cannot be used. With `shared` several processes can listen."""
    values = {"host": config.host, "port": config.port, "other": config.port + 1, "command": command}
    try:
        addresses = socket.getaddrinfo(config.host, config.port, type=socket.SOCK_STREAM)
    except OSError:
        raise refusal("commands.preflight.unknown_host", **values) from None
    family, _, _, _, where = min(addresses, key=lambda address: address[0] != socket.AF_INET)
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if shared and hasattr(socket, "SO_REUSEPORT"):
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            probe.bind(where)
            probe.listen()
    except OSError as error:
        key = "commands.preflight.port" if error.errno == errno.EADDRINUSE else "commands.preflight.bind"
        raise refusal(key, why=os_error_text(error), called=program_name(), **values) from None
    return str(where[0])


def warn_without_proxy(config: Config) -> None:
    """Warn on standard error if other machines can connect without a reverse proxy in between."""
    if config.exposed:
        click.echo(localise("doctor.stuck.no-proxy", host=config.host), err=True)


def os_error_text(error: OSError) -> str:
    """Return the operating system's message for an error."""
    return os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)


def lock_database_file(config: Config) -> IO[str] | None:
    """Lock an SQLite file for as long as the returned handle is open. Return None for a database server."""
    from service.db.file_lock import DatabaseInUse, acquire

    if not config.database.startswith("sqlite"):
        return None
    file = Path(config.database.removeprefix("sqlite:///"))
    try:
        _make_private_folder(config)
        return acquire(file.with_suffix(".lock"))
    except DatabaseInUse as error:
        raise refusal("commands.preflight.held", path=file, holder=error.holder) from None
    except OSError as error:
        raise refusal("commands.preflight.folder", path=file.parent, why=error.strerror or error) from None


def _database_folder(config: Config) -> Path:
    return Path(config.database.removeprefix("sqlite:///")).parent


def _make_private_folder(config: Config) -> None:
    """Make the folder and the files of the database private, new files too: they contain seeds and keys."""
    os.umask(0o077)
    folder, file = _database_folder(config), Path(config.database.removeprefix("sqlite:///"))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.resolve() == config.data.resolve():
        folder.chmod(0o700)
    for path in (file, *(file.with_name(file.name + suffix) for suffix in ("-wal", "-shm")), file.with_suffix(".lock")):
        if path.exists():
            path.chmod(0o600)


def connect_database(config: Config) -> None:
    """Connect this process to the database, or refuse one that cannot be reached."""
    from service.db import connection

    def look() -> None:
        if config.database.startswith("sqlite"):
            _make_private_folder(config)
        connection.connect(config.database)
        connection.rows("select 1")

    call_database(config, look)


def call_database(config: Config, ask: Callable[[], None]) -> None:
    """Call a function that needs the database. Refuse in one sentence if the database fails."""
    from service.config import hide_password
    from service.db.connection import DatabaseDown, is_lock_timeout

    try:
        ask()
    except DatabaseDown as error:
        if config.database.startswith("sqlite") and "locked" in str(error):
            raise refusal("commands.preflight.locked", path=config.database.removeprefix("sqlite:///")) from None
        if is_lock_timeout(error):
            raise refusal("operator.preflight.table_in_use", called=program_name()) from None
        why = (str(error).strip().splitlines() or ["?"])[0].strip().rstrip(".")
        raise refusal("commands.preflight.unreachable", why=hide_password(why, config.database)) from None
    except OSError as error:
        raise refusal("commands.preflight.folder", path=_database_folder(config), why=error.strerror or error) from None


def check_database(config: Config) -> None:
    """Connect to a database with every migration, append-only logs and the right key. Refuse any other."""
    from service.db import append_only, database_clock, encrypted_columns, migrations, secret_encryption

    def look() -> None:
        database_clock.use_database_time()
        refuse_other_schema(migrations.unknown_names())
        waiting = migrations.pending_names()
        if waiting:
            raise refusal("commands.preflight.behind", names=", ".join(waiting), called=program_name())
        try:
            append_only.check_triggers()
            encrypted_columns.check_key()
        except append_only.LogNotProtected as error:
            raise Refusal(f"{error}.") from None
        except secret_encryption.WrongSecretKey as error:
            raise refusal("operator.preflight.wrong_key", key=str(error)) from None

    connect_database(config)
    call_database(config, look)


def refuse_other_schema(unknown: Collection[str]) -> None:
    """Refuse a database with unknown migrations: it belongs to a newer version, or to one before 1.0."""
    from service.db import migrations

    if migrations.BEFORE_1_0 in unknown:
        raise refusal("operator.preflight.older")
    if unknown:
        raise refusal("operator.preflight.newer", names=", ".join(unknown))


def check_schema(config: Config) -> None:
    """Connect to the database, and refuse it if its schema is not one of ours."""
    from service.db import migrations

    connect_database(config)
    call_database(config, lambda: refuse_other_schema(migrations.unknown_names()))


def migrate_database(config: Config) -> list[str]:
    """Run the pending migrations of a database that may be new, check it, and return their names."""
    from service.db import migrations

    names: list[str] = []
    check_schema(config)
    call_database(config, lambda: names.extend(migrations.migrate()))
    check_database(config)
    return names


@contextmanager
def refuse_failed_backup() -> Iterator[None]:
    """Refuse in one sentence if a backup cannot be written or read."""
    from service.db.backup import BackupFailed

    try:
        yield
    except BackupFailed as error:
        raise refusal(f"operator.backup.failed.{error.reason}", why=error.why) from None
    except OSError as error:
        raise refusal("operator.backup.failed.write", why=os_error_text(error)) from None


def parse_time(text: str) -> int:
    """Read a date or time in ISO format as ms since 1970. Without a zone it is UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise refusal("commands.house.time", due=text) from None
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)


def select_matches(only: tuple[str, ...], since: int | None = None) -> list[str]:
    """Return the matches that a call names, or all that have started, or those that changed since a time."""
    from service.play import integrity

    if since is not None:
        return integrity.matches_changed_since(since)
    started = integrity.started_matches()
    unknown = [match for match in only if match not in started]
    if unknown:
        raise refusal("commands.preflight.unknown", match=unknown[0])
    return list(only) or started


def broker_eviction_policy(config: Config) -> str | None:
    """Return the eviction policy of the broker, or None if it does not answer."""
    import redis

    if config.embedded:
        return None
    try:
        with redis.Redis.from_url(config.redis_url, socket_timeout=3, socket_connect_timeout=3) as client:
            policy = client.info("memory").get("maxmemory_policy")
    except redis.RedisError:
        # Nothing is lost while the broker is down: jobs wait in the database until it is back.
        return None
    return str(policy) if policy else None


def check_broker(config: Config) -> None:
    """Refuse a broker that may evict messages."""
    policy = broker_eviction_policy(config)
    if policy not in (None, "noeviction"):
        raise refusal("commands.preflight.evicts", policy=policy)


def open_metrics_door(config: Config) -> None:
    """Serve the metrics of this process at the address in the settings, or refuse one that cannot be used."""
    from service.jobs.metrics_server import start_metrics_server

    try:
        start_metrics_server(config)
    except OSError as error:
        values = {"place": config.metrics_door, "why": os_error_text(error)}
        raise refusal("operator.preflight.metrics_door", **values) from None


class StopSignal(SystemExit):
    """A signal that asked this process to end."""


def stop_on_signals() -> None:
    """Make SIGTERM end the process as Ctrl-C does."""

    def stop(number: int, _frame: object) -> None:
        raise StopSignal(128 + number)

    signal.signal(signal.SIGTERM, stop)

"""What every command that touches the service does first: settings, database, broker, each refused in one sentence."""

from __future__ import annotations

import errno
import os
import signal
import socket
from collections.abc import Callable, Collection
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from cli.command import Refusal, program_name, refusal
from service.i18n.catalogue import render, translate

if TYPE_CHECKING:
    from engine.words import Locale
    from service.config import BadConfig, Config


def load_config(locale: Locale) -> Config:
    """The settings in the environment, or a refusal that names the bad one."""
    from service.config import BadConfig, read
    from service.db import secret_encryption

    try:
        config = read(os.environ)
        secret_encryption.use_keys(config)
    except BadConfig as error:
        raise config_refusal(error, locale) from None
    return config


def config_refusal(error: BadConfig, locale: Locale) -> Refusal:
    """An error that says what is wrong with a setting."""
    return Refusal(f"{render(error.message, locale)}.")


def prepare_cluster_process(command: str, locale: Locale) -> Config:
    """The settings of a process that is one of many, once its database and its broker are good and it can log."""
    from service.web import middleware

    config = load_config(locale)
    if config.embedded:
        raise refusal(locale, "commands.preflight.alone", command=command)
    check_database(config, locale)
    check_broker(config, locale)
    middleware.configure_logging(config.log_level)
    return config


def check_listen_address(config: Config, locale: Locale, command: str, *, shared: bool = False) -> str:
    """The address to listen on, which others like us may share, or a refusal if that cannot be."""
    values = {"host": config.host, "port": config.port, "other": config.port + 1, "command": command}
    try:
        found = socket.getaddrinfo(config.host, config.port, type=socket.SOCK_STREAM)
    except OSError:
        raise refusal(locale, "commands.preflight.unknown_host", **values) from None
    family, _, _, _, where = min(found, key=lambda each: each[0] != socket.AF_INET)
    try:
        with socket.socket(family, socket.SOCK_STREAM) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if shared and hasattr(socket, "SO_REUSEPORT"):
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            tried.bind(where)
            tried.listen()
    except OSError as error:
        key = "commands.preflight.port" if error.errno == errno.EADDRINUSE else "commands.preflight.bind"
        raise refusal(locale, key, why=os_error_text(error), called=program_name(), **values) from None
    return str(where[0])


def warn_without_proxy(config: Config, locale: Locale) -> None:
    """Warn on standard error if other machines can connect without a reverse proxy between."""
    if config.exposed:
        click.echo(translate(locale, "doctor.stuck.no-proxy", host=config.host), err=True)


def os_error_text(error: OSError) -> str:
    """What the system says is wrong."""
    return os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)


def lock_database_file(config: Config, locale: Locale) -> IO[str] | None:
    """The lock on an SQLite file, for as long as what this returns is kept; nothing for a database that is a server."""
    from service.db.file_lock import DatabaseInUse, acquire

    if not config.database.startswith("sqlite"):
        return None
    file = Path(config.database.removeprefix("sqlite:///"))
    try:
        _make_private_folder(config)
        return acquire(file.with_suffix(".lock"))
    except DatabaseInUse as error:
        raise refusal(locale, "commands.preflight.held", path=file, holder=error.holder) from None
    except OSError as error:
        raise refusal(locale, "commands.preflight.folder", path=file.parent, why=error.strerror or error) from None


def _database_folder(config: Config) -> Path:
    return Path(config.database.removeprefix("sqlite:///")).parent


def _make_private_folder(config: Config) -> None:
    """Make folder and files of the database, which holds seeds and keys, private: those there are, and new ones."""
    os.umask(0o077)
    folder, file = _database_folder(config), Path(config.database.removeprefix("sqlite:///"))
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.resolve() == config.data.resolve():
        folder.chmod(0o700)
    for path in (file, *(file.with_name(file.name + suffix) for suffix in ("-wal", "-shm")), file.with_suffix(".lock")):
        if path.exists():
            path.chmod(0o600)


def connect_database(config: Config, locale: Locale) -> None:
    """Bind this process to the database; one that is not there is refused."""
    from service.db import connection

    def look() -> None:
        if config.database.startswith("sqlite"):
            _make_private_folder(config)
        connection.connect(config.database)
        connection.rows("select 1")

    call_database(config, locale, look)


def call_database(config: Config, locale: Locale, ask: Callable[[], None]) -> None:
    """Do something that needs the database, or refuse in one sentence."""
    from service.config import hide_password
    from service.db.connection import DatabaseDown, is_lock_timeout

    try:
        ask()
    except DatabaseDown as error:
        if config.database.startswith("sqlite") and "locked" in str(error):
            raise refusal(
                locale, "commands.preflight.locked", path=config.database.removeprefix("sqlite:///")
            ) from None
        if is_lock_timeout(error):
            raise refusal(locale, "operator.preflight.table_in_use", called=program_name()) from None
        why = (str(error).strip().splitlines() or ["?"])[0].strip().rstrip(".")
        raise refusal(locale, "commands.preflight.unreachable", why=hide_password(why, config.database)) from None
    except OSError as error:
        raise refusal(
            locale, "commands.preflight.folder", path=_database_folder(config), why=error.strerror or error
        ) from None


def check_database(config: Config, locale: Locale) -> None:
    """A database with every migration, whose log cannot be changed; others are refused."""
    from service.db import append_only, database_clock, encrypted_columns, migrations, secret_encryption

    def look() -> None:
        database_clock.use_database_time()
        refuse_other_schema(migrations.unknown_names(), locale)
        waiting = migrations.pending_names()
        if waiting:
            raise refusal(locale, "commands.preflight.behind", names=", ".join(waiting), called=program_name())
        try:
            append_only.check_triggers()
            encrypted_columns.check_key()
        except append_only.LogNotProtected as error:
            raise Refusal(f"{error}.") from None
        except secret_encryption.WrongSecretKey as error:
            raise refusal(locale, "operator.preflight.wrong_key", key=str(error)) from None

    connect_database(config, locale)
    call_database(config, locale, look)


def refuse_other_schema(unknown: Collection[str], locale: Locale) -> None:
    """Refuse a database that was migrated by steps unknown here: those of a newer version, or of one before 1.0."""
    from service.db import migrations

    if migrations.BEFORE_1_0 in unknown:
        raise refusal(locale, "operator.preflight.older")
    if unknown:
        raise refusal(locale, "operator.preflight.newer", names=", ".join(unknown))


def check_schema(config: Config, locale: Locale) -> None:
    """Connect to the database, and refuse it if its schema is not one of ours."""
    from service.db import migrations

    connect_database(config, locale)
    call_database(config, locale, lambda: refuse_other_schema(migrations.unknown_names(), locale))


def parse_time(text: str, locale: Locale) -> int:
    """A date or time as people write it, in ms since 1970; without a zone it is UTC."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise refusal(locale, "commands.house.time", due=text) from None
    return int((found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp() * 1000)


def select_matches(only: tuple[str, ...], locale: Locale, since: int | None = None) -> list[str]:
    """The matches that a call names, or all that have started, or of these all that changed since then."""
    from service.play import integrity

    if since is not None:
        return integrity.matches_changed_since(since)
    started = integrity.started_matches()
    unknown = [match for match in only if match not in started]
    if unknown:
        raise refusal(locale, "commands.preflight.unknown", match=unknown[0])
    return list(only) or started


def broker_eviction_policy(config: Config) -> str | None:
    """The eviction policy of the broker; nothing if it cannot be asked now."""
    import redis

    if config.embedded:
        return None
    try:
        with redis.Redis.from_url(config.redis_url, socket_timeout=3, socket_connect_timeout=3) as client:
            known = client.info("memory").get("maxmemory_policy")
    except redis.RedisError:
        # A broker that is down loses nothing; it may come later.
        return None
    return str(known) if known else None


def check_broker(config: Config, locale: Locale) -> None:
    """Refuse a broker that may throw messages away."""
    found = broker_eviction_policy(config)
    if found not in (None, "noeviction"):
        raise refusal(locale, "commands.preflight.evicts", policy=found)


def open_metrics_door(config: Config, locale: Locale) -> None:
    """Serve the figures of this process where the settings say, or refuse a place that cannot be had."""
    from service.jobs.metrics_server import start_metrics_server

    try:
        start_metrics_server(config)
    except OSError as error:
        values = {"place": config.metrics_door, "why": os_error_text(error)}
        raise refusal(locale, "operator.preflight.metrics_door", **values) from None


class StopSignal(SystemExit):
    """A signal asked this process to end."""


def stop_on_signals() -> None:
    """Let SIGTERM end the process as Ctrl-C does."""

    def stop(number: int, _frame: object) -> None:
        raise StopSignal(128 + number)

    signal.signal(signal.SIGTERM, stop)

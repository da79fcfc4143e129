"""Services to measure: a database with its settings, and processes on it."""

import contextlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path

import click
import psutil  # type: ignore[import-untyped]
import psycopg

from bench import measured_server
from bench.timing import wait_until
from service.config import Config, read
from service.db import connection as database
from service.db import migrations
from service.db.connection import rows
from service.play import server_keys
from tests.support.servers import Postgres, free_port


@dataclass(frozen=True)
class MeasuredService:
    """A database and the environment of processes on it."""

    name: str
    env: dict[str, str]

    @property
    def config(self) -> Config:
        """The settings."""
        return read(self.env)

    def open(self) -> None:
        """Connect this process to the database, and migrate it."""
        database.connect(self.config.database)
        migrations.migrate()
        server_keys.current_key()
        measured_server.create_plain_table()


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Return settings without rate limits."""
    quiet = {"ECHTRA_LOG_LEVEL": "error", "ECHTRA_LIMIT_REQUESTS": "999999999", "ECHTRA_OPEN_MATCHES": "999999999"}
    # Two streams for each of 500 matches, while those of the previous measurement are still closing.
    quiet["ECHTRA_STREAMS"] = "2000"
    return {"ECHTRA_DATA": str(folder), "ECHTRA_PORT": str(free_port()), **quiet, **more}


@contextlib.contextmanager
def temporary_service() -> Iterator[MeasuredService]:
    """Open a service on SQLite in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="echtra-bench-") as folder:
        service = MeasuredService("SQLite", environment(Path(folder)))
        try:
            service.open()
            yield service
        finally:
            database.drop_connections()


def new_database(postgres: Postgres, name: str) -> str:
    """Create another database on the server, because matches of one measurement must not wait in the next."""
    with psycopg.connect(postgres.server.get_uri(), autocommit=True) as connection:
        connection.execute(f"create database {name}")
    address: str = postgres.server.get_uri(name)
    return address


@contextlib.contextmanager
def run_module(
    *words: str, env: dict[str, str] | None = None, is_ready: Callable[[], bool] = lambda: True
) -> Iterator[psutil.Process]:
    """Run `python -m` with these words in a separate process. Yield when it is ready; stop it after the block."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ECHTRA_")}
    process = subprocess.Popen(  # noqa: S603  # our own modules
        [sys.executable, "-m", *words], env={**kept, **(env or {})}, start_new_session=True
    )

    def is_up() -> bool:
        if process.poll() is not None:
            raise click.ClickException(f"{words[0]} did not start; see above.")
        return is_ready()

    try:
        wait_until(is_up, 60)
        yield psutil.Process(process.pid)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.wait()


def run_server(world: MeasuredService, kind: str) -> contextlib.AbstractContextManager[psutil.Process]:
    """Run the service in a separate process. A worker alone answers no requests, so nothing waits for it."""

    def is_healthy() -> bool:
        with (
            contextlib.suppress(OSError),
            contextlib.closing(HTTPConnection("127.0.0.1", world.config.port, timeout=5)) as wire,
        ):
            wire.request("GET", "/healthz")
            return wire.getresponse().status == HTTPStatus.OK
        return False

    ready = {} if kind == "worker" else {"is_ready": is_healthy}
    return run_module("bench.measured_server", kind, env=world.env, **ready)


def is_everything_resolved() -> bool:
    """Return True if no match waits for a worker."""
    return not rows("select 1 from match where resolved_seq < head_seq limit 1")

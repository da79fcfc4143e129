"""Databases and services to be measured: a World is a database, and a server on it is a process of its own."""

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path

import click
import psutil  # type: ignore[import-untyped]
import psycopg

from bench import measured_server
from service.config import Config, read
from service.db import connection as database
from service.db import migrations
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
        """A migrated database, used by this process too."""
        database.connect(self.config.database)
        migrations.migrate()
        server_keys.current_key()
        measured_server.create_plain_table()


def environment(folder: Path, **more: str) -> dict[str, str]:
    """Settings without limits on how often one may ask."""
    quiet = {"ECHTRA_LOG_LEVEL": "error", "ECHTRA_LIMIT_REQUESTS": "999999999", "ECHTRA_OPEN_MATCHES": "999999999"}
    quiet["ECHTRA_STREAMS"] = "2000"  # two for each of 500 matches, while those of the measurement before still close
    return {"ECHTRA_DATA": str(folder), "ECHTRA_PORT": str(free_port()), **quiet, **more}


def new_database(postgres: Postgres, name: str) -> str:
    """Another database of the same server: matches of one measurement must not wait in the next."""
    with psycopg.connect(postgres.server.get_uri(), autocommit=True) as connection:
        connection.execute(f"create database {name}")
    address: str = postgres.server.get_uri(name)
    return address


@contextlib.contextmanager
def run_server(world: MeasuredService, kind: str) -> Iterator[psutil.Process]:
    """The service as a process of its own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ECHTRA_")}
    process = subprocess.Popen(  # noqa: S603  # our own server
        [sys.executable, "-m", "bench.measured_server", kind], env={**kept, **world.env}, start_new_session=True
    )
    try:
        if kind != "worker":
            _wait_until_ready(world.config.port, process)
        yield psutil.Process(process.pid)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, 9)
        process.wait()


def _wait_until_ready(port: int, process: "subprocess.Popen[bytes]") -> None:
    for _ in range(600):
        if process.poll() is not None:
            raise click.ClickException("The service did not start; see above.")
        with contextlib.suppress(OSError), contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=5)) as wire:
            wire.request("GET", "/healthz")
            if wire.getresponse().status == HTTPStatus.OK:
                return
        time.sleep(0.05)
    raise click.ClickException("The service did not answer.")

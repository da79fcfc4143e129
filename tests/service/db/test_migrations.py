"""Migrations: each is run once, however many processes try, and what is in the database comes along."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from service.db import connection, migrations
from service.db.connection import execute, rows, write_transaction
from tests.support.fixtures import KINDS, Postgres
from tests.support.servers import Process

INSERT_JOB = (
    "insert into job (topic, key, payload, due_at, attempts, hint_until, lease_until, lease_token, last_error) "
    "values ('letter', ?, ?, 0, 0, 0, 0, '', '')"
)
INSERT_INBOX = (
    "insert into inbox (id, received, door, sender, recipient, mime, digest, verdict, state, result) "
    "values (?, 0, 'smtp', '', '', ?, '', 'none', 'refused', ?)"
)


@pytest.fixture(params=KINDS)
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database without tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/empty.db"
        connection.drop_connections()
        return
    model: Postgres = request.getfixturevalue("postgres_model")
    model.connection.execute("create database empty")
    yield model.server.get_uri("empty")
    connection.drop_connections()
    model.connection.execute("drop database empty with (force)")


def test_two_migrations_at_once_run_each_step_once(empty: str, tmp_path: Path) -> None:
    env = {"ECHTRA_DATA": str(tmp_path), "ECHTRA_DATABASE_URL": empty, "LANG": "C"}
    processes = [Process("migrate", env=env, log=tmp_path / f"{number}.log") for number in range(3)]
    for process in processes:
        process.start()
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    ran = [re.findall(r"\d{4}_\w+", process.text()) for process in processes]
    assert sorted(ran, key=len) == [[], [], migrations.migration_names()]
    connection.connect(empty)
    assert rows("select name from migration order by name") == [(name,) for name in migrations.migration_names()]
    assert rows("select count(*) from server_key") == [(1,)]


def migrate_up_to(last: str) -> None:
    """Run the first migrations only, as an earlier version did."""
    with write_transaction():
        execute("create table migration (name text primary key, at bigint not null)")
        for name in migrations.migration_names():
            if name <= last:
                import_module(f"service.db.migrations.{name}").up()
                execute("insert into migration (name, at) values (?, 0)", name)


def test_what_stood_in_json_stands_in_columns(empty: str) -> None:
    connection.connect(empty)
    migrate_up_to("0008_holder")
    payloads = {
        "one": '{"kind":"confirm","address":"a_b@x.org"}',
        "two": '{"kind":"turn","match":"address"}',
        "three": "{}",
        "four": '{"address":"\\"é\\\\\\"@x.org"}',
    }
    for key, payload in payloads.items():
        execute(INSERT_JOB, key, payload)
    for id_, result in (("a", '{"what":"unclear","print":"0123456789abcdef"}'), ("b", '{"what":"print"}'), ("c", "")):
        execute(INSERT_INBOX, id_, b"", result)
    assert migrations.migrate() == ["0009_lookup_columns", "0010_reason", "0011_auto"]
    assert rows("select key, address from job order by id") == [
        ("one", "a_b@x.org"),
        ("two", None),
        ("three", None),
        ("four", '"é\\"@x.org'),
    ]
    assert rows("select id, print from inbox order by id") == [("a", "0123456789abcdef"), ("b", None), ("c", None)]
    assert migrations.migrate() == []


def test_a_migration_imports_no_other() -> None:
    for path in sorted(Path(migrations.__file__).parent.glob("[0-9]*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        modules = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
        modules |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        assert not {name for name in modules if name.startswith(("importlib", "service.db.migrations"))}, path.name

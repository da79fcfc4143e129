"""Migrations: each is run once, however many processes try, and what is in the database comes along."""

from __future__ import annotations

import ast
import re
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import psycopg
import pytest

from service.db import append_only, connection, migrations
from service.db.connection import execute, rows
from tests.support.fixtures import Postgres
from tests.support.servers import Process, free_port


def test_two_migrations_at_once_run_each_step_once(empty: str, tmp_path: Path) -> None:
    env = {"ECHTRA_DATA": str(tmp_path), "ECHTRA_DATABASE_URL": empty, "LANG": "C"}
    processes = [Process("migrate", env=env, log=tmp_path / f"{number}.log") for number in range(3)]
    for process in processes:
        process.start()
    assert [process.wait(60) for process in processes] == [0, 0, 0]
    ran = [re.findall(r"\d{4}_\w+", process.text()) for process in processes]
    assert sorted(ran, key=len) == [[], [], [*migrations.load_steps()]]
    connection.connect(empty)
    assert rows("select name from migration order by name") == [(name,) for name in [*migrations.load_steps()]]
    assert rows("select count(*) from server_key") == [(1,)]


NEXT_STEP = "0002_colour"
INSERT_LETTER = (
    "insert into letter (id, address, kind, seq, message_id, subject, return_path, state, created_at, why) "
    "values (%s, '', 'turn', 0, %s, '', '', 'accepted', 0, '')"
)


def migrate_in_a_thread() -> list[str]:
    """Migrate with a connection of this thread's own."""
    try:
        return migrations.migrate()
    finally:
        connection.drop_connections()


def add_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a migration that exists only here: a column, and an index on it."""
    step = ModuleType(NEXT_STEP)
    step.up = lambda: execute("alter table letter add column colour text")  # type: ignore[attr-defined]
    step.INDEXES = {"letter_colour": "on letter (colour)"}  # type: ignore[attr-defined]
    steps = {**migrations.load_steps(), NEXT_STEP: step}
    monkeypatch.setattr(migrations, "load_steps", lambda: steps)


@pytest.mark.parametrize("empty", ["postgres"], indirect=True)
def test_writers_do_not_wait_for_a_migration_that_waits_for_a_long_reader(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection.connect(empty)
    migrations.migrate()
    add_step(monkeypatch)
    waits: list[float] = []
    over = threading.Event()

    def write() -> None:
        with psycopg.connect(empty, autocommit=True) as session:
            while not over.wait(0.01):
                began = time.monotonic()
                session.execute(INSERT_LETTER, (str(len(waits)), str(len(waits))))
                waits.append(time.monotonic() - began)

    writer = threading.Thread(target=write)
    with ThreadPoolExecutor() as pool, psycopg.connect(empty) as reader:
        reader.execute("select count(*) from letter")
        writer.start()
        migrating = pool.submit(migrate_in_a_thread)
        time.sleep(6)
        assert not migrating.done(), "it did not have to wait, so this proves nothing"
        reader.rollback()
        assert migrating.result(30) == [NEXT_STEP]
    over.set()
    writer.join()
    print(f"{len(waits)} letters written, the slowest took {max(waits):.2f} s")
    assert max(waits) < 2 * migrations.LOCK_TIMEOUT_MS / 1000
    with psycopg.connect(empty) as session:
        unfinished = session.execute("select indexrelid::regclass from pg_index where not indisvalid").fetchall()
    assert unfinished == []


@pytest.mark.parametrize("empty", ["postgres"], indirect=True)
def test_an_index_whose_building_was_broken_off_is_built_again(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connection.connect(empty)
    add_step(monkeypatch)
    migrations.migrate()
    execute("update pg_index set indisvalid = false where indexrelid = 'letter_colour'::regclass")
    assert migrations.migrate() == []
    assert rows("select indisvalid from pg_index where indexrelid = 'letter_colour'::regclass") == [(True,)]


def test_a_step_runs_once_on_a_database_in_use(empty: str, monkeypatch: pytest.MonkeyPatch) -> None:
    connection.connect(empty)
    migrations.migrate()
    add_step(monkeypatch)
    assert migrations.pending_names() == [NEXT_STEP]
    assert (migrations.migrate(), migrations.migrate()) == ([NEXT_STEP], [])
    execute("update letter set colour = 'red'")


def test_a_database_from_before_1_0_is_refused_in_one_sentence(empty: str, tmp_path: Path) -> None:
    connection.connect(empty)
    execute("create table migration (name text primary key, at bigint not null)")
    execute("insert into migration (name, at) values ('0001_first', 0)")
    connection.drop_connections()
    env = {"ECHTRA_DATABASE_URL": empty, "ECHTRA_DATA": str(tmp_path), "ECHTRA_PORT": str(free_port()), "LANG": "C"}
    for words in (("migrate",), ("serve",), ("demo",), ("keys",), ("doctor", "--lang", "fr")):
        process = Process(*words, env=env, log=tmp_path / f"{words[0]}.log")
        process.start()
        assert process.wait(30) == 2, process.text()
        assert ("antérieure à la 1.0" if "fr" in words else "before 1.0") in process.text(), words
        assert process.text().count("\n") == 1, process.text()


def test_a_program_older_than_the_database_refuses_to_start(empty: str, tmp_path: Path) -> None:
    connection.connect(empty)
    migrations.migrate()
    execute("insert into migration (name, at) values ('9999_future', 0)")
    connection.drop_connections()
    env = {"ECHTRA_DATABASE_URL": empty, "ECHTRA_DATA": str(tmp_path), "ECHTRA_PORT": str(free_port()), "LANG": "C"}
    for words in (("keys",), ("migrate",), ("serve",), ("doctor", "--lang", "fr")):
        process = Process(*words, env=env, log=tmp_path / f"{words[0]}.log")
        process.start()
        assert process.wait(30) == 2, process.text()
        assert "9999_future" in process.text()
        assert process.text().count("\n") == 1


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://user:top-secret@127.0.0.1:1/x",
        "postgresql://user:top-secret@x@127.0.0.1/x",
        "postgresql://user:top/secret@127.0.0.1/x",
        "postgresql://user:top-secret#x@127.0.0.1/x",
        "postgresql://user:top-secret@127.0.0.1:port/x",
        "postgresql://user:top-secret@[127.0.0.1/x",
    ],
)
def test_no_password_is_printed(url: str, tmp_path: Path) -> None:
    process = Process("migrate", env={"ECHTRA_DATABASE_URL": url, "LANG": "C"}, log=tmp_path / "migrate.log")
    process.start()
    assert process.wait(30) == 2
    assert process.text().count("\n") == 1
    assert "ECHTRA_DATABASE_URL" in process.text()
    assert not re.search("top|secret", process.text()), process.text()


def test_a_migration_imports_no_other() -> None:
    for path in sorted(Path(migrations.__file__).parent.glob("[0-9]*.py")):
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        modules = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
        modules |= {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        assert not {name for name in modules if name.startswith(("importlib", "service.db.migrations"))}, path.name


def test_a_migration_leaves_no_errors_in_the_log_of_postgresql(postgres_model: Postgres) -> None:
    """An operator looks there for faults, so nothing may fail there on purpose."""
    log = Path(postgres_model.server.pgdata) / "log"
    before = log.stat().st_size
    postgres_model.connection.execute("create database fresh")
    try:
        connection.connect(postgres_model.server.get_uri("fresh"))
        migrations.migrate()
        migrations.migrate()
        append_only.check_triggers()
    finally:
        connection.drop_connections()
        postgres_model.connection.execute("drop database fresh with (force)")
    with log.open("rb") as written:
        written.seek(before)
        lines = written.read().decode("utf-8", "replace").splitlines()
    assert [line for line in lines if "ERROR" in line] == []

"""Migrations: each is run once, however many processes try, and what is in the database comes along."""

from __future__ import annotations

import ast
import re
import threading
import time
from pathlib import Path

import psycopg
import pytest

from service.db import connection, migrations
from service.db.connection import execute, rows
from tests.support.schema import migrate_up_to
from tests.support.servers import Process, free_port

INSERT_JOB = (
    "insert into job (topic, key, payload, due_at, attempts, hint_until, lease_until, lease_token, last_error) "
    "values ('letter', ?, ?, 0, 0, 0, 0, '', '')"
)
INSERT_INBOX = (
    "insert into inbox (id, received, door, sender, recipient, mime, digest, verdict, state, result) "
    "values (?, 0, 'smtp', '', '', ?, '', 'none', 'refused', ?)"
)


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
    assert migrations.migrate() == [name for name in migrations.migration_names() if name > "0008_holder"]
    assert rows("select key, address from job order by id") == [
        ("one", "a_b@x.org"),
        ("two", None),
        ("three", None),
        ("four", '"é\\"@x.org'),
    ]
    assert rows("select id, print from inbox order by id") == [("a", "0123456789abcdef"), ("b", None), ("c", None)]
    assert migrations.migrate() == []


def test_letters_to_many_that_wait_go_after_all_others_after_the_migration(empty: str) -> None:
    connection.connect(empty)
    migrate_up_to("0032_digest_news")
    for key in ("turn:m:0:3", "tournament-round:t:swiss:1:p", "tournament-entered:t:p:4", "digest:p:0"):
        execute(INSERT_JOB, key, "{}")
    migrations.migrate()
    assert rows("select key from job where rank = 1 and lost = 0 order by key") == [
        ("digest:p:0",),
        ("tournament-round:t:swiss:1:p",),
    ]
    assert rows("select count(*) from job where rank = 0 and lost = 0") == [(2,)]


INSERT_LETTER = (
    "insert into letter (id, address, kind, seq, message_id, subject, return_path, state, created_at, why) "
    "values (%s, '', 'turn', 0, %s, '', '', 'accepted', 0, '')"
)


@pytest.mark.parametrize("empty", ["postgres"], indirect=True)
def test_writers_do_not_wait_for_a_migration_that_waits_for_a_long_reader(empty: str, tmp_path: Path) -> None:
    connection.connect(empty)
    migrate_up_to("0010_reason")
    connection.drop_connections()
    waits: list[float] = []
    over = threading.Event()

    def write() -> None:
        with psycopg.connect(empty, autocommit=True) as session:
            while not over.wait(0.01):
                began = time.monotonic()
                session.execute(INSERT_LETTER, (str(len(waits)), str(len(waits))))
                waits.append(time.monotonic() - began)

    writer = threading.Thread(target=write)
    process = Process("migrate", env={"ECHTRA_DATABASE_URL": empty, "LANG": "C"}, log=tmp_path / "migrate.log")
    with psycopg.connect(empty) as reader:
        reader.execute("select count(*) from letter")
        writer.start()
        process.start()
        time.sleep(6)
        assert process.process is not None
        assert process.process.poll() is None, "it did not have to wait, so this proves nothing"
    assert process.wait(30) == 0, process.text()
    over.set()
    writer.join()
    assert "0011_alarms" in process.text()
    print(f"{len(waits)} letters written, the slowest took {max(waits):.2f} s")
    assert max(waits) < 2 * migrations.LOCK_TIMEOUT_MS / 1000
    with psycopg.connect(empty) as session:
        unfinished = session.execute("select indexrelid::regclass from pg_index where not indisvalid").fetchall()
    assert unfinished == []


@pytest.mark.parametrize("empty", ["postgres"], indirect=True)
def test_an_index_whose_building_was_broken_off_is_built_again(empty: str) -> None:
    connection.connect(empty)
    migrations.migrate()
    execute("update pg_index set indisvalid = false where indexrelid = 'job_done'::regclass")
    assert migrations.migrate() == []
    assert rows("select indisvalid from pg_index where indexrelid = 'job_done'::regclass") == [(True,)]


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

"""The guards of the log: found missing, switched off or changed, without a lock that play would have to wait for."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from peewee import IntegrityError

from service.config import Config
from service.db import append_only, connection
from service.db.append_only import LogNotProtected
from service.db.connection import db, execute, rows, write_transaction
from tests.support.factories import match_of, settle, somebody
from tests.support.fixtures import Postgres
from tests.support.servers import Process


@pytest.fixture
def copy(postgres_model: Postgres) -> Iterator[str]:
    """The address of a migrated PostgreSQL database."""
    address = postgres_model.copy()
    yield address
    connection.drop_connections()
    postgres_model.drop(address)


def test_a_start_waits_for_no_reader_and_no_writer_of_the_log(copy: str, tmp_path: Path) -> None:
    """A long reader, an open writer and even an ALTER TABLE that waits: the process starts beside all of them."""
    env = {"ECHTRA_DATABASE_URL": copy, "ECHTRA_DATA": str(tmp_path), "LANG": "C", "PYTHONWARNINGS": "ignore"}
    with psycopg.connect(copy) as reader, psycopg.connect(copy) as writer, psycopg.connect(copy) as holder:
        reader.execute("select count(*) from entry")
        writer.execute("update match set title = title")
        writer.execute("lock table entry in row exclusive mode")
        waiting = threading.Thread(target=lock_and_undo, args=(holder,))
        waiting.start()
        process = Process("keys", env=env, log=tmp_path / "keys.log")
        started = time.monotonic()
        process.start()
        code = process.wait(30)
        assert code == 0, process.text()
        assert waiting.is_alive(), "nothing waited, so this proved nothing"
        print(f"started in {time.monotonic() - started:.1f} s beside a reader, a writer and a waiting lock")
        reader.rollback()
        writer.rollback()
        waiting.join()


def lock_and_undo(session: psycopg.Connection[tuple[object, ...]]) -> None:
    """Ask for the strongest lock on the log, behind which everybody else would queue."""
    session.execute("lock table entry in access exclusive mode")
    session.rollback()


def test_a_process_that_starts_holds_no_lock_on_the_log(copy: str) -> None:
    connection.connect(copy)
    with write_transaction():
        append_only.check_triggers()
        tables = ", ".join(f"'{table}'::regclass" for table in append_only.TABLE_KEYS)
        locked = f"select count(*) from pg_locks where relation in ({tables})"  # noqa: S608  # our own names
        assert rows(locked) == [(0,)]


@pytest.mark.parametrize(
    "change",
    [
        "alter table entry disable trigger entry_no_change",
        "alter table header disable trigger user",
        "drop trigger entry_no_truncate on entry",
        "drop trigger entry_chained on entry",
        "create or replace function log_is_append_only() returns trigger language plpgsql as "
        "$$ begin return new; end $$",
        "create or replace trigger entry_no_change before update on entry for each row "
        "execute function log_is_append_only()",
        "create or replace trigger entry_no_change before update or delete on entry for each row "
        "when (old.seq < 0) execute function log_is_append_only()",
        "alter table tournament_entry disable trigger tournament_entry_no_change",
        "drop trigger tournament_entry_chained on tournament_entry",
        "drop trigger tournament_header_no_truncate on tournament_header",
        "drop trigger tournament_document_no_change on tournament_document",
    ],
)
def test_postgres_guards_that_do_not_guard_are_found_and_made_anew(copy: str, change: str) -> None:
    connection.connect(copy)
    append_only.check_triggers()
    db.execute_sql(change)
    with pytest.raises(LogNotProtected, match="echtra migrate"):
        append_only.check_triggers()
    with write_transaction():
        append_only.create_triggers()
    append_only.check_triggers()


def test_a_session_that_skips_triggers_is_found(copy: str) -> None:
    connection.connect(copy)
    db.execute_sql("set session_replication_role = replica")
    with pytest.raises(LogNotProtected, match="replica"):
        append_only.check_triggers()


@pytest.mark.parametrize(
    "change",
    [
        ("drop trigger entry_no_delete",),
        ("drop trigger entry_no_update", "create trigger entry_no_update before update on entry begin select 1; end"),
        ("drop trigger tournament_entry_no_replace",),
        ("drop trigger tournament_document_no_delete",),
    ],
)
def test_sqlite_guards_that_do_not_guard_are_found_and_made_anew(
    sqlite_model: Path, tmp_path: Path, change: tuple[str, ...]
) -> None:
    file = tmp_path / "copy.db"
    file.write_bytes(sqlite_model.read_bytes())
    connection.connect(f"sqlite:///{file}")
    append_only.check_triggers()
    for statement in change:
        db.execute_sql(statement)
    with pytest.raises(LogNotProtected, match="echtra migrate"):
        append_only.check_triggers()
    with write_transaction():
        append_only.create_triggers()
    append_only.check_triggers()
    connection.drop_connections()


GUARDED = ("header", "entry", "tournament_header", "tournament_entry", "tournament_document")
CHAINED = {"entry_chained", "tournament_entry_chained"}


@pytest.mark.usefixtures("service")
def test_every_log_has_its_append_only_triggers_and_the_database_no_others() -> None:
    if connection.is_postgres():
        sql = "select tgname from pg_trigger where not tgisinternal"
        kinds, views = ["no_change", "no_truncate"], "select viewname from pg_views where schemaname = 'public'"
    else:
        sql = "select name from sqlite_master where type = 'trigger'"
        kinds = ["no_update", "no_delete", "no_replace"]
        views = "select name from sqlite_master where type = 'view'"
    assert {name for (name,) in rows(sql)} == CHAINED | {f"{table}_{kind}" for table in GUARDED for kind in kinds}
    assert rows(views) == []


@pytest.mark.parametrize(
    "change",
    [
        "update entry set line = 'x'",
        "delete from entry",
        "update header set body = 'x'",
        "delete from header",
        "insert into entry select match, seq + 5, seat, at, made_by, line, commitment, prev, hash, sealed, reveals, "
        "owner, shown, asked, n, key, signature, signed_text, orders, mail from entry where seq = 1",
    ],
)
def test_a_real_log_takes_no_change(service: Config, change: str) -> None:
    match = match_of(service, somebody(), bots={1: "steady"})
    settle(match, service)
    before = rows("select * from entry order by seq")
    assert before
    with pytest.raises(IntegrityError):
        execute(change)
    assert rows("select * from entry order by seq") == before


INSERT_TOURNAMENT = (
    "insert into tournament (id, name, owner, game, state, listed, title, document, document_hash, seed, deals, "
    "created_at, head_seq, head_hash) "
    "values ('guarded', 'cup', ?, '', 'entry', true, '{}', '{}', '', '', '', 0, 0, 'h0')"
)
INSERT_LINE = (
    "insert into tournament_entry (tournament, seq, at, line, prev_hash, hash) values ('guarded', ?, 0, ?, ?, ?)"
)


@pytest.mark.parametrize(
    "change",
    [
        "update tournament_entry set line = 'x' where seq = 1",
        "delete from tournament_entry where seq = 2",
        "update tournament_header set body = 'x'",
        "delete from tournament_header",
        "update tournament_document set document = 'x'",
        "delete from tournament_document",
        "insert into tournament_entry select tournament, seq + 5, at, line, hash, 'h9' from tournament_entry "
        "where seq = 2",
        "insert into tournament_entry select tournament, seq + 1, at, line, 'h1', 'h9' from tournament_entry "
        "where seq = 2",
        "insert into tournament_entry select tournament, seq, at, 'x', prev_hash, hash from tournament_entry "
        "where seq = 2",
    ],
)
@pytest.mark.usefixtures("service")
def test_the_log_of_a_tournament_takes_no_change(change: str) -> None:
    fill_tournament_log()
    logs = "select * from tournament_header, tournament_entry, tournament_document order by seq"
    before = rows(logs)
    with pytest.raises(IntegrityError):
        execute(change)
    assert rows(logs) == before
    execute(INSERT_LINE, 3, "close", "h2", "h3")


def fill_tournament_log() -> None:
    """Write a tournament with a document and two lines."""
    execute(INSERT_TOURNAMENT, somebody().player.id)
    execute("insert into tournament_header (tournament, hash, body) values ('guarded', 'h0', '')")
    execute("insert into tournament_document (tournament, hash, document, at) values ('guarded', 'h', '{}', 0)")
    for number in (1, 2):
        execute(INSERT_LINE, number, "close", f"h{number - 1}", f"h{number}")


@pytest.mark.parametrize("table", GUARDED)
def test_no_log_is_replaced_or_truncated(service: Config, table: str) -> None:
    settle(match_of(service, somebody(), bots={1: "steady"}), service)
    fill_tournament_log()
    before = rows(f"select * from {table} order by 1, 2")  # noqa: S608  # our own table
    assert before
    replace = f"insert or replace into {table} select * from {table}"  # noqa: S608  # our own table
    with pytest.raises(IntegrityError):
        execute(f"truncate {table} cascade" if connection.is_postgres() else replace)
    assert rows(f"select * from {table} order by 1, 2") == before  # noqa: S608  # our own table

"""The database: SQLite in a file, a connection a thread and one writer a process; or PostgreSQL with a pool of them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

import psycopg
from peewee import (
    Database,
    DatabaseProxy,
    InterfaceError,
    Model,
    OperationalError,
    SqliteDatabase,
)
from playhouse.pool import MaxConnectionsExceeded, PooledPostgresqlDatabase

from service.bounded_cache import reset_process_state

db = DatabaseProxy()
_writer = threading.RLock()

PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": "full",
    "foreign_keys": 1,
    "busy_timeout": 5000,
    "recursive_triggers": 1,
    # In kB and for each thread that has a connection; what does not fit the system keeps in memory once for all.
    "cache_size": -8_000,
}
DatabaseDown = (OperationalError, InterfaceError, MaxConnectionsExceeded)
"""What the database raises when it cannot be reached or cannot write now."""
LOCK_NOT_AVAILABLE = "55P03"
CONNECTION_WAIT = 5
"""How many seconds a thread waits for a connection that another gives back."""
PREPARE_AFTER = 2
"""How often a connection runs a statement before PostgreSQL keeps it prepared."""
MOST_JSON_ROWS = 1_000_000
PAGE_COST = "set random_page_cost = 1.1"
"""What a row costs that is looked up, beside one that is read in passing: memory and SSDs are no disks that turn."""
KEPT_STATEMENTS = 1_024
"""How many statements are remembered with their placeholders numbered; one of many rows differs by their number."""


class PostgresPool(PooledPostgresqlDatabase):
    """Connections that threads hand on; one that broke shows when used: to ask first costs as much."""

    def _connect(self) -> Any:  # noqa: ANN401  # psycopg's
        connection = super()._connect()
        if connection.prepare_threshold != PREPARE_AFTER:  # a new one
            try:
                connection.execute(PAGE_COST)
            except psycopg.Error:
                self._close(connection, close_conn=True)
                raise
            connection.prepare_threshold = PREPARE_AFTER
        return connection

    def _is_closed(self, conn: Any) -> bool:  # noqa: ANN401  # psycopg's
        return bool(conn.closed)

    def cursor(self, named_cursor: str | None = None, *, raw: bool = False) -> Any:  # noqa: ANN401
        """A cursor; a `raw` one sends statements as they are, with `$1` for the first value."""
        return psycopg.RawCursor(self.connection()) if raw else super().cursor(named_cursor)

    def execute_sql(self, sql: str, params: Sequence[Any] | None = None) -> Any:  # noqa: ANN401
        """Run a statement; one with `?` for its values has its placeholders numbered once and not at each call.

        Psycopg would read through a statement of more than fifty values anew each time.
        """
        if "?" in sql:
            return self._execute_cursor(number_placeholders(sql), params, raw=True)
        return super().execute_sql(sql, params)


@lru_cache(KEPT_STATEMENTS)
def number_placeholders(sql: str) -> str:
    """A statement with `$1`, `$2` and so on for each `?`."""
    first, *others = sql.split("?")
    return first + "".join(f"${number}{part}" for number, part in enumerate(others, 1))


def connect(url: str, most: int = 0) -> Database:
    """Bind the models to the database at this address; close this thread's connection to another one, empty all caches.

    At most `most` connections are open at a time; 0 means as many as there are threads.
    """
    if db.obj is not None:
        drop_connections()
    made = _create_database(url, most)
    db.initialize(made)
    reset_process_state()
    return made


def _create_database(url: str, most: int) -> Database:
    if url.startswith("sqlite"):
        path = url.removeprefix("sqlite:///")
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return SqliteDatabase(path, pragmas=PRAGMAS, check_same_thread=False)
    address = url.replace("postgres://", "postgresql://", 1)
    pooled = {"max_connections": most, "timeout": CONNECTION_WAIT}
    return PostgresPool(address, prefer_psycopg3=True, **pooled)


def is_postgres() -> bool:
    """Whether the models are bound to PostgreSQL."""
    return isinstance(db.obj, PostgresPool)


def is_lock_timeout(error: BaseException) -> bool:
    """Whether a statement failed only because it waited too long for a lock that others hold."""
    cause = error.__cause__ or error.__context__
    return getattr(cause, "sqlstate", None) == LOCK_NOT_AVAILABLE or "database is locked" in str(error)


@contextmanager
def write_transaction() -> Iterator[None]:
    """One short write transaction; on SQLite the only one of this process."""
    if is_postgres():
        with db.atomic():
            yield
    else:
        with _writer, db.atomic("IMMEDIATE"):
            yield


def release_connection() -> None:
    """Hand this thread's connection on to others; on SQLite each thread keeps its own."""
    if is_postgres() and not db.is_closed():
        db.close()


def close_connection() -> None:
    """Give up this thread's connection as the thread ends: handed on to others, on SQLite closed."""
    if not db.is_closed():
        try:
            db.close()
        except DatabaseDown:
            db.obj._state.reset()  # noqa: SLF001  # a connection that cannot even be closed


def drop_connections() -> None:
    """Drop this thread's connection, after it broke or before a fork, and with it all that nobody uses just now."""
    close_connection()
    if is_postgres():
        db.obj.close_idle()


def rows(sql: str, *values: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401  # whatever a column holds
    """The rows of a query written with `?` for its values."""
    return list(db.execute_sql(sql, values).fetchall())


def execute(sql: str, *values: Any) -> int:  # noqa: ANN401
    """How many rows a statement changed; `?` for its values."""
    count: int = db.execute_sql(sql, values).rowcount
    return count


def rows_in_column(columns: str, source: str) -> str:
    """An expression for the rows of a subquery as one value: an array of arrays, as JSON text."""
    if is_postgres():
        return f"(select coalesce(json_agg(json_build_array({columns})), '[]')::text from {source})"  # noqa: S608
    return f"(select json_group_array(json_array({columns})) from {source})"  # noqa: S608


def rows_from_json(name: str, **columns: str) -> str:
    """A table of this name for a query, made of one value: an array of objects with these columns, as JSON text.

    So a statement stays the same, and stays prepared, however many rows it is about.
    """
    if is_postgres():
        typed = ", ".join(f"{column} {kind}" for column, kind in columns.items())
        # PostgreSQL expects a hundred objects, and of a limit that it cannot see a tenth of them: with so few it looks
        # rows up by their keys, with a hundred it would read whole tables of some thousand rows.
        return f"(select * from json_to_recordset(?::json) as v({typed}) limit (select {MOST_JSON_ROWS})) as {name}"  # noqa: S608
    parts = ", ".join(f"json_extract(value, '$.{column}') as {column}" for column in columns)
    return f"(select {parts} from json_each(?)) as {name}"  # noqa: S608  # our own columns


Asked = TypeVar("Asked", bound=Hashable)


def cached_statement(build: Callable[[Asked], str]) -> Callable[[Asked], str]:
    """Cache the SQL that a function builds, apart for each kind of database."""
    caches = {kind: lru_cache(build) for kind in (True, False)}

    def find(asked: Asked) -> str:
        return caches[is_postgres()](asked)

    return find


def with_rows(name: str, columns: Mapping[str, str], found: Sequence[Sequence[Any]]) -> tuple[str, list[Any]]:
    """The beginning of a statement that writes many rows, `with name(columns) as (…) `, and its values.

    `columns` says of each its type. On PostgreSQL all rows are one value, so that a statement stays prepared however
    many it is about; to read and plan it anew would cost more than to run it. SQLite reads statements faster than JSON.
    """
    if is_postgres():
        value = json.dumps([dict(zip(columns, row, strict=True)) for row in found])
        source, values = f"select * from {rows_from_json('v', **columns)}", [value]  # noqa: S608  # our own columns
    else:
        holes = f"({', '.join('?' * len(columns))})"
        source, values = f"values {', '.join([holes] * len(found))}", [value for row in found for value in row]
    return f"with {name}({', '.join(columns)}) as ({source}) ", values


def wait_for_lock(number: int) -> None:
    """Take the lock of this number until the transaction ends; on SQLite a transaction that writes is alone anyway."""
    if is_postgres():
        rows("select pg_advisory_xact_lock(?)", number)


def try_lock(number: int) -> bool:
    """Take the lock of this number until the transaction ends if no other transaction has it; whether it was free."""
    return not is_postgres() or bool(rows("select pg_try_advisory_xact_lock(?)", number)[0][0])


def skip_locked() -> str:
    """Return the end of a query that locks its rows and leaves out those that others have locked."""
    return " for update skip locked" if is_postgres() else ""


def rows_appear_in_order() -> bool:
    """Whether new rows become visible in the order of their numbers, so that the newest visible one is the last.

    PostgreSQL gives out numbers before it commits: the row with the lower number may become visible last.
    """
    return not is_postgres()


def running_transactions() -> tuple[int, int]:
    """The oldest transaction that still writes, and the one that would be the next to begin, as PostgreSQL counts."""
    sql = "select pg_snapshot_xmin(s)::text, pg_snapshot_xmax(s)::text from pg_current_snapshot() s"
    ((oldest, next_),) = rows(sql)
    return int(oldest), int(next_)


class DatabaseRow(Model):
    """A row of our database."""

    class Meta:
        database = db

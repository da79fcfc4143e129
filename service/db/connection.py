"""The database: SQLite with a connection per thread and one writer, or PostgreSQL with a pool of connections."""

from __future__ import annotations

import json
import re
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
    # In kB, for each connection. The rest is in the file cache of the system, which all processes share.
    "cache_size": -8_000,
}
DatabaseDown = (OperationalError, InterfaceError, MaxConnectionsExceeded)
"""Errors of a database that cannot be reached or cannot write now."""
LOCK_NOT_AVAILABLE = "55P03"
CONNECTION_WAIT = 5
"""Timeout in seconds for getting a connection from the pool."""
PREPARE_AFTER = 2
"""Number of times that a connection runs a statement before it prepares it."""
MOST_JSON_ROWS = 1_000_000
PAGE_COST = "set random_page_cost = 1.1"
"""On SSDs and in memory a random read costs little more than a sequential one. The default of 4 is for disks."""
KEPT_STATEMENTS = 1_024
"""Size of the cache of statements with numbered placeholders. Each number of rows is another statement."""


class PostgresPool(PooledPostgresqlDatabase):
    """A pool that does not test a connection before use, which would cost as much as most statements."""

    def _connect(self) -> Any:  # noqa: ANN401  # psycopg's
        connection = super()._connect()
        if connection.prepare_threshold != PREPARE_AFTER:  # open a new one
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
        """Return a cursor. A `raw` one sends statements unchanged, with `$1` for the first value."""
        return psycopg.RawCursor(self.connection()) if raw else super().cursor(named_cursor)

    def execute_sql(self, sql: str, params: Sequence[Any] | None = None) -> Any:  # noqa: ANN401
        """Run a statement. Placeholders `?` are numbered once for each statement.

        Psycopg would parse a statement of more than fifty values at every call.
        """
        if "?" in sql:
            return self._execute_cursor(number_placeholders(sql), params, raw=True)
        return super().execute_sql(sql, params)


@lru_cache(KEPT_STATEMENTS)
def number_placeholders(sql: str) -> str:
    """Return a statement with `$1`, `$2` and so on for each `?`."""
    first, *others = sql.split("?")
    return first + "".join(f"${number}{part}" for number, part in enumerate(others, 1))


def connect(url: str, most: int = 0) -> Database:
    """Bind the models to the database at this URL, and empty all caches of the process.

    The pool opens at most `most` connections; 0 means one for each thread.
    """
    if db.obj is not None:
        drop_connections()
    database = _create_database(url, most)
    db.initialize(database)
    reset_process_state()
    return database


def _create_database(url: str, most: int) -> Database:
    if url.startswith("sqlite"):
        path = url.removeprefix("sqlite:///")
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return SqliteDatabase(path, pragmas=PRAGMAS, check_same_thread=False)
    address = url.replace("postgres://", "postgresql://", 1)
    pooled = {"max_connections": most, "timeout": CONNECTION_WAIT}
    return PostgresPool(address, prefer_psycopg3=True, **pooled)


def is_postgres() -> bool:
    """Return True if the models are bound to PostgreSQL."""
    return isinstance(db.obj, PostgresPool)


def is_lock_timeout(error: BaseException) -> bool:
    """Return True if a statement failed because it waited too long for a lock."""
    cause = error.__cause__ or error.__context__
    return getattr(cause, "sqlstate", None) == LOCK_NOT_AVAILABLE or "database is locked" in str(error)


@contextmanager
def write_transaction() -> Iterator[None]:
    """Run the body in a write transaction. On SQLite it is the only one of this process."""
    if is_postgres():
        with db.atomic():
            yield
    else:
        with _writer, db.atomic("IMMEDIATE"):
            yield


def release_connection() -> None:
    """Return this thread's connection to the pool. On SQLite each thread keeps its own."""
    if is_postgres() and not db.is_closed():
        db.close()


def close_connection() -> None:
    """Return this thread's connection to the pool, or close it on SQLite. Call at the end of a thread."""
    if not db.is_closed():
        try:
            db.close()
        except DatabaseDown:
            db.obj._state.reset()  # noqa: SLF001  # it cannot even be closed


def drop_connections() -> None:
    """Close this thread's connection and all idle ones. Call after an error or before a fork."""
    close_connection()
    if is_postgres():
        db.obj.close_idle()


def rows(sql: str, *values: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401  # whatever a column holds
    """Return the rows of a query with `?` for its values."""
    return list(db.execute_sql(sql, values).fetchall())


def execute(sql: str, *values: Any) -> int:  # noqa: ANN401
    """Run a statement with `?` for its values. Return how many rows it changed."""
    count: int = db.execute_sql(sql, values).rowcount
    return count


def rows_in_column(columns: str, source: str) -> str:
    """Return an expression for the rows of a subquery as one value: JSON text of an array of arrays."""
    if is_postgres():
        return f"(select coalesce(json_agg(json_build_array({columns})), '[]')::text from {source})"  # noqa: S608
    return f"(select json_group_array(json_array({columns})) from {source})"  # noqa: S608


def rows_from_json(name: str, **columns: str) -> str:
    """Return a table expression with these columns for one value: JSON text of an array of objects.

    The text of a statement is then the same for any number of rows, so it stays prepared.
    """
    if is_postgres():
        typed = ", ".join(f"{column} {kind}" for column, kind in columns.items())
        # The planner expects a hundred objects, or a tenth of that behind a limit whose value it does not see. For ten
        # objects it looks rows up by key; for a hundred it would read whole tables of a few thousand rows.
        return f"(select * from json_to_recordset(?::json) as v({typed}) limit (select {MOST_JSON_ROWS})) as {name}"  # noqa: S608
    parts = ", ".join(f"json_extract(value, '$.{column}') as {column}" for column in columns)
    return f"(select {parts} from json_each(?)) as {name}"  # noqa: S608  # our own columns


Asked = TypeVar("Asked", bound=Hashable)


def cached_statement(build: Callable[[Asked], str]) -> Callable[[Asked], str]:
    """Cache the SQL that a function builds, separately for each kind of database."""
    caches = {kind: lru_cache(build) for kind in (True, False)}

    def find(asked: Asked) -> str:
        return caches[is_postgres()](asked)

    return find


def with_rows(name: str, columns: Mapping[str, str], found: Sequence[Sequence[Any]]) -> tuple[str, list[Any]]:
    """Return the start of a statement that writes many rows, `with name(columns) as (…) `, and its values.

    `columns` has the type of each. On PostgreSQL all rows are one value, so that the statement stays prepared for any
    number of rows: parsing and planning it would cost more than running it. SQLite parses SQL faster than JSON.
    """
    if is_postgres():
        value = json.dumps([dict(zip(columns, row, strict=True)) for row in found])
        source, values = f"select * from {rows_from_json('v', **columns)}", [value]  # noqa: S608  # our own columns
    else:
        holes = f"({', '.join('?' * len(columns))})"
        source, values = f"values {', '.join([holes] * len(found))}", [value for row in found for value in row]
    return f"with {name}({', '.join(columns)}) as ({source}) ", values


def wait_for_lock(number: int) -> None:
    """Take the lock with this number until the transaction ends. SQLite needs none: it has one writer at a time."""
    if is_postgres():
        rows("select pg_advisory_xact_lock(?)", number)


def try_lock(number: int) -> bool:
    """Try to take the lock with this number until the transaction ends. Return False if another transaction has it."""
    return not is_postgres() or bool(rows("select pg_try_advisory_xact_lock(?)", number)[0][0])


def skip_locked() -> str:
    """Return the end of a query that locks its rows and skips rows that other transactions have locked."""
    return " for update skip locked" if is_postgres() else ""


def rows_appear_in_order() -> bool:
    """Return True if rows become visible in the order of their numbers.

    PostgreSQL numbers rows before they commit, so a lower number may become visible after a higher one.
    """
    return not is_postgres()


def running_transactions() -> tuple[int, int]:
    """Return the ids of PostgreSQL's oldest running transaction and of the next one to begin."""
    sql = "select pg_snapshot_xmin(s)::text, pg_snapshot_xmax(s)::text from pg_current_snapshot() s"
    ((oldest, next_),) = rows(sql)
    return int(oldest), int(next_)


def _table_name(model: type[Model]) -> str:
    return re.sub("(?<!^)(?=[A-Z])", "_", model.__name__.removesuffix("Row")).lower()


class DatabaseRow(Model):
    """Base of all models. `TournamentEntryRow` is a row of the table `tournament_entry`."""

    class Meta:
        database = db
        table_function = _table_name

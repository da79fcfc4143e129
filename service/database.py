"""The database: SQLite in a file or PostgreSQL by address, one connection a thread, one writer a process on SQLite."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from peewee import Database, DatabaseProxy, InterfaceError, OperationalError, PostgresqlDatabase, SqliteDatabase

db = DatabaseProxy()
_writer = threading.RLock()

PRAGMAS = {
    "journal_mode": "wal",
    "synchronous": "full",
    "foreign_keys": 1,
    "busy_timeout": 5000,
    "recursive_triggers": 1,
    "cache_size": -64_000,
}
Down = (OperationalError, InterfaceError)
"""What the database raises when it cannot be reached or cannot write now."""


def connect(url: str) -> Database:
    """Bind the models to the database at this address; the connection of this thread to another one is closed."""
    if db.obj is not None:
        forget()
    made = _made(url)
    db.initialize(made)
    return made


def _made(url: str) -> Database:
    if url.startswith("sqlite"):
        path = url.removeprefix("sqlite:///")
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        return SqliteDatabase(path, pragmas=PRAGMAS, check_same_thread=False)
    return PostgresqlDatabase(url.replace("postgres://", "postgresql://", 1), prefer_psycopg3=True)


def is_postgres() -> bool:
    """Whether the models are bound to PostgreSQL."""
    return isinstance(db.obj, PostgresqlDatabase)


@contextmanager
def writing() -> Iterator[None]:
    """One short write transaction; on SQLite the only one of this process."""
    if is_postgres():
        with db.atomic():
            yield
    else:
        with _writer, db.atomic("IMMEDIATE"):
            yield


def once(sql: str, *values: Any) -> None:  # noqa: ANN401  # whatever a column holds
    """One statement that writes, as a transaction of its own unless one is open; `?` for its values."""
    if is_postgres():
        db.execute_sql(sql.replace("?", "%s"), values)
    else:
        with _writer:
            db.execute_sql(sql, values)


def forget() -> None:
    """Drop this thread's connection, after it broke or after a fork."""
    if not db.is_closed():
        try:
            db.close()
        except Down:
            db.obj._state.reset()  # noqa: SLF001  # a connection that cannot even be closed


def rows(sql: str, *values: Any) -> list[tuple[Any, ...]]:  # noqa: ANN401  # whatever a column holds
    """The rows of a query written with `?` for its values."""
    return list(db.execute_sql(sql.replace("?", "%s") if is_postgres() else sql, values).fetchall())


def run(sql: str, *values: Any) -> int:  # noqa: ANN401
    """How many rows a statement changed; `?` for its values."""
    count: int = db.execute_sql(sql.replace("?", "%s") if is_postgres() else sql, values).rowcount
    return count

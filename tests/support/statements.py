"""The statements that a piece of code runs, for tests of how many there are and what they read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from service.db.connection import db

Statement = tuple[str, Any]
"""Its SQL and its values."""


@contextmanager
def record_statements() -> Iterator[list[Statement]]:
    """Every statement that is executed meanwhile, with its values."""
    found: list[Statement] = []
    real = db.obj.execute_sql

    def execute_sql(sql: str, params: Any = None, *more: Any) -> Any:  # noqa: ANN401  # as peewee has it
        found.append((sql, params))
        return real(sql, params, *more)

    db.obj.execute_sql = execute_sql
    try:
        yield found
    finally:
        del db.obj.execute_sql

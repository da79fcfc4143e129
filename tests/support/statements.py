"""The statements that a piece of code runs, for tests of how many there are and what they read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from service.db.connection import db

Statement = tuple[str, Any]
"""The SQL of a statement, and its values."""


@contextmanager
def record_statements() -> Iterator[list[Statement]]:
    """Collect every statement that runs inside the block, with its values."""
    found: list[Statement] = []
    # On PostgreSQL our own SQL takes a different way from peewee's.
    ways = [name for name in ("execute_sql", "execute_numbered") if hasattr(db.obj, name)]
    for name in ways:
        setattr(db.obj, name, _record_calls(getattr(db.obj, name), found))
    try:
        yield found
    finally:
        for name in ways:
            delattr(db.obj, name)


def _record_calls(real: Callable[..., Any], found: list[Statement]) -> Callable[..., Any]:
    def execute(sql: str, params: Any = None, *more: Any) -> Any:  # noqa: ANN401  # as peewee has it
        found.append((sql, params))
        return real(sql, params, *more)

    return execute

"""Statements about any number of rows, split into batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from service.db.connection import DatabaseRow, rows

Item = TypeVar("Item")
MOST_IN_STATEMENT = 500
"""Maximum number of names or rows in one statement. SQLite allows 32,766 values, and longer statements gain nothing."""


def batched(items: Sequence[Item], most: int = MOST_IN_STATEMENT) -> Iterator[list[Item]]:
    """Yield the items in lists of at most `most`, as `itertools.batched` does from Python 3.12 on."""
    return (list(items[start : start + most]) for start in range(0, len(items), most))


def rows_for(
    sql: str, names: Sequence[Any], before: Iterable[Any] = (), after: Iterable[Any] = ()
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query about any number of names, with `{holes}` for their placeholders.

    `before` and `after` are the values of the placeholders before and after the names.
    """
    for part in batched(names):
        yield from rows(sql.format(holes=", ".join("?" * len(part))), *before, *part, *after)


def insert_all(model: type[DatabaseRow], columns: Sequence[Mapping[str, Any]]) -> None:
    """Insert any number of rows, inside the caller's transaction."""
    for part in batched(columns):
        model.insert_many(part).execute()

"""Row lookup by id with a cached query. Building a query takes peewee longer than the database needs to answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from peewee import BigIntegerField, CharField, Field, IntegerField, Model, TextField

from service.db.connection import rows

Row = TypeVar("Row", bound=Model)
Column = tuple[str, Callable[[Any], Any] | None]
"""The name of a field, and the function that converts its value, or None."""


PLAIN_FIELDS = (BigIntegerField, CharField, IntegerField, TextField)
"""Fields whose values need no conversion."""


@lru_cache
def _lookup_query(model: type[Model]) -> tuple[str, tuple[Column, ...]]:
    meta: Any = model._meta  # noqa: SLF001  # where peewee keeps what a model is
    fields: list[Field] = meta.sorted_fields
    names = ", ".join(f'"{field.column_name}"' for field in fields)
    sql = f'select {names} from "{meta.table_name}" where "{meta.primary_key.column_name}" = ?'  # noqa: S608  # our own
    return sql, tuple((field.name, _converter(field)) for field in fields)


def _converter(field: Field) -> Callable[[Any], Any] | None:
    convert: Callable[[Any], Any] = field.python_value
    return None if type(field) in PLAIN_FIELDS else convert


def find_by_id(model: type[Row], id_: object) -> Row | None:
    """Return the row with this id, or None."""
    sql, columns = _lookup_query(model)
    found = rows(sql, id_)
    if not found:
        return None
    values = {
        name: value if convert is None or value is None else convert(value)
        for (name, convert), value in zip(columns, found[0], strict=True)
    }
    row = model(__no_default__=1, **values)
    row._dirty.clear()  # type: ignore[attr-defined]  # noqa: SLF001  # nothing of it differs from the database
    return row

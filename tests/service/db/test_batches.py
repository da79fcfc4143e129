"""Statements about more rows than one statement takes."""

from __future__ import annotations

import pytest

from service.db import connection
from service.db.batches import MOST_IN_STATEMENT, batched, insert_all, rows_for
from service.db.models.accounts import SecretRow
from tests.support.statements import record_statements


@pytest.mark.parametrize(("count", "lengths"), [(0, []), (1, [1]), (6, [3, 3]), (7, [3, 3, 1])])
def test_batches_hold_everything_in_its_order(count: int, lengths: list[int]) -> None:
    parts = list(batched(range(count), 3))
    assert [len(part) for part in parts] == lengths
    assert [item for part in parts for item in part] == list(range(count))


def test_any_number_of_rows_is_written_and_read(database: str) -> None:
    connection.connect(database)
    names = [f"name {number}" for number in range(2 * MOST_IN_STATEMENT + 1)]
    with record_statements() as statements:
        insert_all(SecretRow, [{"name": name, "value": "ab"} for name in names])
    assert len(statements) == 3
    with record_statements() as statements:
        found = list(rows_for("select name from secret where name in ({holes}) and value = ?", names, after=("ab",)))
    assert len(statements) == 3
    assert sorted(found) == sorted((name,) for name in names)
    sql = "select name from secret where value = ? and name in ({holes})"
    assert sorted(rows_for(sql, names[:2], before=("ab",))) == [(names[0],), (names[1],)]
    connection.drop_connections()

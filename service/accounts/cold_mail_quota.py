"""Letters to addresses that have not asked for any: one a day and three in all."""

from __future__ import annotations

from service.accounts import email_address as address
from service.db.connection import is_postgres, rows, run

DAY = 86_400_000
IN_ALL = 3
INSERT = (
    "insert into unasked (address, at) select ?, ? "
    "where not exists (select 1 from unasked where address = ? and at > ?) "
    "and (select count(*) from unasked where address = ?) < ?"
)


def take(to: str, at: int) -> bool:
    """Whether one more letter may go to this address; inside a transaction, and it counts as sent."""
    mark = address.mark(to)
    if is_postgres():
        rows("select pg_advisory_xact_lock(?)", int(mark[:15], 16))
    values = "cast(? as text), cast(? as bigint)" if is_postgres() else "?, ?"
    return run(INSERT.replace("?, ?", values, 1), mark, at, mark, at - DAY, mark, IN_ALL) == 1


def clear(to: str) -> None:
    """The address has asked: its owner confirmed it."""
    run("delete from unasked where address = ?", address.mark(to))

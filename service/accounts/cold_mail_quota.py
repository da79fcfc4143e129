"""Letters to addresses that have not asked for any: one a day and three in all."""

from __future__ import annotations

from service.accounts import email_address
from service.db.connection import execute, wait_for_lock
from service.timestamps import DAY, now

MOST_IN_ALL = 3
INSERT = (
    "insert into unasked (address, at) select cast(? as text), cast(? as bigint) "
    "where not exists (select 1 from unasked where address = ? and at > ?) "
    "and (select count(*) from unasked where address = ?) < ?"
)


def take(to: str, at: int) -> bool:
    """Count one more letter to this address, inside a transaction; whether it may be sent."""
    mark = email_address.keyed_hash(to)
    wait_for_lock(int(mark[:15], 16))
    return execute(INSERT, mark, at, mark, at - DAY, mark, MOST_IN_ALL) == 1


def clear(to: str) -> None:
    """Forget what was sent to this address, since its owner confirmed it."""
    execute("delete from unasked where address = ?", email_address.keyed_hash(to))


def use_up(to: str) -> None:
    """Use up all letters that an address may get unasked."""
    sql = "insert into unasked (address, at) values (?, ?) on conflict (address, at) do nothing"
    for number in range(MOST_IN_ALL):
        execute(sql, email_address.keyed_hash(to), now() + number)

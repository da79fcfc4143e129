"""Quota of unsolicited emails to an address: one a day, three in total."""

from __future__ import annotations

from dataclasses import dataclass

from service.accounts import email_address
from service.db.connection import execute, rows, wait_for_lock
from service.timestamps import DAY, HOUR, now

MOST_IN_ALL = 3
INSERT = (
    "insert into unasked (address, at) select cast(? as text), cast(? as bigint) "
    "where not exists (select 1 from unasked where address = ? and at > ?) "
    "and (select count(*) from unasked where address = ?) < ?"
)


MOST_CODES_A_DAY = 3
MOST_CODES_IN_ALL = 10
"""Maximum number of sign-in codes to an address without an account."""
MOST_PER_DOMAIN = 10
"""Maximum number of answers an hour to unverified strangers of one domain."""
MOST_ANSWERS = 1_000_000
"""Verified senders get an answer every day, without an overall limit."""


@dataclass(frozen=True)
class MailAllowance:
    """Permission to send one more email to an address without an account; `last` marks the last one."""

    granted: bool
    last: bool = False


def take(to: str, at: int) -> bool:
    """Count one more email to this address inside a transaction. Return True if it may be sent."""
    return _count(email_address.keyed_hash(to), at, MOST_IN_ALL)


def take_answer(to: str, at: int, *, passed: bool, purpose: str = "begin") -> MailAllowance:
    """Count one more answer to an email, inside a transaction: one a day for each purpose.

    A sender who `passed` the check has asked for it, so unsolicited emails that other people caused do not count. Any
    other sender may be forged and shares the quota of unsolicited emails.
    """
    mark = email_address.keyed_hash(to)
    if passed:
        return MailAllowance(_count(email_address.keyed_hash(f"{purpose} {to}"), at, MOST_ANSWERS))
    granted = _count(mark, at, MOST_IN_ALL)
    ((count,),) = rows("select count(*) from unasked where address = ?", mark)
    return MailAllowance(granted, granted and int(count) >= MOST_IN_ALL)


def take_code(to: str, at: int) -> bool:
    """Count one more sign-in code, inside a transaction: three a day and ten in total, apart from other emails."""
    mark = _mark_of_codes(to)
    wait_for_lock(int(mark[:15], 16))
    ((today, total),) = rows(
        "select coalesce(sum(case when at > ? then 1 else 0 end), 0), count(*) from unasked where address = ?",
        at - DAY,
        mark,
    )
    fits = int(today) < MOST_CODES_A_DAY and int(total) < MOST_CODES_IN_ALL
    execute(
        "insert into unasked (address, at) select cast(? as text), cast(? as bigint) where ? = 1 "
        "on conflict (address, at) do nothing",
        mark,
        at,
        int(fits),
    )
    return fits


def _mark_of_codes(to: str) -> str:
    return email_address.keyed_hash(f"enter {to}")


def _count(mark: str, at: int, most: int) -> bool:
    wait_for_lock(int(mark[:15], 16))
    return execute(INSERT, mark, at, mark, at - DAY, mark, most) == 1


def clear(to: str) -> None:
    """Delete the counts for this address, since its owner has confirmed it."""
    for mark in (email_address.keyed_hash(to), _mark_of_codes(to)):
        execute("delete from unasked where address = ?", mark)


def use_up(to: str) -> None:
    """Use up the quota of unsolicited emails to this address."""
    sql = "insert into unasked (address, at) values (?, ?) on conflict (address, at) do nothing"
    for number in range(MOST_IN_ALL):
        execute(sql, email_address.keyed_hash(to), now() + number)


def take_for_domain(to: str, at: int) -> bool:
    """Count one more answer to a domain with unverified senders. Return False above the hourly maximum.

    Otherwise anyone could forge senders and have us write to a whole domain. Call inside a transaction.
    """
    mark = email_address.keyed_hash(f"domain {to.rpartition('@')[2].lower()}")
    wait_for_lock(int(mark[:15], 16))
    sql = "select count(*) from unasked where address = ? and at > ?"
    ((count,),) = rows(sql, mark, at - HOUR)
    if int(count) >= MOST_PER_DOMAIN:
        return False
    ((latest,),) = rows("select coalesce(max(at), 0) from unasked where address = ?", mark)
    # The key of the table is address and time, so two answers in one millisecond need different times.
    execute("insert into unasked (address, at) values (?, ?)", mark, max(at, int(latest) + 1))
    return True

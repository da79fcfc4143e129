"""The only writer of match logs: it moves heads, and inserts entries and submissions.

`service.play.match_log.append` is its only caller. PostgreSQL does all of it in one statement, SQLite in a few
statements of one transaction. Both write a match completely or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache
from typing import Any, NamedTuple

from service.db.batches import batched
from service.db.connection import execute, is_postgres, rows, rows_from_json, with_rows, write_transaction


class LogEntry(NamedTuple):
    """A row of the table `entry`; the fields are its columns, in the order in which they are written and read."""

    match: str
    seq: int
    seat: int
    at: int
    made_by: str
    line: str
    commitment: str
    prev: str
    hash: str
    sealed: str
    reveals: int
    owner: int
    shown: str
    asked: int | None
    n: int | None
    key: str | None
    signature: str | None
    signed_text: str | None
    orders: bool | None
    mail: str | None


class SubmissionRow(NamedTuple):
    """A row of the table `submission`; the fields are its columns."""

    id: str
    match: str
    seat: int
    player: str
    channel: str
    asked: int
    prev: str
    orders: bool
    at: int
    body: str
    made: int
    total: int
    status: str
    why: str
    receipt: str
    reason: str


class HeadMove(NamedTuple):
    """A move of a match's head, from the entry where it must be to the new one."""

    match: str
    before_seq: int
    before_hash: str
    seq: int
    hash: str
    at: int
    status: str
    ended_at: int | None
    resolved: bool
    """True if this leaves no work for the worker."""
    submitted: bool
    """True if a submission belongs to it. The entries must not be written without that submission."""


class HeadMoved(RuntimeError):
    """The heads of these matches have moved. Load the matches and decide again."""

    def __init__(self, *matches: str) -> None:
        super().__init__(", ".join(matches))
        self.matches = frozenset(matches)


ENTRY_COLUMNS = ", ".join(LogEntry._fields)
SUBMISSION_COLUMNS = ", ".join(SubmissionRow._fields)
ENTRY_TYPES = dict.fromkeys(LogEntry._fields, "text") | {"at": "bigint", "orders": "boolean"}
ENTRY_TYPES |= dict.fromkeys(("seq", "seat", "reveals", "owner", "asked", "n"), "int")
SUBMISSION_TYPES = dict.fromkeys(SubmissionRow._fields, "text") | {"at": "bigint", "orders": "boolean"}
SUBMISSION_TYPES |= dict.fromkeys(("seat", "asked", "made", "total"), "int")
HEAD_TYPES = dict.fromkeys(HeadMove._fields, "text") | dict.fromkeys(("resolved", "submitted"), "boolean")
HEAD_TYPES |= dict.fromkeys(("before_seq", "seq"), "int") | dict.fromkeys(("at", "ended_at"), "bigint")
SET_HEAD = (
    "set head_seq = h.seq, head_hash = h.hash, head_at = h.at, status = h.status, ended_at = h.ended_at, "
    "resolved_seq = case when h.resolved then h.seq else resolved_seq end"
)
SAME_HEAD = "m.id = h.match and m.head_seq = h.before_seq and m.head_hash = h.before_hash"
# The rows of the matches are locked first, in the order of their ids, so that two writers never deadlock. The lock is
# `no key update`: a note that is inserted at the same time locks the key of its match, and must not hold up a move.
POSTGRES_WRITE = f"""
with h as materialized (select * from {{heads}}),
free as materialized (select m.id from h join match m on {SAME_HEAD} order by m.id for no key update of m {{skip}}),
kept as (
  insert into submission ({SUBMISSION_COLUMNS}) select {{s_columns}} from {{submissions}} join free on free.id = s.match
  on conflict (id) do nothing returning match),
moved as (
  update match m {SET_HEAD} from h join free on free.id = h.match
  where m.id = h.match and (not h.submitted or h.match in (select match from kept)) returning m.id),
added as (
  insert into entry ({ENTRY_COLUMNS}) select {{e_columns}} from {{entries}} join moved on moved.id = e.match
  order by e.match, e.seq)
select id from moved
"""  # noqa: S608  # our own columns
SQLITE_MOVE = f"update match as m {SET_HEAD} from h where {SAME_HEAD} returning id"
SQLITE_KEEP = (
    f"insert into submission ({SUBMISSION_COLUMNS}) select * from s where true on conflict do nothing returning match"  # noqa: S608
)
SQLITE_ADD = f"insert into entry ({ENTRY_COLUMNS}) select * from e order by match, seq"  # noqa: S608  # as above
MOST_ROWS = 40
"""Maximum number of entries in one statement of SQLite, which limits the number of values."""


def log_transaction(*, alone: bool) -> AbstractContextManager[None]:
    """Return the transaction for writing logs; an empty one if `alone` says that a single statement is all."""
    return nullcontext() if alone and is_postgres() else write_transaction()


def write_logs(
    heads: Sequence[HeadMove], submissions: Sequence[SubmissionRow], entries: Sequence[LogEntry], *, wait: bool
) -> set[str]:
    """Write to the logs of different matches inside `log_transaction`; return the ids of the matches that were written.

    A match is left out if its head is not where it was, if its submission is stored already, or, with `wait=False`, if
    another transaction holds it. SQLite raises HeadMoved for stored submissions instead: the caller rolls back and
    leaves these matches out.
    """
    if is_postgres():
        texts = (_as_json(part) for part in (heads, submissions, entries))
        return {match for (match,) in rows(_postgres_statement(wait=wait), *texts)}
    return _write_to_sqlite(heads, submissions, entries)


def _as_json(part: Sequence[HeadMove] | Sequence[SubmissionRow] | Sequence[LogEntry]) -> str:
    return json.dumps([row._asdict() for row in part])


@lru_cache
def _postgres_statement(*, wait: bool) -> str:
    return POSTGRES_WRITE.format(
        heads=rows_from_json("h", **HEAD_TYPES),
        skip="" if wait else "skip locked",
        submissions=rows_from_json("s", **SUBMISSION_TYPES),
        s_columns=", ".join(f"s.{name}" for name in SubmissionRow._fields),
        entries=rows_from_json("e", **ENTRY_TYPES),
        e_columns=", ".join(f"e.{name}" for name in LogEntry._fields),
    )


def _write_to_sqlite(
    heads: Sequence[HeadMove], submissions: Sequence[SubmissionRow], entries: Sequence[LogEntry]
) -> set[str]:
    moved = {match for (match,) in _write_rows("h", HEAD_TYPES, heads, SQLITE_MOVE)}
    new = [row for row in submissions if row.match in moved]
    if new:
        kept = {match for (match,) in _write_rows("s", SUBMISSION_TYPES, new, SQLITE_KEEP)}
        doubled = {row.match for row in new} - kept
        if doubled:
            raise HeadMoved(*doubled)
    added = [entry for entry in entries if entry.match in moved]
    for part in batched(added, MOST_ROWS):
        with_entries, values = with_rows("e", ENTRY_TYPES, part)
        execute(with_entries + SQLITE_ADD, *values)
    return moved


def _write_rows(
    name: str, types: Mapping[str, str], values: Sequence[Sequence[Any]], statement: str
) -> list[tuple[Any, ...]]:
    with_values, flat = with_rows(name, types, values)
    return rows(with_values + statement, *flat)

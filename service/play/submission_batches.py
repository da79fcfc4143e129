"""Appending many submissions at once: those that arrive together share one statement, or at least one commit.

What cannot be appended so is left out and changes nothing; whoever asked goes the way of a single submission then.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from service.db.connection import can_write_in_queries, execute_each_alone, rows, rows_from_json, skip_locked
from service.play.match_log import (
    COLUMN_LIST,
    COLUMNS,
    ENTRY_TYPES,
    LogAddition,
    accepted_statement,
    call_after_commit,
    status_after,
)
from service.play.submissions import SubmissionColumns

SUBMISSION_TYPES = dict.fromkeys(SubmissionColumns._fields, "text") | {"waits": "boolean"}
SUBMISSION_TYPES |= dict.fromkeys(("answered", "made", "total", "before_seq", "seat", "seq"), "int")
SUBMISSION_TYPES |= dict.fromkeys(("before_hash", "match", "hash", "standing", "token"), "text")
SUBMISSION_TYPES |= dict.fromkeys(("at", "ended_at"), "bigint")
"""What the statement is told of each submission: its own columns, and where the head of its match was and will be."""
APPEND = """
with s as materialized (select * from {submissions}),
free as materialized (
  select m.id from s join match m on m.id = s.match and m.head_seq = s.before_seq and m.head_hash = s.before_hash
  where (select true from token t join player p on p.id = t.player
    where t.id = s.token and t.revoked_at is null and p.deleted_at is null)
  and not exists (select 1 from submission o where o.id = s.id){skip_locked}),
moved as (
  update match set head_seq = s.seq, head_hash = s.hash, head_at = s.at, status = s.standing, ended_at = s.ended_at
  from s join free on free.id = s.match
  where match.id = s.match and head_seq = s.before_seq and head_hash = s.before_hash returning match.id),
kept as (
  insert into submission
    (id, match, seat, player, channel, asked, prev, orders, at, body, made, total, status, why, receipt)
  select s.id, s.match, s.seat, s.player, s.channel, s.answered, s.question, s.waits, s.at, s.body, s.made, s.total,
    s.status, s.why, s.receipt from s join moved on moved.id = s.match),
added as (
  insert into entry ({columns}) select {entry_columns} from {entries} join moved on moved.id = e.match
  order by e.match, e.seq)
select id from moved
"""


def append_submissions(additions: Sequence[LogAddition[Any]]) -> list[bool]:
    """Write additions that have a submission and a token, to the log of another match each; whether each was written.

    One that is not changed nothing: its log is not where it was decided, its submission is there already, its token is
    not good any more, or another transaction is at its match.
    """
    if can_write_in_queries():
        done = _append_by_query(additions)
        written = [addition.after.facts.id in done for addition in additions]
    else:
        statements = [accepted_statement(each, each.submission) for each in additions if each.submission]
        written = execute_each_alone(statements)
    for addition, is_written in zip(additions, written, strict=True):
        if is_written:
            call_after_commit(addition)
    return written


def _append_by_query(additions: Sequence[LogAddition[Any]]) -> set[str]:
    """Append by one statement whose values are two JSON texts; the matches whose logs went on."""
    entries = [entry._asdict() for addition in additions for entry in addition.entries]
    submissions = [_submission_columns(addition) for addition in additions]
    return {match for (match,) in rows(_append_statement(), json.dumps(submissions), json.dumps(entries))}


def _submission_columns(addition: LogAddition[Any]) -> dict[str, Any]:
    """A submission as the statement is told of it."""
    before, after, submission = addition.before, addition.after, addition.submission
    assert submission is not None  # noqa: S101  # as the caller was told
    standing, ended_at = status_after(after)
    return submission._asdict() | {
        "before_seq": before.seq,
        "before_hash": before.hash,
        "match": after.facts.id,
        "seat": addition.entries[-1].seat,
        "seq": after.seq,
        "hash": after.hash,
        "at": after.at,
        "standing": standing,
        "ended_at": ended_at,
        "token": addition.token,
    }


@lru_cache(1)
def _append_statement() -> str:
    return APPEND.format(
        submissions=rows_from_json("s", **SUBMISSION_TYPES),
        skip_locked=skip_locked("m"),
        columns=COLUMN_LIST,
        entry_columns=", ".join(f"e.{name}" for name in COLUMNS),
        entries=rows_from_json("e", **ENTRY_TYPES),
    )

"""Keeping the log: entries are computed outside, then appended in one short transaction if the head still stands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from engine.game import Action, seal
from service.db.connection import db, execute, execute_alone, rows, write_transaction
from service.db.models.matches import MatchRow
from service.play.submissions import SubmissionColumns
from service.play.table_store import cache_table
from service.problems import Problem
from service.record.chain import derive_salt, entry_hash, line_commitment
from service.record.table import Table


class LineProof(NamedTuple):
    """The columns of an entry that prove who made its line: all empty for lines of the house, of chance and of bots."""

    asked: int | None = None
    n: int | None = None
    key: str | None = None
    signature: str | None = None
    signed_text: str | None = None
    """The text that was signed, where it is not the line itself."""
    orders: bool | None = None
    mail: str | None = None
    """What is attested of the letter that made the line, in place of a signature."""


class LogEntry(NamedTuple):
    """A row of the table `entry`; the fields are its columns, in the order in which they are written and read."""

    match: str
    seq: int
    seat: int
    at: int
    made_by: str
    line: str
    pledge: str
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


COLUMNS = LogEntry._fields
COLUMN_LIST = ", ".join(COLUMNS)
NO_PROOF = LineProof()


class HeadMoved(RuntimeError):
    """The head of the log is no longer where the entries were computed: read the match again and decide anew."""


def next_entry(
    table: Table, seat: int, action: Action[Any], by: str | Callable[[str], str], at: int, proof: LineProof = NO_PROOF
) -> tuple[LogEntry, Table]:
    """Compute the next entry of a log, and the table after it; `by` may depend on the entry's salt."""
    known, state = table.facts, table.state
    seq, sealed, line = table.seq + 1, seal(state, action), action.line
    salted = derive_salt(known.seed, known.id, seq)
    made_by = by if isinstance(by, str) else by(salted)
    pledge = line_commitment(salted, line)
    hash_ = entry_hash(known.id, seq, seat, at, made_by, pledge, table.hash)
    shown = line if sealed.value == "never" else action.seen_by(seat, None)
    owner, before = action.owner(seat), table.hash
    row = (known.id, seq, seat, at, made_by, line, pledge, before, hash_, sealed.value, state.reveals, owner, shown)
    entry = LogEntry(*row, *proof)
    return entry, table.after(seat, action, hash_, at)


def select_entries(condition: str, *values: object) -> list[LogEntry]:
    """The entries that fit this condition, which may end with an order and a limit."""
    return [LogEntry._make(row) for row in rows(f"select {COLUMN_LIST} from entry where {condition}", *values)]  # noqa: S608  # our own


MOVE_HEAD = (
    "update match set head_seq = ?, head_hash = ?, head_at = ?, status = ?, ended_at = ? "
    "where id = ? and head_seq = ? and head_hash = ?"
)
MOVE_RESOLVED_HEAD = (
    "update match set head_seq = ?, head_hash = ?, head_at = ?, status = ?, ended_at = ?, resolved_seq = ? "
    "where id = ? and head_seq = ? and head_hash = ?"
)
INSERT = f"insert into entry ({COLUMN_LIST}) values "  # noqa: S608  # our own column names
HOLES = f"({', '.join('?' * len(COLUMNS))})"
MOST_ROWS = 40
ACCEPTED_COLUMNS = (*COLUMNS, *SubmissionColumns._fields, "standing", "ended_at", "holder")
INSERT_ACCEPTED = (
    f"insert into accepted ({', '.join(ACCEPTED_COLUMNS)}) values ({', '.join('?' * len(ACCEPTED_COLUMNS))})"  # noqa: S608  # as above
)


def append_with_submission(entry: LogEntry, kept: SubmissionColumns, after: Table, holder: str | None = None) -> None:
    """Append one entry together with its submission, in one statement; raises IntegrityError if the head moved.

    It does so too if `holder`, the id of a token, is not good any more. The view `accepted` does what `append` does,
    without a way to the database and back for each part of it.
    """
    over = after.state.over
    execute_alone(INSERT_ACCEPTED, *entry, *kept, "over" if over else "running", after.at if over else None, holder)
    db.after_commit(lambda: cache_table(after))


def append(
    before: Table, entries: Sequence[LogEntry], after: Table, also: Callable[[], None], *, resolved: bool = False
) -> None:
    """Append the entries and do what belongs to them, all or nothing; raises Moved if the head moved meanwhile."""
    over = after.state.over
    head: list[Any] = [after.seq, after.hash, after.at, "over" if over else "running", after.at if over else None]
    with write_transaction():
        where = (before.facts.id, before.seq, before.hash)
        changed = (
            execute(MOVE_RESOLVED_HEAD, *head, after.seq, *where) if resolved else execute(MOVE_HEAD, *head, *where)
        )
        if changed != 1:
            raise HeadMoved(before.facts.id)
        for start in range(0, len(entries), MOST_ROWS):
            _insert_entries(entries[start : start + MOST_ROWS])
        also()
        # Not before the outermost transaction is through: what is undone must not be remembered.
        db.after_commit(lambda: cache_table(after))


def _insert_entries(entries: Sequence[LogEntry]) -> None:
    execute(INSERT + ", ".join([HOLES] * len(entries)), *(value for entry in entries for value in entry))


def lock_match(match_id: str) -> MatchRow:
    """The row of a match, held for this transaction."""
    execute("update match set status = status where id = ?", match_id)
    match = MatchRow.get_or_none(MatchRow.id == match_id)
    if match is None:
        raise Problem("not-found", "There is no such match.")
    return match

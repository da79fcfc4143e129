"""Keeping the log: entries are computed outside, then appended in one short transaction if the head still stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.game import Action, seal
from service.db.connection import db, execute, execute_alone, is_postgres, write_transaction
from service.db.models.matches import MatchRow
from service.play.submissions import SUBMISSION_COLUMNS
from service.play.table_store import cache_table
from service.problems import Problem
from service.record.chain import derive_salt, entry_hash, line_commitment
from service.record.table import Table

COLUMNS = (
    "match",
    "seq",
    "seat",
    "at",
    "made_by",
    "line",
    "pledge",
    "prev",
    "hash",
    "sealed",
    "reveals",
    "owner",
    "shown",
    "asked",
    "n",
    "key",
    "signature",
    "signed_text",
    "orders",
    "mail",
)
NO_PROOF = (None,) * 7
EntryValues = tuple[Any, ...]


class HeadMoved(RuntimeError):
    """The head is no longer where the entries were computed: read again and go on where the question stands."""


@dataclass(frozen=True)
class SignedLine:
    """What a signed line carries into its entry."""

    asked: int
    n: int
    key: str
    signature: str
    text: str | None = None
    orders: bool = False


def next_entry(
    table: Table, seat: int, action: Action[Any], by: str | Callable[[str], str], at: int, proof: EntryValues = NO_PROOF
) -> tuple[EntryValues, Table]:
    """The row of the next entry and the table after it; `by` may depend on the entry's salt."""
    known, state = table.facts, table.state
    seq, sealed, line = table.seq + 1, seal(state, action), action.line
    salted = derive_salt(known.seed, known.id, seq)
    made_by = by if isinstance(by, str) else by(salted)
    pledge = line_commitment(salted, line)
    hash_ = entry_hash(known.id, seq, seat, at, made_by, pledge, table.hash)
    owner = action.owner(seat)
    shown = line if sealed.value == "never" else action.seen_by(seat, None)
    row = (known.id, seq, seat, at, made_by, line, pledge, table.hash, hash_, sealed.value, state.reveals, owner, shown)
    return row + proof, table.after(seat, action, hash_, at)


def signature_columns(signed: SignedLine) -> EntryValues:
    """The columns of a signed entry."""
    return (signed.asked, signed.n, signed.key, signed.signature, signed.text, signed.orders, None)


def mail_columns(mail: str) -> EntryValues:
    """The columns of an entry that came by mail."""
    return (None, None, None, None, None, None, mail)


MOVE_HEAD = (
    "update match set head_seq = ?, head_hash = ?, head_at = ?, status = ?, ended_at = ? "
    "where id = ? and head_seq = ? and head_hash = ?"
)
MOVE_RESOLVED_HEAD = (
    "update match set head_seq = ?, head_hash = ?, head_at = ?, status = ?, ended_at = ?, resolved_seq = ? "
    "where id = ? and head_seq = ? and head_hash = ?"
)
INSERT = f"insert into entry ({', '.join(COLUMNS)}) values "  # noqa: S608  # our own column names
HOLES = f"({', '.join('?' * len(COLUMNS))})"
MOST_ROWS = 40
ACCEPTED_COLUMNS = (*COLUMNS, *SUBMISSION_COLUMNS, "standing", "ended_at", "holder")
INSERT_ACCEPTED = (
    f"insert into accepted ({', '.join(ACCEPTED_COLUMNS)}) values ({', '.join('?' * len(ACCEPTED_COLUMNS))})"  # noqa: S608  # as above
)


def append_with_submission(entry: EntryValues, kept: EntryValues, after: Table, holder: str | None = None) -> None:
    """Append one entry together with its submission, in one statement; raises IntegrityError if the head moved.

    It does so too if `holder`, the id of a token, is not good any more. The view `accepted` does what `append` does,
    without a way to the database and back for each part of it.
    """
    over = after.state.over
    execute_alone(INSERT_ACCEPTED, *entry, *kept, "over" if over else "running", after.at if over else None, holder)
    db.after_commit(lambda: cache_table(after))


def append(
    before: Table, entries: list[EntryValues], after: Table, also: Callable[[], None], *, resolved: bool = False
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


def _insert_entries(entries: list[EntryValues]) -> None:
    sql = INSERT + ", ".join([HOLES] * len(entries))
    db.execute_sql(sql.replace("?", "%s") if is_postgres() else sql, [value for row in entries for value in row])


def lock_match(match_id: str) -> MatchRow:
    """The row of a match, held for this transaction."""
    execute("update match set status = status where id = ?", match_id)
    match = MatchRow.get_or_none(MatchRow.id == match_id)
    if match is None:
        raise Problem("not-found", "There is no such match.")
    return match

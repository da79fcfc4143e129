"""Keeping the log: entries are computed outside, then appended in one short transaction if the head still stands."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.game import Action, seal
from service.db.connection import db, is_postgres, once, run, writing
from service.play.submissions import KEPT
from service.record.chain import commit, entry_hash, salt
from service.record.table import Table, keep

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
EMPTY = (None,) * 7
Row = tuple[Any, ...]


class Moved(RuntimeError):
    """The head is no longer where the entries were computed: read again and go on where the question stands."""


@dataclass(frozen=True)
class Signed:
    """What a signed line carries into its entry."""

    asked: int
    n: int
    key: str
    signature: str
    text: str | None = None
    orders: bool = False


def entry(
    table: Table, seat: int, action: Action[Any], by: str | Callable[[str], str], at: int, proof: Row = EMPTY
) -> tuple[Row, Table]:
    """The row of the next entry and the table after it; `by` may depend on the entry's salt."""
    known, state = table.facts, table.state
    seq, sealed, line = table.seq + 1, seal(state, action), action.line
    salted = salt(known.seed, known.id, seq)
    made_by = by if isinstance(by, str) else by(salted)
    pledge = commit(salted, line)
    hash_ = entry_hash(known.id, seq, seat, at, made_by, pledge, table.hash)
    owner = action.owner(seat)
    shown = line if sealed.value == "never" else action.seen_by(seat, None)
    row = (known.id, seq, seat, at, made_by, line, pledge, table.hash, hash_, sealed.value, state.reveals, owner, shown)
    return row + proof, table.after(seat, action, hash_, at)


def proof(signed: Signed) -> Row:
    """The columns of a signed entry."""
    return (signed.asked, signed.n, signed.key, signed.signature, signed.text, signed.orders, None)


def mailed(mail: str) -> Row:
    """The columns of an entry that came by mail."""
    return (None, None, None, None, None, None, mail)


HEAD = (
    "update match set head_seq = ?, head_hash = ?, head_at = ?, status = ?, ended_at = ? "
    "where id = ? and head_seq = ? and head_hash = ?"
)
RESOLVED = (
    "update match set head_seq = ?, head_hash = ?, head_at = ?, status = ?, ended_at = ?, resolved_seq = ? "
    "where id = ? and head_seq = ? and head_hash = ?"
)
INSERT = f"insert into entry ({', '.join(COLUMNS)}) values "  # noqa: S608  # our own column names
HOLES = f"({', '.join('?' * len(COLUMNS))})"
MOST_ROWS = 40
ACCEPTED = (*COLUMNS, *KEPT, "standing", "ended_at", "holder")
ACCEPT = f"insert into accepted ({', '.join(ACCEPTED)}) values ({', '.join('?' * len(ACCEPTED))})"  # noqa: S608  # as above


def accept(entry: Row, kept: Row, after: Table, holder: str | None = None) -> None:
    """Append one entry together with its submission, in one statement; raises IntegrityError if the head moved.

    It does so too if `holder`, the id of a token, is not good any more. The view `accepted` does what `append` does,
    without a way to the database and back for each part of it.
    """
    over = after.state.over
    once(ACCEPT, *entry, *kept, "over" if over else "running", after.at if over else None, holder)
    db.after_commit(lambda: keep(after))


def append(
    before: Table, entries: list[Row], after: Table, also: Callable[[], None], *, resolved: bool = False
) -> None:
    """Append the entries and do what belongs to them, all or nothing; raises Moved if the head moved meanwhile."""
    over = after.state.over
    head: list[Any] = [after.seq, after.hash, after.at, "over" if over else "running", after.at if over else None]
    with writing():
        where = (before.facts.id, before.seq, before.hash)
        changed = run(RESOLVED, *head, after.seq, *where) if resolved else run(HEAD, *head, *where)
        if changed != 1:
            raise Moved(before.facts.id)
        for start in range(0, len(entries), MOST_ROWS):
            _insert(entries[start : start + MOST_ROWS])
        also()
        # Not before the outermost transaction is through: what is undone must not be remembered.
        db.after_commit(lambda: keep(after))


def _insert(entries: list[Row]) -> None:
    sql = INSERT + ", ".join([HOLES] * len(entries))
    db.execute_sql(sql.replace("?", "%s") if is_postgres() else sql, [value for row in entries for value in row])

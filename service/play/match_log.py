"""The log of a match: computing its next entries, and appending them in one short transaction if nobody was faster.

Whoever writes into a log says what to append by a function `decide`, and calls `append_to_match` with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from peewee import IntegrityError

from engine.game import HOUSE, Action, seal
from service.db.connection import db, execute, execute_alone, rows, with_rows, write_transaction
from service.db.models.matches import MatchRow
from service.db.row_lookup import find_by_id
from service.i18n.catalogue import Message, msg
from service.jobs import queue
from service.play.match_loader import cache_match_state, load_match_state
from service.play.submissions import SubmissionColumns
from service.problems import Problem
from service.record.chain import by_bot, derive_salt, entry_hash, line_commitment
from service.record.match_state import MatchState
from service.timestamps import now


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


COLUMNS = LogEntry._fields
COLUMN_LIST = ", ".join(COLUMNS)
NO_PROOF = LineProof()
TRIES = 20
BUSY = msg("play.table_busy")


class HeadMoved(RuntimeError):
    """The head of the log is no longer where the entries were computed: read the match again and decide anew."""


class MatchBusy(Problem):
    """Others wrote into the log each time when we were about to."""

    def __init__(self, detail: Message) -> None:
        super().__init__("not-now", detail, retry_after=1)


def next_entry(
    match_state: MatchState,
    seat: int,
    action: Action[Any],
    by: str | Callable[[str], str],
    at: int,
    proof: LineProof = NO_PROOF,
) -> tuple[LogEntry, MatchState]:
    """Compute the next entry of a log, and the table after it; `by` may depend on the entry's salt."""
    known, state = match_state.facts, match_state.state
    seq, sealed, line = match_state.seq + 1, seal(state, action), action.line
    salted = derive_salt(known.seed, known.id, seq)
    made_by = by if isinstance(by, str) else by(salted)
    commitment = line_commitment(salted, line)
    hash_ = entry_hash(known.id, seq, seat, at, made_by, commitment, match_state.hash)
    shown = line if sealed.value == "never" else action.seen_by(seat, None)
    owner, before = action.owner(seat), match_state.hash
    row = (known.id, seq, seat, at, made_by, line, commitment, before, hash_, sealed.value, state.reveals, owner, shown)
    entry = LogEntry(*row, *proof)
    return entry, match_state.after(seat, action, hash_, at)


def next_entries(
    match_state: MatchState, lines: Iterable[tuple[int, Action[Any]]], not_before: int = 0
) -> tuple[tuple[LogEntry, ...], MatchState]:
    """Compute the entries of lines that the house makes, or the bot of a seat, all at one time; and the table after."""
    at = max(now(), match_state.at, not_before)
    entries: list[LogEntry] = []
    for seat, action in lines:
        entry, match_state = next_entry(
            match_state, seat, action, "house" if seat == HOUSE else by_bot(match_state.bots[seat]), at
        )
        entries.append(entry)
    return tuple(entries), match_state


def select_entries(condition: str, *values: object) -> list[LogEntry]:
    """The entries that fit this condition, which may end with an order and a limit."""
    return [LogEntry._make(row) for row in rows(f"select {COLUMN_LIST} from entry where {condition}", *values)]  # noqa: S608  # our own


ENTRY_TYPES = dict.fromkeys(COLUMNS, "text") | dict.fromkeys(("at",), "bigint") | {"orders": "boolean"}
ENTRY_TYPES |= dict.fromkeys(("seq", "seat", "reveals", "owner", "asked", "n"), "int")
HEAD_TYPES = dict.fromkeys(("id", "before_hash", "hash", "status"), "text")
HEAD_TYPES |= dict.fromkeys(("before_seq", "seq", "resolved"), "int") | dict.fromkeys(("at", "ended_at"), "bigint")
MOVE_HEADS = (
    "update match set head_seq = h.seq, head_hash = h.hash, head_at = h.at, status = h.status, "
    "ended_at = h.ended_at, resolved_seq = case when h.resolved = 1 then h.seq else resolved_seq end "
    "from h where match.id = h.id and head_seq = h.before_seq and head_hash = h.before_hash returning 1"
)
INSERT = f"insert into entry ({COLUMN_LIST}) select * from e order by match, seq"  # noqa: S608  # our own column names
MOST_ROWS = 40
ACCEPTED_COLUMNS = (*COLUMNS, *SubmissionColumns._fields, "standing", "ended_at", "holder")
INSERT_ACCEPTED = f"insert into accepted ({', '.join(ACCEPTED_COLUMNS)}) values "  # noqa: S608  # as above
ACCEPTED_HOLES = f"({', '.join('?' * len(ACCEPTED_COLUMNS))})"
NO_SUBMISSION = (None,) * len(SubmissionColumns._fields)


Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


def write_nothing() -> None:
    """Nothing belongs to the entries but themselves."""


@dataclass(frozen=True)
class LogAddition(Generic[Result_co]):
    """What to append to a log, what else to write in the same transaction, and what the caller gets once it is there.

    Nothing of it is written if the head of the log is not at `before` any more.
    """

    before: MatchState
    entries: tuple[LogEntry, ...]
    after: MatchState
    result: Result_co
    also: Callable[[], None] = write_nothing
    """Writes what belongs to the entries; it may raise HeadMoved: then nothing is written, and all is decided anew."""
    submission: SubmissionColumns | None = None
    """The submission that made the entries, where nothing else is to write: all goes in one statement."""
    token: str | None = None
    """The id of a token that must be good when that statement is executed."""
    resolved: bool = False
    """Whether nothing is left for the worker to do after these entries."""
    wake: bool = True
    """Whether to tell the worker that something was appended."""


AdditionOr: TypeAlias = LogAddition[Result] | Result
"""What `decide` gives: an addition to the log, or the result at once where there is nothing to append."""


def append_to_match(
    match_id: str,
    decide: Callable[[MatchState], AdditionOr[Result]],
    *,
    tries: int = TRIES,
    busy: Message = BUSY,
) -> Result:
    """Append to the log of a match what `decide` says of its table; if the log went on meanwhile, decide anew.

    `decide` gives an addition, whose result is returned once it is written, or a result at once if there is nothing to
    append. It may be called several times. Raises MatchBusy, with the message `busy`, when the tries are used up. The
    worker gets its hint after the commit of the outermost transaction.
    """
    return append_decision(lambda: decide(load_match_state(match_id)), tries=tries, busy=busy)


def append_decision(decide: Callable[[], AdditionOr[Result]], *, tries: int = TRIES, busy: Message = BUSY) -> Result:
    """Do the same as `append_to_match`, for those who must look at more than the table, and load it themselves."""
    for _ in range(tries):
        decision = decide()
        if not isinstance(decision, LogAddition):
            return decision
        try:
            append(decision)
        except HeadMoved:
            continue
        return decision.result
    raise MatchBusy(busy)


def append(addition: LogAddition[Any]) -> None:
    """Write an addition, all or nothing; raises HeadMoved if the log is not where it was decided."""
    if addition.submission is not None:
        _append_with_submission(addition, addition.submission)
        call_after_commit(addition)
    else:
        _append_all([addition], addition.also)


def append_together(additions: Sequence[LogAddition[Any]], also: Callable[[], None]) -> bool:
    """Write additions to the logs of several matches and what belongs to all of them, in one transaction.

    False, and nothing is written, if one of the logs is not where its addition was decided.
    """
    try:
        _append_all(additions, also)
    except HeadMoved:
        return False
    return True


def _append_all(additions: Sequence[LogAddition[Any]], also: Callable[[], None]) -> None:
    with write_transaction():
        _move_heads(sorted(additions, key=lambda each: each.before.facts.id))
        entries = [entry for addition in additions for entry in addition.entries]
        for start in range(0, len(entries), MOST_ROWS):
            _insert_entries(entries[start : start + MOST_ROWS])
        also()
    for addition in additions:
        call_after_commit(addition)


def call_after_commit(addition: LogAddition[Any]) -> None:
    """Remember the table and tell the worker, but not before the outermost transaction is through."""
    db.after_commit(partial(_after_commit, addition))


def _after_commit(addition: LogAddition[Any]) -> None:
    cache_match_state(addition.after)
    if addition.wake:
        queue.wake_for_match(addition.after.facts.id)


def _append_with_submission(addition: LogAddition[Any], submission: SubmissionColumns) -> None:
    """Append entries together with the submission that made them, in one statement."""
    sql, values = accepted_statement(addition, submission)
    try:
        execute_alone(sql, *values)
    except IntegrityError as error:
        raise HeadMoved(addition.after.facts.id) from error


def accepted_statement(addition: LogAddition[Any], submission: SubmissionColumns) -> tuple[str, list[Any]]:
    """An insert into the view `accepted` with its values: entries, and the submission that made them.

    It does what `_append_all` does, without a way to the database and back for each part of it. It refuses an entry
    that does not follow the head, a submission that is there already, and a token that is not good.
    """
    *first, last = addition.entries
    values = [value for entry in first for value in (*entry, *NO_SUBMISSION, "running", None, None)]
    holes = ", ".join([ACCEPTED_HOLES] * len(addition.entries))
    return INSERT_ACCEPTED + holes, [*values, *last, *submission, *status_after(addition.after), addition.token]


def status_after(match_state: MatchState) -> tuple[str, int | None]:
    """What the row of a match says with this table: whether it is over, and since when."""
    return ("over", match_state.at) if match_state.state.over else ("running", None)


def _move_heads(additions: Sequence[LogAddition[Any]]) -> None:
    with_heads, values = with_rows("h", HEAD_TYPES, [_head_columns(addition) for addition in additions])
    if len(rows(with_heads + MOVE_HEADS, *values)) != len(additions):
        raise HeadMoved(", ".join(addition.before.facts.id for addition in additions))


def _head_columns(addition: LogAddition[Any]) -> tuple[Any, ...]:
    """Where the head of a log was and where it is to be, in the order of `HEAD_TYPES`."""
    before, after = addition.before, addition.after
    status, ended_at = status_after(after)
    resolved = int(addition.resolved)
    return after.facts.id, before.hash, after.hash, status, before.seq, after.seq, resolved, after.at, ended_at


def _insert_entries(entries: Sequence[LogEntry]) -> None:
    with_entries, values = with_rows("e", ENTRY_TYPES, entries)
    execute(with_entries + INSERT, *values)


def lock_match(match_id: str) -> MatchRow:
    """The row of a match, held for this transaction."""
    execute("update match set status = status where id = ?", match_id)
    match = find_by_id(MatchRow, match_id)
    if match is None:
        raise Problem("not-found", msg("play.no_such_match"))
    return match

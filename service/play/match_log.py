"""The log of a match: computing its next entries, and appending them in one short transaction if the head still stands.

Callers say what to append in a function `decide`, and call `append_to_match` with it. All writes go through `append`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from engine.game import HOUSE, AnyAction, seal
from service.db.connection import db, execute, rows
from service.db.log_writer import (
    ENTRY_COLUMNS,
    HeadMove,
    HeadMoved,
    LogEntry,
    SubmissionRow,
    log_transaction,
    write_logs,
)
from service.db.models.matches import MatchRow
from service.db.row_lookup import find_by_id
from service.i18n.catalogue import Message, msg
from service.jobs import wakeups
from service.play.match_loader import cache_match_state, load_match_state
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
    """The text that was signed, if it is not the line itself."""
    orders: bool | None = None
    mail: str | None = None
    """Attestation of the email that made the line, in place of a signature."""


NO_PROOF = LineProof()
TRIES = 20
BUSY = msg("play.table_busy")


class MatchBusy(Problem):
    """Others wrote into the log each time we tried to."""

    def __init__(self, detail: Message) -> None:
        super().__init__("not-now", detail, retry_after=1)


def next_entry(
    match_state: MatchState,
    seat: int,
    action: AnyAction,
    by: str | Callable[[str], str],
    at: int,
    proof: LineProof = NO_PROOF,
) -> tuple[LogEntry, MatchState]:
    """Compute the next entry of a log, and the state after it. `by` may depend on the entry's salt."""
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
    match_state: MatchState, lines: Iterable[tuple[int, AnyAction]], not_before: int = 0
) -> tuple[tuple[LogEntry, ...], MatchState]:
    """Compute the entries of lines made at one time by the house, or by the bot of a seat, and the state after them."""
    at = max(now(), match_state.at, not_before)
    entries: list[LogEntry] = []
    for seat, action in lines:
        entry, match_state = next_entry(
            match_state, seat, action, "house" if seat == HOUSE else by_bot(match_state.bots[seat]), at
        )
        entries.append(entry)
    return tuple(entries), match_state


def select_entries(condition: str, *values: object) -> list[LogEntry]:
    """Return the entries that fit this condition, which may end with an order and a limit."""
    return [LogEntry._make(row) for row in rows(f"select {ENTRY_COLUMNS} from entry where {condition}", *values)]  # noqa: S608  # our own


Result = TypeVar("Result")
Result_co = TypeVar("Result_co", covariant=True)


@dataclass(frozen=True)
class LogAddition(Generic[Result_co]):
    """Entries to append, further writes for the same transaction, and the caller's result once they are written.

    If the head of the log has left `before`, none of it is written. Without entries it only locks the match.
    """

    before: MatchState
    entries: tuple[LogEntry, ...]
    after: MatchState
    result: Result_co
    also: Callable[[], None] | None = None
    """Writes further rows for the entries, only in the database, since it may run twice. It may raise HeadMoved with
    the match. Then none of it is written, and the caller decides again."""
    submission: SubmissionRow | None = None
    """The submission that made the entries."""
    resolved: bool = False
    """True if the worker has no work after these entries."""
    wake: bool = True
    """True to wake the worker for this match after the commit."""


AdditionOr: TypeAlias = LogAddition[Result] | Result
"""Result of `decide`: an addition to the log, or the caller's result if there is nothing to append."""


def append_to_match(
    match_id: str,
    decide: Callable[[MatchState], AdditionOr[Result]],
    *,
    tries: int = TRIES,
    busy: Message = BUSY,
) -> Result:
    """Append what `decide` returns for the state of a match to its log. If the log moved on meanwhile, decide again.

    `decide` returns an addition, whose result is returned once it is written, or a result if there is nothing to
    append. It may be called several times. Raises MatchBusy, with the message `busy`, when the tries are used up.
    """
    return append_decision(lambda: decide(load_match_state(match_id)), tries=tries, busy=busy)


def append_decision(decide: Callable[[], AdditionOr[Result]], *, tries: int = TRIES, busy: Message = BUSY) -> Result:
    """Do the same as `append_to_match`, for callers that read more than the state and load it themselves."""
    for _ in range(tries):
        decision = decide()
        if not isinstance(decision, LogAddition):
            return decision
        if append([decision])[0]:
            return decision.result
    raise MatchBusy(busy)


Additions: TypeAlias = Sequence[LogAddition[Any]]


def append(additions: Additions, also: Callable[[Additions], None] | None = None, *, wait: bool = True) -> list[bool]:
    """Write additions to the logs of matches in one transaction; return for each whether it was written.

    False means that none of it was written: its head is elsewhere, its submission is stored already, an earlier
    addition is for the same match, its `also` raised HeadMoved, or, with `wait=False`, another transaction holds its
    match. The caller does not learn which: read the match again and decide again. An exception means that the whole
    call wrote nothing.

    `also` gets the additions that were written and writes in the same transaction, after their entries and after each
    addition's own `also`. When it raises HeadMoved, everything is rolled back, the matches it names are left out, and
    the rest are written again. Like `addition.also`, it may run twice and must only write to the database.

    Match rows are locked first, in the order of their ids, then everything else. Whoever opens a transaction around
    several appends must keep that order. After the commit of the outermost transaction the new states are cached and
    the worker is woken.
    """
    left: dict[str, LogAddition[Any]] = {}
    for addition in additions:
        left.setdefault(addition.before.facts.id, addition)
    written: Additions = ()
    while left:
        try:
            written = _write([*left.values()], also, wait=wait)
            break
        except HeadMoved as error:
            if not left.keys() & error.matches:
                raise
            left = {match: addition for match, addition in left.items() if match not in error.matches}
    for addition in written:
        db.after_commit(partial(_after_commit, addition))
    done = {id(addition) for addition in written}
    return [id(addition) in done for addition in additions]


def _write(additions: Additions, also: Callable[[Additions], None] | None, *, wait: bool) -> Additions:
    """Write additions to different matches in a transaction; return those that were written."""
    heads = [_head_move(addition) for addition in additions]
    submissions = [addition.submission for addition in additions if addition.submission is not None]
    entries = [entry for addition in additions for entry in addition.entries]
    alone = also is None and all(addition.also is None for addition in additions)
    with log_transaction(alone=alone):
        matches = write_logs(heads, submissions, entries, wait=wait)
        written = [addition for addition in additions if addition.after.facts.id in matches]
        for addition in written:
            if addition.also is not None:
                addition.also()
        if also is not None and written:
            also(written)
    return written


def _head_move(addition: LogAddition[Any]) -> HeadMove:
    before, after = addition.before, addition.after
    status, ended_at = ("over", after.at) if after.state.over else ("running", None)
    submitted = addition.submission is not None
    where = (before.seq, before.hash, after.seq, after.hash, after.at)
    return HeadMove(after.facts.id, *where, status, ended_at, addition.resolved, submitted)


def _after_commit(addition: LogAddition[Any]) -> None:
    """Cache the new state and wake the worker."""
    cache_match_state(addition.after)
    if addition.wake:
        wakeups.wake_for_match(addition.after.facts.id)


def lock_match(match_id: str) -> MatchRow:
    """Lock the row of a match for this transaction and return it."""
    execute("update match set status = status where id = ?", match_id)
    match = find_by_id(MatchRow, match_id)
    if match is None:
        raise Problem("not-found", msg("play.no_such_match"))
    return match

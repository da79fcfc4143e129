"""The one door for moves: checks a submission, makes what can be made at once, and appends it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from peewee import IntegrityError

from engine.game import CORE_VERBS, Action, legal, to_act
from engine.house import objection
from engine.notation import NotALine
from engine.reading import read
from service.accounts import signing_keys_keys as keys
from service.db.connection import rows, writing
from service.jobs import outbox_nudge as nudge
from service.play import access, notes, submissions
from service.play import match_log as log
from service.play import server_keys as signing
from service.play.match_log import Moved, Row, Signed, entry, mailed, proof
from service.play.submissions import Accepted, Submission
from service.problems import Problem
from service.record.chain import by_mail, by_signed
from service.record.signed_text import alternatives, before, move_text
from service.record.signed_text_receipts import receipt
from service.record.table import Table, load
from service.timestamps import now

TRIES = 20
__all__ = [
    "Accepted",
    "Head",
    "Submission",
    "accept",
    "at_once",
    "attested",
    "changed",
    "choose",
    "hash_of",
    "head",
    "proved",
    "refused",
    "table_of",
]


@dataclass(frozen=True)
class Making:
    """Entries computed so far, and how many lines of the submission they hold."""

    table: Table
    entries: tuple[Row, ...] = ()
    made: tuple[str, ...] = ()
    why: str = ""


Head = tuple[str, int, str]
"""Status of a match, its last seq and the hash of that entry."""


def head(match: str) -> Head:
    """Status and head of a match."""
    found = rows("select status, head_seq, head_hash from match where id = ?", match)
    if not found:
        raise Problem("not-found", access.NOTHING)
    status, seq, hash_ = found[0]
    return status, seq, hash_


def table_of(match: str) -> Table:
    """The table of a match that has started."""
    status, seq, hash_ = head(match)
    if status not in ("running", "over"):
        raise not_started(status)
    return load(match, seq, hash_)


def not_started(status: str) -> Problem:
    """The refusal of what needs a log where there is none."""
    if status == "open":
        return Problem("conflict", "The match has not started; it starts when every seat is taken.")
    return Problem("match-over", "The match was cancelled before it started.")


def accept(match: str, player: str, sent: Submission, known: Head | None = None) -> Accepted:
    """Check a submission of this player, make its lines as far as they go now, and keep the rest as orders.

    `known` is the head if the caller has read it already.
    """
    for _ in range(TRIES):
        (table, seat), known = _seat(match, player, known or head(match)), None
        if not sent.lines:
            return _withdrawn(table, seat)
        _check_proof(table, seat, player, sent)
        stored = _question(table, seat, sent)
        if stored is not None:
            return stored
        at = max(now(), table.at)
        making = _make(table, seat, sent, at)
        try:
            accepted = _keep(table, seat, player, sent, making, at)
        except (Moved, IntegrityError):
            # Somebody else was first, perhaps with this very submission: read again and see.
            continue
        nudge.resolve(match)
        return accepted
    raise Problem("not-now", "Too many moves arrive at this table at once; send it again.", retry_after=1)


def at_once(table: Table, player: str, sent: Submission, holder: str) -> Accepted | None:
    """Make a line that answers what the seat is asked at this table, in one statement, if that is all there is to do.

    The table and the token `holder` may be remembered: if the head moved, or the token is no longer good, it raises
    IntegrityError.
    """
    seat = table.seat_of(player)
    question = None if seat is None else table.questions[seat]
    alone = len(sent.lines) == 1 and not sent.orders and not sent.note
    if seat is None or question is None or not alone or (sent.asked, sent.prev) != (question.asked, question.prev):
        return None
    _check_proof(table, seat, player, sent)
    at = max(now(), table.at)
    accepted = _keep(table, seat, player, sent, _make(table, seat, sent, at), at, holder)
    nudge.resolve(table.facts.id)
    return accepted


def _seat(match: str, player: str, known: Head) -> tuple[Table, int]:
    """The table and the player's seat at it; strangers to a private match are not told that it is there."""
    status, seq, hash_ = known
    table = load(match, seq, hash_) if status in ("running", "over") else None
    seat = table.seat_of(player) if table else None
    if table is not None and seat is not None:
        return table, seat
    access.find(match, player)
    if table is None:
        raise not_started(status)
    raise Problem("not-your-seat", "You have no seat in this match.")


def _check_proof(table: Table, seat: int, player: str, sent: Submission) -> None:
    if sent.mail is not None:
        if table.facts.signed_only:
            raise Problem("mail-not-allowed", "This match takes signed moves only; play it with a client that signs.")
        return
    if sent.key not in table.keys[seat].split(","):
        raise Problem("not-your-key", f"Key {sent.key} is not one of this seat; its keys are {table.keys[seat]}.")
    key = keys.known(player, sent.key)
    previous = None
    for n, (line, signature) in enumerate(zip(sent.lines, sent.signatures, strict=True), 1):
        if not line.isascii():
            raise refused(table, seat, line, "a line is plain ASCII")
        tie = before(previous, sent.orders)
        text = move_text(table.facts.id, seat, sent.asked, sent.prev, n, tie, line)
        if not key.signed(signature, text):
            raise Problem(
                "wrong-signature",
                f"The signature of line {n} does not fit; sign exactly the text in `signed_text` with this key.",
                line=n,
                signed_text=text.decode(),
            )
        previous = signature


def _question(table: Table, seat: int, sent: Submission) -> Accepted | None:
    """Nothing if the submission answers what the seat is asked; its stored answer if it came before."""
    question = table.questions[seat]
    if question is not None and sent.asked == question.asked and not sent.orders:
        if sent.prev != question.prev:
            raise Problem("wrong-prev", f"Entry {sent.asked} has the hash {question.prev}.", hash=question.prev)
        return None
    stored = submissions.answered(table.facts.id, sent.id)
    if stored is not None:
        return stored
    anytime = sent.orders or sent.lines[0].split(" ", 1)[0] in ("resign", "keys")
    if table.state.over:
        raise Problem("match-over", "The match is over; its record tells how it went.")
    if not anytime or not table.own[seat] <= sent.asked <= table.seq:
        raise changed(table, seat)
    hash_ = hash_of(table, sent.asked)
    if sent.prev != hash_:
        raise Problem("wrong-prev", f"Entry {sent.asked} has the hash {hash_}.", hash=hash_)
    return None


def changed(table: Table, seat: int) -> Problem:
    """The refusal of a move for a question that does not stand."""
    if table.state.house.paused:
        told = "The match is paused; nobody is asked anything until it goes on."
    elif table.questions[seat] is None:
        told = "It is not your turn; send the move with `orders: true` if it shall wait."
    else:
        told = "You are asked something else by now; look at the question and choose anew."
    return Problem("question-changed", told, table=table, seat=seat)


def hash_of(table: Table, seq: int) -> str:
    """The hash of an entry, or of the header for 0."""
    if seq == table.seq:
        return table.hash
    if seq == 0:
        return table.facts.header_hash
    found = rows("select hash from entry where match = ? and seq = ?", table.facts.id, seq)
    hash_: str = found[0][0]
    return hash_


def _make(table: Table, seat: int, sent: Submission, at: int) -> Making:
    making = Making(table)
    for n, text in enumerate(sent.lines, 1):
        action, why = choose(making.table, seat, text)
        if action is None:
            if n == 1 and not (sent.orders and seat not in to_act(making.table.state)):
                raise refused(making.table, seat, text, why)
            asked = seat in to_act(making.table.state) and not making.table.facts.game.may_lapse(text)
            return replace(making, why=f"{text}: {why}" if asked or making.table.state.over else "")
        by, columns = proved(sent, n, text, action)
        row, after = entry(making.table, seat, action, by, at, columns)
        making = Making(after, (*making.entries, row), (*making.made, action.line))
    return making


def choose(table: Table, seat: int, text: str) -> tuple[Action[Any] | None, str]:
    """The first listed line of a text that may name alternatives, or why there is none."""
    why = "it is no line"
    for line in alternatives(text) or (text,):
        try:
            action = read(table.facts.game, line, seat)
        except NotALine as error:
            why = str(error)
            continue
        why = objection(table.state, seat, action)
        if not why:
            return action, ""
    return None, why


def attested(mail: dict[str, Any]) -> str:
    """What an entry keeps of the letter that made it."""
    return json.dumps(mail, sort_keys=True, separators=(",", ":"))


def proved(sent: Submission, n: int, text: str, action: Action[Any]) -> tuple[str | Callable[[str], str], Row]:
    """What proves line `n` of a submission: what `by` says, and the columns of its entry."""
    if sent.mail is not None:
        mail = sent.mail
        made_by = lambda salt: by_mail(salt, mail["received"], mail["door"], mail["raw"], mail["verdict"])  # noqa: E731
        return made_by, mailed(attested(mail))
    signature = sent.signatures[n - 1]
    chosen = text if text != action.line else None
    signed = Signed(sent.asked, n, sent.key, signature, chosen, orders=sent.orders and n == 1)
    return by_signed(signature), proof(signed)


def refused(table: Table, seat: int, text: str, why: str) -> Problem:
    """The refusal of a line that cannot be made now, with the lines that can."""
    try:
        read(table.facts.game, (alternatives(text) or (text,))[0], seat)
        kind = "not-listed"
    except NotALine:
        kind = "not-canonical"
    verb = text.split(" ", 1)[0]
    listed = () if verb in CORE_VERBS else legal(table.state, seat)
    return Problem(kind, f"{text}: {why}.", table=table, seat=seat, listed=len(listed), text=text)


def _keep(
    table: Table, seat: int, player: str, sent: Submission, making: Making, at: int, holder: str | None = None
) -> Accepted:
    left = len(sent.lines) - len(making.made)
    waits = bool(left) and not making.why and not making.table.state.over
    accepted = Accepted(
        id=sent.id,
        match=table.facts.id,
        seat=seat,
        made=making.made,
        waiting=left if waits else 0,
        dropped=() if waits else sent.lines[len(making.made) :],
        why=making.why,
        receipt=_receipt(making.table, at, sent.signatures),
    )

    kept = submissions.row(sent, player, accepted)
    if len(making.entries) == 1 and not waits and not sent.note:
        log.accept(making.entries[0], kept, making.table, holder)
        return accepted

    def also() -> None:
        submissions.keep(kept, accepted, at)
        if sent.note:
            notes.add(table.facts.id, player, seat, making.table.seq, sent.note)

    log.append(table, list(making.entries), making.table, also)
    return accepted


def _receipt(table: Table, at: int, signatures: tuple[str, ...]) -> dict[str, Any]:
    server = signing.current().private
    return receipt(server, match=table.facts.id, seq=table.seq, hash_=table.hash, at=at, signatures=signatures)


def _withdrawn(table: Table, seat: int) -> Accepted:
    """An empty submission: whatever waits for this seat is withdrawn."""
    with writing():
        submissions.withdraw(table.facts.id, seat)
    return Accepted("", table.facts.id, seat, (), 0, (), "", _receipt(table, max(now(), table.at), ()))

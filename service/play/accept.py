"""Accepting moves: check a submission, make what can be made at once, append it, and keep the rest as orders."""

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
from service.accounts import signing_keys
from service.db.connection import write_transaction
from service.i18n.catalogue import Explanation, msg
from service.play import access, notes, seat_keys, server_keys, submissions
from service.play.match_loader import (
    MatchHead,
    cached_match_state,
    hash_of,
    head_of,
    load_match_state_at,
    not_started_problem,
)
from service.play.match_log import (
    AdditionOr,
    HeadMoved,
    LineProof,
    LogAddition,
    LogEntry,
    append_decision,
    next_entry,
)
from service.play.submissions import Submission, SubmissionResult
from service.problems import Problem
from service.record.chain import by_mail, by_signed
from service.record.match_state import MatchState
from service.record.signed_text import link_to_previous, move_text, sign_receipt, split_alternatives
from service.timestamps import now

NO_LINE = msg("play.no_line")
NOT_ASCII = msg("play.not_ascii")
TOO_MANY_MOVES = msg("play.too_many_moves")
__all__ = [
    "PreparedSubmission",
    "Submission",
    "SubmissionResult",
    "accept",
    "choose_action",
    "mail_attestation",
    "prepare",
    "proof_of_line",
    "question_changed_problem",
    "refused_line_problem",
]


@dataclass(frozen=True)
class PreparedEntries:
    """Entries computed so far, and how many lines of the submission they hold."""

    match_state: MatchState
    entries: tuple[LogEntry, ...] = ()
    made: tuple[str, ...] = ()
    why: str = ""
    """Why the next line is not made though it is asked for, with the line; empty if it waits."""
    reason: Explanation | None = None
    """The same without the line."""


@dataclass(frozen=True)
class PreparedSubmission:
    """What a submission comes to at the table that this process remembers; it holds only if the match is still there.

    Neither an addition nor a refusal: that cannot be said without reading the match.
    """

    match_state: MatchState | None = None
    addition: LogAddition[SubmissionResult] | None = None
    refusal: Problem | None = None
    verified: frozenset[int] = frozenset()
    """The seats whose signatures were verified on the way."""


def prepare(match: str, player: str, sent: Submission, token: str) -> PreparedSubmission:
    """Decide without the database about lines that answer what a seat is asked, if that is all there is to do.

    The addition is to be written by `append_submissions`, which asks whether match and token are still as remembered.
    """
    match_state = cached_match_state(match)
    seat = match_state.seat_of(player) if match_state else None
    if match_state is None or seat is None:
        return PreparedSubmission(match_state)
    question = match_state.questions[seat]
    plain = sent.lines and not sent.orders and not sent.note
    if question is None or not plain or (sent.asked, sent.prev) != (question.asked, question.prev):
        return PreparedSubmission(match_state)
    if sent.key not in match_state.keys[seat]:
        return PreparedSubmission(match_state)
    verified: set[int] = set()
    try:
        _check_proof(match_state, seat, player, sent, verified)
        addition = _submission_addition(match_state, seat, player, sent, token)
    except Problem as refusal:
        return PreparedSubmission(match_state, refusal=refusal, verified=frozenset(verified))
    writable = addition if addition.submission is not None else None
    return PreparedSubmission(match_state, writable, verified=frozenset(verified))


def accept(
    match: str,
    player: str,
    sent: Submission,
    *,
    prepared: PreparedSubmission | None = None,
    head: MatchHead | None = None,
) -> SubmissionResult:
    """Check a submission of this player, make its lines as far as they go now, and keep the rest as orders.

    `prepared` is what it came to at a remembered table, if that was tried, and `head` the head of the match if the
    caller has just read it.
    """
    tried = prepared or PreparedSubmission()
    if tried.refusal and tried.match_state and head and head[1:] == (tried.match_state.seq, tried.match_state.hash):
        raise tried.refusal
    verified = set(tried.verified)
    heads = [] if head is None else [head]

    def decide() -> AdditionOr[SubmissionResult]:
        match_state, seat = _load_match_state_and_seat(match, player, heads.pop() if heads else head_of(match))
        if not sent.lines:
            return _withdraw(match_state, seat)
        _check_proof(match_state, seat, player, sent, verified)
        stored = _check_question(match_state, seat, sent)
        if stored is not None:
            return stored
        return _submission_addition(match_state, seat, player, sent)

    return append_decision(decide, busy=TOO_MANY_MOVES)


def _load_match_state_and_seat(match: str, player: str, known: MatchHead) -> tuple[MatchState, int]:
    """The table and the player's seat at it; strangers to a private match are not told that it is there."""
    status, seq, hash_ = known
    match_state = load_match_state_at(match, seq, hash_) if status in ("running", "over") else None
    seat = match_state.seat_of(player) if match_state else None
    if match_state is not None and seat is not None:
        return match_state, seat
    access.find_match(match, player)
    if match_state is None:
        raise not_started_problem(status)
    raise Problem("not-your-seat", msg("play.no_seat"))


def _check_proof(match_state: MatchState, seat: int, player: str, sent: Submission, verified: set[int]) -> None:
    """Refuse a submission that this seat may not make; what was verified for the seat is not verified again."""
    if sent.mail is not None:
        if match_state.facts.signed_only:
            raise Problem("mail-not-allowed", msg("play.signed_only"))
        return
    if sent.key not in match_state.keys[seat]:
        seat_keys.check_may_join_seat(match_state, seat, player, sent.key)
    if seat in verified:
        return
    key = signing_keys.public_key(player, sent.key)
    previous = None
    for n, (line, signature) in enumerate(zip(sent.lines, sent.signatures, strict=True), 1):
        if not line.isascii():
            raise refused_line_problem(match_state, seat, line, NOT_ASCII)
        tie = link_to_previous(previous, sent.orders)
        text = move_text(match_state.facts.id, seat, sent.asked, sent.prev, n, tie, line)
        if not key.verifies(signature, text):
            raise Problem(
                "wrong-signature",
                msg("play.wrong_signature", number=n),
                line=n,
                signed_text=text.decode(),
            )
        previous = signature
    verified.add(seat)


def _check_question(match_state: MatchState, seat: int, sent: Submission) -> SubmissionResult | None:
    """Nothing if the submission answers what the seat is asked; its stored answer if it came before."""
    question = match_state.questions[seat]
    if question is not None and sent.asked == question.asked and not sent.orders:
        if sent.prev != question.prev:
            raise Problem("wrong-prev", msg("play.wrong_prev", seq=sent.asked, hash=question.prev), hash=question.prev)
        return None
    stored = submissions.stored_result(match_state.facts.id, sent.id)
    if stored is not None:
        return stored
    anytime = sent.orders or sent.lines[0].split(" ", 1)[0] in ("resign", "keys")
    if match_state.state.over:
        raise Problem("match-over", msg("play.match_over"))
    if not anytime or not match_state.own[seat] <= sent.asked <= match_state.seq:
        raise question_changed_problem(match_state, seat)
    hash_ = hash_of(match_state, sent.asked)
    if sent.prev != hash_:
        raise Problem("wrong-prev", msg("play.wrong_prev", seq=sent.asked, hash=hash_), hash=hash_)
    return None


def question_changed_problem(match_state: MatchState, seat: int) -> Problem:
    """The refusal of a move for a question that does not stand."""
    if match_state.state.house.paused:
        detail = msg("play.paused")
    elif match_state.questions[seat] is None:
        detail = msg("play.not_your_turn")
    else:
        detail = msg("play.asked_something_else")
    return Problem("question-changed", detail, table=match_state, seat=seat)


def _prepare_entries(match_state: MatchState, seat: int, sent: Submission, at: int) -> PreparedEntries:
    making = PreparedEntries(match_state)
    for n, text in enumerate(sent.lines, 1):
        action, why = choose_action(making.match_state, seat, text)
        if action is None:
            if n == 1 and not (sent.orders and seat not in to_act(making.match_state.state)):
                raise refused_line_problem(making.match_state, seat, text, why)
            asked = seat in to_act(making.match_state.state) and not making.match_state.facts.game.may_lapse(text)
            return (
                replace(making, why=f"{text}: {why}", reason=why) if asked or making.match_state.state.over else making
            )
        if sent.mail is None and sent.key not in making.match_state.keys[seat] and not making.made:
            entry, after = seat_keys.give_key_to_seat(match_state, seat, sent.key, at)
            making = PreparedEntries(after, (entry,))
        by, proof = proof_of_line(sent, n, text, action)
        entry, after = next_entry(making.match_state, seat, action, by, at, proof)
        making = PreparedEntries(after, (*making.entries, entry), (*making.made, action.line))
    return making


def choose_action(match_state: MatchState, seat: int, text: str) -> tuple[Action[Any] | None, Explanation]:
    """The first listed line of a text that may name alternatives, or why there is none."""
    why: Explanation = NO_LINE
    for line in split_alternatives(text) or (text,):
        try:
            action = read(match_state.facts.game, line, seat)
        except NotALine as error:
            why = error.reason
            continue
        objected = objection(match_state.state, seat, action, match_state.facts.game)
        if objected is None:
            return action, why
        why = objected
    return None, why


def mail_attestation(mail: dict[str, Any]) -> str:
    """What an entry keeps of the letter that made it."""
    return json.dumps(mail, sort_keys=True, separators=(",", ":"))


def proof_of_line(
    sent: Submission, n: int, text: str, action: Action[Any]
) -> tuple[str | Callable[[str], str], LineProof]:
    """What proves line `n` of a submission: what `by` says, and the columns of its entry."""
    if sent.mail is not None:
        mail = sent.mail
        made_by = lambda salt: by_mail(salt, mail["received"], mail["door"], mail["raw"], mail["verdict"])  # noqa: E731
        return made_by, LineProof(mail=mail_attestation(mail))
    signature = sent.signatures[n - 1]
    chosen = text if text != action.line else None
    return by_signed(signature), LineProof(sent.asked, n, sent.key, signature, chosen, orders=sent.orders and n == 1)


def refused_line_problem(match_state: MatchState, seat: int, text: str, why: Explanation) -> Problem:
    """The refusal of a line that cannot be made now, with the lines that can."""
    try:
        read(match_state.facts.game, (split_alternatives(text) or (text,))[0], seat)
        kind = "not-listed"
    except NotALine:
        kind = "not-canonical"
    verb = text.split(" ", 1)[0]
    listed = () if verb in CORE_VERBS else legal(match_state.state, seat)
    return Problem(
        kind, msg("play.line_refused", line=text, why=why), table=match_state, seat=seat, listed=len(listed), text=text
    )


def _submission_addition(
    match_state: MatchState, seat: int, player: str, sent: Submission, token: str | None = None
) -> LogAddition[SubmissionResult]:
    """What a submission whose proof and question are right adds to the log and to what waits."""
    at = max(now(), match_state.at)
    making = _prepare_entries(match_state, seat, sent, at)
    left = len(sent.lines) - len(making.made)
    waits = bool(left) and not making.why and not making.match_state.state.over
    accepted = SubmissionResult(
        id=sent.id,
        match=match_state.facts.id,
        seat=seat,
        made=making.made,
        waiting=left if waits else 0,
        dropped=() if waits else sent.lines[len(making.made) :],
        why=making.why,
        receipt=_sign_receipt(making.match_state, at, sent.signatures),
        reason=making.reason,
    )
    kept = submissions.columns_of(sent, player, accepted)
    is_new_device = len(making.entries) > len(making.made)
    if making.entries and not left and not sent.note and not is_new_device:
        return LogAddition(match_state, making.entries, making.match_state, accepted, submission=kept, token=token)

    def also() -> None:
        try:
            submissions.store(kept, accepted, at)
        except IntegrityError as error:
            # This very submission came in by another way in the same moment: read again and see.
            raise HeadMoved(match_state.facts.id) from error
        if sent.note:
            notes.add(match_state.facts.id, player, seat, making.match_state.seq, sent.note)
        if is_new_device:
            seat_keys.queue_device_letter(match_state, player, sent.key)

    return LogAddition(match_state, making.entries, making.match_state, accepted, also)


def _sign_receipt(match_state: MatchState, at: int, signatures: tuple[str, ...]) -> dict[str, Any]:
    server = server_keys.current_key().private
    return sign_receipt(
        server, match=match_state.facts.id, seq=match_state.seq, hash_=match_state.hash, at=at, signatures=signatures
    )


def _withdraw(match_state: MatchState, seat: int) -> SubmissionResult:
    """Withdraw whatever waits for this seat, because an empty submission came."""
    with write_transaction():
        submissions.withdraw(match_state.facts.id, seat)
    return SubmissionResult(
        "", match_state.facts.id, seat, (), 0, (), "", _sign_receipt(match_state, max(now(), match_state.at), ())
    )

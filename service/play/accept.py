"""Accepting moves: check a submission, make all lines that can be made at once, append them, keep the rest as orders.

Every submission, over HTTP or by email, alone or in a batch, is decided by `decide`. It reads no data itself:
`read_facts` has read everything that it needs.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from engine.game import CORE_VERBS, AnyAction, legal, to_act
from engine.house import objection
from engine.notation import NotALine
from engine.reading import read
from service.accounts import signing_keys
from service.db.log_writer import LogEntry
from service.db.models.accounts import SigningKeyRow
from service.i18n.catalogue import Explanation, msg
from service.play import access, notes, seat_keys, server_keys, submissions
from service.play.match_loader import MatchHead, hash_of, head_of, load_match_state_at, not_started_problem
from service.play.match_log import AdditionOr, LineProof, LogAddition, append_decision, next_entry
from service.play.submissions import Submission, SubmissionResult
from service.problems import Problem
from service.record.chain import by_mail, by_signed
from service.record.keys import PublicKey
from service.record.match_state import MatchState
from service.record.signed_text import link_to_previous, move_text, sign_receipt, split_alternatives
from service.timestamps import now

NO_LINE = msg("play.no_line")
NOT_ASCII = msg("play.not_ascii")
TOO_MANY_MOVES = msg("play.too_many_moves")
STARTED = ("running", "over")
"""Status of matches that have a log."""
__all__ = [
    "Submission",
    "SubmissionFacts",
    "SubmissionResult",
    "accept",
    "choose_action",
    "decide",
    "decide_at_head",
    "mail_attestation",
    "proof_of_line",
    "question_changed_problem",
    "read_facts",
    "refused_line_problem",
]


@dataclass(frozen=True)
class PreparedEntries:
    """Entries computed so far, and the number of lines of the submission that they hold."""

    match_state: MatchState
    entries: tuple[LogEntry, ...] = ()
    made: tuple[str, ...] = ()
    why: str = ""
    """Reason why the next line is not made although it is asked for, with the line; empty if it waits."""
    reason: Explanation | None = None
    """The same reason without the line."""


@dataclass(frozen=True)
class SubmissionFacts:
    """The facts that the decision about a submission needs. Each is read only if it is needed."""

    at: int
    """The time of the entries."""
    server: Ed25519PrivateKey
    """The key that signs the receipt."""
    key: PublicKey | None = None
    """The key that the submission names; None if the player does not have it."""
    device: SigningKeyRow | None = None
    """The row of that key, if the seat does not have it and it may play at seats."""
    keys_with_new: str = ""
    """The keys of the seat once the house has given it that key."""
    stored: SubmissionResult | None = None
    """The stored answer to the same submission, if it came before."""
    asked_hash: str = ""
    """The hash of the entry named by lines that may come at any time."""


def accept(match: str, player: str, sent: Submission, *, head: MatchHead | None = None) -> SubmissionResult:
    """Make as many lines of a submission as possible now, and keep the rest as orders. Return once it is written.

    `head` is the head of the match if the caller has just read it.
    """
    heads = [] if head is None else [head]

    def decide_again() -> AdditionOr[SubmissionResult]:
        status, seq, hash_ = heads.pop() if heads else head_of(match)
        match_state = load_match_state_at(match, seq, hash_) if status in STARTED else None
        return decide_at_head(match, status, match_state, player, sent)

    return append_decision(decide_again, busy=TOO_MANY_MOVES)


def decide_at_head(
    match: str, status: str, match_state: MatchState | None, player: str, sent: Submission
) -> AdditionOr[SubmissionResult]:
    """Decide a submission to a match with this status and state, which is None if there is no log yet.

    Strangers do not learn that a private match exists.
    """
    seat = match_state.seat_of(player) if match_state else None
    if match_state is not None and seat is not None:
        return decide(match_state, seat, player, sent, read_facts(match_state, seat, player, sent))
    access.find_match(match, player)
    if match_state is None:
        raise not_started_problem(status)
    raise Problem("not-your-seat", msg("play.no_seat"))


def read_facts(match_state: MatchState, seat: int, player: str, sent: Submission) -> SubmissionFacts:
    """Read what `decide` needs. For lines that answer the question this takes no statement if all is cached."""
    facts = SubmissionFacts(max(now(), match_state.at), server_keys.current_key().private)
    if not sent.lines:
        return facts
    if sent.mail is None:
        facts = _read_key(facts, match_state, seat, player, sent.key)
    if _answers_question(match_state, seat, sent):
        return facts
    stored = submissions.stored_result(match_state.facts.id, sent.id)
    needs_hash = stored is None and _may_come_now(match_state, seat, sent)
    return replace(facts, stored=stored, asked_hash=hash_of(match_state, sent.asked) if needs_hash else "")


def _read_key(facts: SubmissionFacts, match_state: MatchState, seat: int, player: str, key: str) -> SubmissionFacts:
    if key in match_state.keys[seat]:
        return replace(facts, key=signing_keys.find_public_key(player, key))
    device = signing_keys.find_device_key(player, key)
    if device is None:
        return facts
    keys = seat_keys.keys_with(match_state, seat, key)
    return replace(facts, key=PublicKey(device.x), device=device, keys_with_new=keys)


def decide(
    match_state: MatchState, seat: int, player: str, sent: Submission, facts: SubmissionFacts
) -> AdditionOr[SubmissionResult]:
    """Decide from these values alone what a submission adds to the log. Raise Problem if it is refused.

    If the same submission came before, return its stored answer.
    """
    if not sent.lines:
        return _withdrawal(match_state, seat, facts)
    _check_proof(match_state, seat, sent, facts)
    if not _answers_question(match_state, seat, sent) and facts.stored is not None:
        return facts.stored
    _check_question(match_state, seat, sent, facts)
    return _submission_addition(match_state, seat, player, sent, facts)


def _check_proof(match_state: MatchState, seat: int, sent: Submission, facts: SubmissionFacts) -> None:
    """Refuse a submission that this seat may not make."""
    if sent.mail is not None:
        if match_state.facts.signed_only:
            raise Problem("mail-not-allowed", msg("play.signed_only"))
        return
    if sent.key not in match_state.keys[seat]:
        seat_keys.check_may_join_seat(match_state, seat, sent.key, facts.device)
    if facts.key is None:
        raise Problem("not-your-key", msg("accounts.not_your_key", key=sent.key))
    previous = None
    for n, (line, signature) in enumerate(zip(sent.lines, sent.signatures, strict=True), 1):
        if not line.isascii():
            raise refused_line_problem(match_state, seat, line, NOT_ASCII)
        tie = link_to_previous(previous, sent.orders)
        text = move_text(match_state.facts.id, seat, sent.asked, sent.prev, n, tie, line)
        if not facts.key.verifies(signature, text):
            raise Problem(
                "wrong-signature",
                msg("play.wrong_signature", number=n),
                line=n,
                signed_text=text.decode(),
            )
        previous = signature


def _answers_question(match_state: MatchState, seat: int, sent: Submission) -> bool:
    """Return True for lines that name the seat's current question."""
    question = match_state.questions[seat]
    return question is not None and sent.asked == question.asked and not sent.orders


def _may_come_now(match_state: MatchState, seat: int, sent: Submission) -> bool:
    """Return True for lines that need no question, if they name an entry since the seat's last own one."""
    anytime = sent.orders or sent.lines[0].split(" ", 1)[0] in ("resign", "keys")
    return anytime and match_state.own[seat] <= sent.asked <= match_state.seq


def _check_question(match_state: MatchState, seat: int, sent: Submission, facts: SubmissionFacts) -> None:
    """Refuse lines that name neither the open question nor, if they may come at any time, a fitting entry."""
    question = match_state.questions[seat]
    if question is not None and _answers_question(match_state, seat, sent):
        prev = question.prev
    elif match_state.state.over:
        raise Problem("match-over", msg("play.match_over"))
    elif not _may_come_now(match_state, seat, sent):
        raise question_changed_problem(match_state, seat)
    else:
        prev = facts.asked_hash
    if sent.prev != prev:
        raise Problem("wrong-prev", msg("play.wrong_prev", seq=sent.asked, hash=prev), hash=prev)


def question_changed_problem(match_state: MatchState, seat: int) -> Problem:
    """Return the refusal of a move that answers a question which is no longer open."""
    if match_state.state.house.paused:
        detail = msg("play.paused")
    elif match_state.questions[seat] is None:
        detail = msg("play.not_your_turn")
    else:
        detail = msg("play.asked_something_else")
    return Problem("question-changed", detail, table=match_state, seat=seat)


def _prepare_entries(match_state: MatchState, seat: int, sent: Submission, facts: SubmissionFacts) -> PreparedEntries:
    making = PreparedEntries(match_state)
    for n, text in enumerate(sent.lines, 1):
        action, why = choose_action(making.match_state, seat, text)
        if action is None:
            if n == 1 and not (sent.orders and seat not in to_act(making.match_state.state)):
                raise refused_line_problem(making.match_state, seat, text, why)
            asked = seat in to_act(making.match_state.state) and not making.match_state.facts.game.rules.may_lapse(text)
            return (
                replace(making, why=f"{text}: {why}", reason=why) if asked or making.match_state.state.over else making
            )
        if sent.mail is None and sent.key not in making.match_state.keys[seat] and not making.made:
            entry, after = seat_keys.give_keys_to_seat(match_state, seat, facts.keys_with_new, facts.at)
            making = PreparedEntries(after, (entry,))
        by, proof = proof_of_line(sent, n, text, action)
        entry, after = next_entry(making.match_state, seat, action, by, facts.at, proof)
        making = PreparedEntries(after, (*making.entries, entry), (*making.made, action.line))
    return making


def choose_action(match_state: MatchState, seat: int, text: str) -> tuple[AnyAction | None, Explanation]:
    """Return the first legal line of a text that may name alternatives, or the reason why there is none."""
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
    """Return the attestation that an entry stores for a move by email."""
    return json.dumps(mail, sort_keys=True, separators=(",", ":"))


def proof_of_line(
    sent: Submission, n: int, text: str, action: AnyAction
) -> tuple[str | Callable[[str], str], LineProof]:
    """Return the proof of line `n` of a submission: the text of `by`, and the columns of its entry."""
    if sent.mail is not None:
        mail = sent.mail
        made_by = lambda salt: by_mail(salt, mail["received"], mail["door"], mail["raw"], mail["verdict"])  # noqa: E731
        return made_by, LineProof(mail=mail_attestation(mail))
    signature = sent.signatures[n - 1]
    chosen = text if text != action.line else None
    return by_signed(signature), LineProof(sent.asked, n, sent.key, signature, chosen, orders=sent.orders and n == 1)


def refused_line_problem(match_state: MatchState, seat: int, text: str, why: Explanation) -> Problem:
    """Return the refusal of a line that is not legal now, with the lines that are."""
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
    match_state: MatchState, seat: int, player: str, sent: Submission, facts: SubmissionFacts
) -> LogAddition[SubmissionResult]:
    """Return the entries and waiting lines that a submission adds, once its proof and question are checked."""
    making = _prepare_entries(match_state, seat, sent, facts)
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
        receipt=_sign_receipt(making.match_state, facts, sent.signatures),
        reason=making.reason,
    )
    stored = submissions.row_of(sent, player, accepted, facts.at)
    is_new_device = len(making.entries) > len(making.made)
    also = partial(_write_extras, match_state, player, sent, accepted, making.match_state.seq, is_new_device)
    plain = not waits and not sent.note and not is_new_device
    return LogAddition(
        match_state, making.entries, making.match_state, accepted, None if plain else also, submission=stored
    )


def _write_extras(
    match_state: MatchState, player: str, sent: Submission, accepted: SubmissionResult, seq: int, is_new_device: bool
) -> None:
    """Write everything that belongs to a submission except its entries and its own row."""
    if accepted.waiting:
        submissions.replace_waiting(accepted)
    if sent.note:
        notes.add(match_state.facts.id, player, accepted.seat, seq, sent.note)
    if is_new_device:
        seat_keys.queue_device_letter(match_state, player, sent.key)


def _sign_receipt(match_state: MatchState, facts: SubmissionFacts, signatures: tuple[str, ...]) -> dict[str, Any]:
    seq, hash_ = match_state.seq, match_state.hash
    return sign_receipt(
        facts.server, match=match_state.facts.id, seq=seq, hash_=hash_, at=facts.at, signatures=signatures
    )


def _withdrawal(match_state: MatchState, seat: int, facts: SubmissionFacts) -> LogAddition[SubmissionResult]:
    """Withdraw whatever waits for this seat, because an empty submission came."""
    match, receipt = match_state.facts.id, _sign_receipt(match_state, facts, ())
    result = SubmissionResult("", match, seat, (), 0, (), "", receipt)
    return LogAddition(match_state, (), match_state, result, partial(submissions.withdraw, match, seat), wake=False)

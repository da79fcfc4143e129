"""The inbox: every message is stored at once with its time of arrival, and read afterwards, once."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import structlog

from service.accounts.email_address import BadEmailAddress, canonicalise
from service.config import Config
from service.db.connection import DatabaseDown, execute, rows, write_transaction
from service.db.models.mail import InboxRow
from service.jobs import alarms, queue
from service.mail import reply_addresses
from service.mail.incoming import (
    incoming_letter,
    large_messages,
    match_replies,
    parse_message,
    parse_process,
    router,
    sender_checks,
)
from service.mail.incoming.answers import OPEN_STATES, MailOutcome
from service.mail.incoming.incoming_letter import IncomingLetter
from service.mail.job_payloads import AnswerLetter, MovesMadeAnswer, ReadInbox, receipt_key
from service.timestamps import DAY, HOUR, MINUTE, now

DOORS = ("smtp", "imap", "http")
MOST_RECIPIENTS = 10
RECEIPT_WAIT = 10 * MINUTE
"""How long the receipt of moves waits for another email of its match, in ms."""
INSERT = (
    "insert into inbox (id, received, door, sender, recipient, mime, digest, verdict, state, player, match, seat, "
    "result) values (?, ?, ?, ?, ?, ?, ?, 'none', 'new', ?, ?, ?, '') on conflict (id) do nothing"
)
UPDATE_STATE = (
    "update inbox set state = ?, result = ?, print = ?, verdict = ?, read_at = ?, player = coalesce(player, ?) "
    "where id = ?"
)
MOST_REFUSALS = 10
SELECT_SAME = (
    "select 1 from inbox where state in ('refused', 'answered', 'failed') "
    "and received > ? and player = ? and print = ? limit 1"
)
COUNT_REFUSALS = "select count(*) from inbox where state in ('refused', 'failed') and received > ? and player = ?"
COUNT_ANSWERS = (
    "select count(*) from inbox where state in ('refused', 'answered', 'failed') and received > ? and player = ?"
)
log = structlog.get_logger("mail")


def own_local_part(recipient: str, config: Config) -> str:
    """Return the local part of one of our addresses in lower case, or an empty string for any other."""
    try:
        address = canonicalise(recipient)
    except BadEmailAddress:
        return ""
    local, _, domain = address.partition("@")
    own = address == config.mail_from.lower() or (
        reply_addresses.has_reply_form(local) and domain == config.mail_domain.lower()
    )
    return local if own else ""


def store(
    raw: bytes,
    door: str,
    config: Config,
    *,
    envelope: str | None = None,
    recipients: tuple[str, ...] | None = None,
    received: int | None = None,
) -> tuple[str, ...]:
    """Store a message for each of our addresses that accepts its size. Return the ids of its rows.

    The same message has the same ids again.

    Without an envelope, leave out `envelope` and `recipients`: then the headers are used.
    """
    if door not in DOORS:
        raise KeyError(f"{door} is not a door; choose from {', '.join(DOORS)}")
    head = parse_message.parse_headers(raw)
    found = sender_checks.recipients(head) if recipients is None else recipients
    locals_ = dict.fromkeys(local for each in found if (local := own_local_part(each, config)))
    back = sender_checks.return_path(head) if envelope is None else envelope.strip() or "<>"
    came = min(received or now(), now())
    takers = tuple(local for local in list(locals_)[:MOST_RECIPIENTS] if large_messages.fits(raw, (local,)))
    return tuple(_store_for(raw, head, door, back, local, came) for local in takers)


def _store_for(raw: bytes, head: parse_message.ParsedMessage, door: str, back: str, local: str, came: int) -> str:
    digest, kept = message_fingerprint(raw, head, local), large_messages.shorten(raw)
    number = digest[:32]
    with write_transaction():
        asked = reply_addresses.find(local)
        place = (asked.player, asked.match, asked.seat) if asked else (None, None, None)
        if execute(INSERT, number, came, door, parse_message.strip_unstorable(back)[:320], local, kept, digest, *place):
            queue.add(ReadInbox(inbox=number), f"inbox:{number}")
    return number


def message_fingerprint(raw: bytes, head: parse_message.ParsedMessage, local: str) -> str:
    """Return a hash that is the same however often a message arrives: it ignores what servers add on the way."""
    fixed = [head.get(name) for name in ("message-id", "from", "date", "subject")]
    body = sha256(raw[parse_message.header_size(raw) :].replace(b"\r\n", b"\n").strip()).hexdigest()
    return sha256("\n".join([local, *fixed, body]).encode()).hexdigest()


def process(number: str, config: Config, *, due: bool = False) -> MailOutcome | None:
    """Read a stored message and carry out its request, or with `due` the one that was held. Skip it if done."""
    row = InboxRow.get_or_none(InboxRow.id == number)
    if row is None or row.state != ("held" if due else "new"):
        return None
    try:
        return _read(row, config, due=due)
    except DatabaseDown:
        raise
    except Exception as error:
        # An email that makes us fail must not stop the clock of its table for ever, not even by its headers.
        log.exception("letter", inbox=number)
        return _set_state(row.id, MailOutcome("failed", "fault", type(error).__name__), "none")


def _read(row: InboxRow, config: Config, *, due: bool) -> MailOutcome:
    """Read a stored message and carry out its request. Put it aside if it cannot be read."""
    try:
        letter = incoming_letter.from_row(row, parse_process.parse(bytes(row.mime)), config)
        return _record_outcome(letter, match_replies.handle_due(letter, row)) if due else _handle(letter)
    except parse_message.UnreadableMessage as error:
        return _put_aside(row, MailOutcome("ignored", "unreadable", error.why), config)
    except DatabaseDown:
        raise
    except Exception as error:
        log.exception("letter", inbox=row.id)
        return _put_aside(row, MailOutcome("failed", "fault", type(error).__name__), config)


def _put_aside(row: InboxRow, outcome: MailOutcome, config: Config) -> MailOutcome:
    """Put an unreadable email aside, so that it stops no clock. Its player gets one answer.

    Only its headers are read, which say whether a player wrote it. The operator is alerted if the fault is ours.
    """
    letter = incoming_letter.from_row(row, parse_message.parse_headers(bytes(row.mime)), config)
    exceeded = outcome.why in parse_process.EXCEEDED
    refusal = router.refuse_unread(letter, outcome.what, by_reply_address=exceeded)
    if outcome.state == "failed" or exceeded or (refusal is not None and outcome.why == parse_message.BROKEN):
        alarms.raise_alarm("mail-unread", f"{row.id} {outcome.why}")
    if refusal is None:
        return _set_state(row.id, outcome, "none")
    state = "failed" if outcome.state == "failed" else refusal.state
    return _record_outcome(letter, replace(refusal, state=state, why=outcome.why))


def _handle(letter: IncomingLetter) -> MailOutcome:
    """Carry out the request of an email in the transaction of its outcome, or before it if it appends to a log."""
    refusal = router.check_letter(letter)
    if refusal is not None:
        return _record_outcome(letter, refusal)
    if router.appends_to_log(letter):
        return _record_outcome(letter, router.handle_letter(letter))
    with write_transaction():
        return _record_outcome(letter, router.handle_letter(letter))


def _record_outcome(letter: IncomingLetter, outcome: MailOutcome) -> MailOutcome:
    """Record the outcome of an email and queue its answers, unless that would continue a loop."""
    with write_transaction():
        refusal = outcome.state in ("refused", "failed")
        counted = (refusal or outcome.state == "answered") and not outcome.once
        proved = letter.verdict == "pass" or (letter.reply_address is not None and not letter.is_forwardable)
        if counted and outcome.player and is_loop(outcome.player, outcome.print, refusal=refusal, proved=proved):
            state = "failed" if outcome.state == "failed" else "ignored"
            outcome = replace(outcome, state=state, why="repeated", answers=())
        last = counted and refusal and _is_last_refusal(outcome.player)
        for answer in outcome.answers:
            _queue_answer(letter, outcome, replace(answer, last=last))
        return _set_state(letter.id, outcome, letter.verdict)


def is_loop(player: str, print_: str, *, refusal: bool, proved: bool = True) -> bool:
    """Return True if this continues a loop: the same words again, or too many refusals in an hour.

    If the sender is not verified, answers of every kind count, because anybody could have them sent to somebody else.
    """
    at = now()
    since = at - (DAY if refusal else HOUR)
    if print_ and rows(SELECT_SAME, since, player, print_):
        return True
    if not proved:
        return int(rows(COUNT_ANSWERS, at - HOUR, player)[0][0]) >= MOST_REFUSALS
    return refusal and int(rows(COUNT_REFUSALS, at - HOUR, player)[0][0]) >= MOST_REFUSALS


def _is_last_refusal(player: str | None) -> bool:
    """Return True if the next refusal within the hour would be one too many. This one then says so."""
    return int(rows(COUNT_REFUSALS, now() - HOUR, player)[0][0]) == MOST_REFUSALS - 1


def _queue_answer(letter: IncomingLetter, outcome: MailOutcome, answer: AnswerLetter) -> None:
    """Queue an answer, unless it was queued before. Call inside a transaction."""
    job = replace(
        answer,
        player=outcome.player or "",
        inbox=letter.id,
        in_reply_to=letter.message_id,
        subject=letter.subject,
    )
    if isinstance(job, MovesMadeAnswer) and job.made and not job.dropped:
        # In the local mailbox somebody is waiting for the answer.
        wait = RECEIPT_WAIT if letter.config.smtp_url else 0
        queue.add(job, receipt_key(job.match or "", job.seat or 0, int(str(job.receipt["seq"]))), now() + wait)
        return
    key = f"answer:{outcome.once}" if outcome.once else f"answer:{letter.id}:{answer.label or ''}:{answer.kind}"
    queue.add(job, key)


def _set_state(number: str, outcome: MailOutcome, verdict: str) -> MailOutcome:
    with write_transaction():
        read_at = None if outcome.state in OPEN_STATES else now()
        execute(
            UPDATE_STATE, outcome.state, outcome.result, outcome.print or None, verdict, read_at, outcome.player, number
        )
    return outcome

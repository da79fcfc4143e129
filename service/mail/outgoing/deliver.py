"""Delivery: the job of an email composes and stores it once, and sends it, however long the mail server is down."""

from __future__ import annotations

from dataclasses import replace

import structlog

from service.accounts import cold_mail_quota, digest_schedule
from service.accounts.job_payloads import ConfirmLetter, RegisteredLetter, SignInCodeLetter, TokenCodeLetter
from service.config import Config
from service.db import letter_bytes
from service.db.connection import rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.jobs import queue
from service.jobs.payloads import LetterJob
from service.jobs.queue import Job, RetryLater
from service.jobs.work_metrics import LETTER_SECONDS
from service.mail.job_payloads import BeginLetter, ResendLetter
from service.mail.letters import compose, digest, invitation
from service.mail.letters.context import LetterContext
from service.mail.letters.move_answers import MatchNotResolved
from service.mail.letters.table_answers import LetterNotDue
from service.mail.outgoing import build_message, letter_ledger, refusals, smtp_client
from service.mail.outgoing.letter_ledger import LedgerLetter
from service.matches import erasure
from service.matches.job_payloads import CancelledLetter, InvitationLetter
from service.play.job_payloads import NotedLetter, TurnLetter
from service.timestamps import DAY, MINUTE, now

RESOLVE_WAIT = 300
ORDER_WAIT = 2_000
FIRST_WAIT = 15_000
LONGEST_WAIT = 5 * MINUTE
GIVE_UP_AFTER = 5 * DAY
ANSWERED = "the question was answered before the letter could go out"
ACCOUNT_KINDS = frozenset(kind.kind for kind in (TokenCodeLetter, SignInCodeLetter, ConfirmLetter, RegisteredLetter))
log = structlog.get_logger("letters")


def deliver_letter(job: Job[LetterJob], config: Config) -> None:
    """Compose, store and send the email of a job. Safe to repeat."""
    if isinstance(job.payload, CancelledLetter) and not job.payload.player:
        _fan_out(job.payload)
        return
    context = LetterContext(job.payload, config)
    if _defer_to_digest(context) or _keep_for_digest(job):
        return
    id_ = letter_ledger.letter_id(job.key)
    stored = letter_ledger.find(id_) or _write_letter(id_, context)
    if stored is not None and stored.is_waiting:
        # An email that was deferred is due later than it was written.
        _hand_over(stored, _withdrawal_reason(stored, context), min(job.due_at, stored.created_at), config)


def resend_letter(job: Job[ResendLetter], config: Config) -> None:
    """Send an email of the ledger again that an operator released. Safe to repeat."""
    stored = letter_ledger.find(job.payload.letter)
    if stored is not None and stored.is_waiting:
        _hand_over(stored, "" if letter_ledger.is_question_open(stored) else ANSWERED, job.due_at, config)


def _fan_out(letter: CancelledLetter) -> None:
    """Replace the email about a cancelled match by one for each player who waited."""
    with write_transaction():
        for player in invitation.cancellation_recipients(letter.match):
            queue.add(replace(letter, player=player), f"{letter.kind}:{letter.match}:{player}")


def _defer_to_digest(context: LetterContext[LetterJob]) -> bool:
    """Leave a turn to the next digest if the seat wants one. Return True if it was left."""
    seat = context.asked_seat if isinstance(context.job, TurnLetter) else None
    if seat is None or seat.letter_mode != "digest":
        return False
    with write_transaction():
        digest_schedule.schedule_next(seat.to.player or "", seat.digest_hour, seat.to.zone)
    return True


def _keep_for_digest(job: Job[LetterJob]) -> bool:
    """Keep an email about a tournament for the next digest of a player who wants one. Return True if it was kept."""
    letter = job.payload
    if not isinstance(letter, digest.DIGEST_KINDS):
        return False
    player = PlayerRow.get_or_none((PlayerRow.id == letter.player) & (PlayerRow.letters == "digest"))
    if player is None:
        return False
    with write_transaction():
        digest.keep_for_digest(job.key, letter)
        digest_schedule.schedule_next(player.id, player.digest_hour, player.zone)
    return True


def _write_letter(id_: str, context: LetterContext[LetterJob]) -> LedgerLetter | None:
    """Compose the email of a job and store it in the ledger. Return None if none is needed."""
    try:
        letter = compose(context)
    except LetterNotDue as error:
        raise RetryLater(error.due_at, "the email is held back for a while") from None
    except MatchNotResolved as error:
        raise RetryLater(now() + RESOLVE_WAIT, f"match {error} is not resolved yet") from None
    if letter is None or _is_told_elsewhere(context):
        return None
    asked = isinstance(context.job, BeginLetter | InvitationLetter) and context.job.asked
    if letter.scope == "address" and not asked:
        with write_transaction():
            if not cold_mail_quota.take(letter.to.address, now()):
                return None
    return build_message.store_letter(id_, letter, context.config)


def _is_told_elsewhere(context: LetterContext[LetterJob]) -> bool:
    """Return True for a turn whose question was sent, and for notes that an email about a turn will include."""
    seat = context.seat
    if seat is None or seat.asked is None or not isinstance(context.job, TurnLetter | NotedLetter):
        return False
    sent = letter_ledger.is_question_sent(seat.match, seat.number, seat.to.player or "", seat.asked)
    return sent if isinstance(context.job, TurnLetter) else not sent


def _hand_over(letter: LedgerLetter, withdrawn: str, due_at: int, config: Config) -> None:
    """Send an email that was first due then, or raise `RetryLater`.

    `withdrawn` says why it need not be sent any more, if so.
    """
    if withdrawn:
        letter_ledger.mark_withdrawn(letter, withdrawn)
        return
    if _is_suspended(letter):
        letter_ledger.mark_bounced(letter, "emails to this address bounced; answer one or confirm the address again")
        return
    if letter_ledger.has_older_waiting(letter):
        raise RetryLater(now() + ORDER_WAIT, "an older email of this match goes first")
    try:
        smtp_client.send(letter.return_path, letter.address, bytes(letter.mime or b""), config)
    except smtp_client.DeliveryRefused as error:
        log.warning("refused", letter=letter.id, why=str(error))
        _record_refusal(letter, str(error), address=error.address)
        return
    except smtp_client.DeliveryDeferred as error:
        if error.policy:
            refusals.report_policy(str(error))
        _defer(letter, str(error), refusals.POLICY_WAIT if error.policy else FIRST_WAIT)
        return
    letter_ledger.mark_accepted(letter)
    seconds = max(0, now() - due_at) / 1000
    LETTER_SECONDS.observe(seconds)
    log.info("sent", letter=letter.id, kind=letter.kind, match=letter.match, seconds=round(seconds, 3))


def _withdrawal_reason(stored: LedgerLetter, context: LetterContext[LetterJob]) -> str:
    """Return why an email need not go out any more, or an empty text."""
    job = context.job
    if stored.kind in letter_ledger.TURN_KINDS and context.asked_seat is None:
        return ANSWERED
    minutes = job.minutes if isinstance(job, TokenCodeLetter | SignInCodeLetter) else 0
    return "the code is no longer valid" if minutes and now() - stored.created_at > minutes * MINUTE else ""


def _is_suspended(letter: LedgerLetter) -> bool:
    """Return True if emails to this player bounce, so that only those about their account are sent."""
    if letter.player is None or letter.kind in ACCOUNT_KINDS:
        return False
    return bool(rows("select 1 from player where id = ? and bounced_at is not null", letter.player))


def _defer(letter: LedgerLetter, why: str, shortest: int) -> None:
    """Retry an email later, with longer and longer waits. Give it up after five days."""
    age = now() - letter.created_at
    if age > GIVE_UP_AFTER:
        letter_ledger.mark_bounced(letter, f"given up after five days: {why}")
        return
    letter_ledger.mark_deferred(letter, why)
    raise RetryLater(now() + max(shortest, min(LONGEST_WAIT, age // 4)), why)


def _record_refusal(letter: LedgerLetter, why: str, *, address: bool) -> None:
    """Record that a mail server refused an email for good. A refused address counts as a bounce.

    But only if it is refused again after a while, and other addresses are not refused with it.
    """
    if not address:
        letter_ledger.mark_bounced(letter, why)
        return
    times = letter_ledger.count_refusal(letter)
    if refusals.are_many_failing(now()):
        refusals.report_many(why)
        _defer(letter, why, refusals.POLICY_WAIT)
    elif times < refusals.BELIEVED_AFTER:
        _defer(letter, why, refusals.REPEAT_AFTER)
    elif letter_ledger.mark_bounced(letter, why) and letter.player is not None:
        with write_transaction():
            refusals.record_bounce(letter.player, why.partition(" ")[0])


def forget_old_letters(config: Config) -> None:
    """Drop the bytes of emails that were sent long enough ago, and addresses that nobody confirmed."""
    if config.keep_letter_bytes:
        letter_bytes.drop_bytes_before(now() - config.keep_letter_bytes * DAY)
    erasure.forget_unconfirmed_addresses(now())

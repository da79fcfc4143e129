"""Letters: a job becomes a letter once, which is handed over in its turn, however long the mail server is down."""

from __future__ import annotations

import structlog

from service.accounts import cold_mail_quota, digest_schedule
from service.config import Config
from service.db.connection import rows, write_transaction
from service.db.models.accounts import PlayerRow
from service.jobs import queue
from service.jobs.queue import Job, RetryLater
from service.mail import letters
from service.mail.letters import daily_digest, invitation
from service.mail.letters.context import LetterContext, Payload
from service.mail.letters.move_answers import MatchNotResolved
from service.mail.letters.table_answers import LetterNotDue
from service.mail.outgoing import build_message, letter_ledger, refusals, smtp_client
from service.mail.outgoing.letter_ledger import LedgerLetter
from service.matches import erasure
from service.timestamps import DAY, MINUTE, now

RESOLVE_WAIT = 300
ORDER_WAIT = 2_000
FIRST_WAIT = 15_000
LONGEST_WAIT = 5 * MINUTE
GIVE_UP_AFTER = 5 * DAY
CANCELLED = "cancelled"
ANSWERED = "the question was answered before the letter could go out"
CODE_KINDS = frozenset({"code", "enter"})
ACCOUNT_KINDS = CODE_KINDS | {"confirm", "registered"}
log = structlog.get_logger("letters")


def deliver_letter(job: Job, config: Config) -> None:
    """Write and hand over the letter that a job asks for; safe to repeat."""
    if not job.payload or _fan_out(job.payload):
        return
    context = LetterContext(job.payload, config)
    if _defer_to_digest(context) or _keep_for_digest(job):
        return
    id_ = letters.letter_id(job.key)
    stored = letter_ledger.find(id_)
    if stored is None:
        stored = _write_letter(id_, context)
    if stored is not None and stored.is_waiting:
        _hand_over(stored, _withdrawal_reason(stored, context), config)


def resend_letter(job: Job, config: Config) -> None:
    """Hand over a letter of the ledger that an operator sends again; safe to repeat."""
    stored = letter_ledger.find(job.payload["letter"])
    if stored is not None and stored.is_waiting:
        _hand_over(stored, "" if letter_ledger.is_question_open(stored) else ANSWERED, config)


def _fan_out(payload: Payload) -> bool:
    """Replace the job about a cancelled match by one for each player; return True if it was that job."""
    if payload["kind"] != CANCELLED or "player" in payload:
        return False
    match = payload["match"]
    with write_transaction():
        for player in invitation.cancellation_recipients(match):
            queue.add("letter", f"{CANCELLED}:{match}:{player}", {**payload, "player": player})
    return True


def _defer_to_digest(context: LetterContext) -> bool:
    """Leave a turn to the next digest of a seat that wants one: one letter at the chosen hour for all that waits."""
    seat = context.asked_seat if context.kind == "turn" else None
    if seat is None or seat.letter_mode != "digest":
        return False
    with write_transaction():
        digest_schedule.schedule_next(seat.to.player or "", seat.digest_hour, seat.to.zone)
    return True


def _keep_for_digest(job: Job) -> bool:
    """Keep news of a tournament for the next digest of who wants one letter a day; whether it was kept."""
    if job.payload["kind"] not in daily_digest.DIGEST_KINDS:
        return False
    wants = (PlayerRow.id == job.payload["player"]) & (PlayerRow.letters == "digest")
    player = PlayerRow.get_or_none(wants)
    if player is None:
        return False
    with write_transaction():
        daily_digest.keep_for_digest(job.key, player.id, job.payload)
        digest_schedule.schedule_next(player.id, player.digest_hour, player.zone)
    return True


def _write_letter(id_: str, context: LetterContext) -> LedgerLetter | None:
    """Write the letter of a job into the ledger; nothing if none is needed."""
    try:
        letter = letters.compose(context)
    except LetterNotDue as error:
        raise RetryLater(error.due_at, "the email is held back for a while") from None
    except MatchNotResolved as error:
        raise RetryLater(now() + RESOLVE_WAIT, f"match {error} is not resolved yet") from None
    if letter is None or (context.kind == "turn" and _is_question_sent(context)):
        return None
    if context.kind == "noted" and not _is_question_sent_or_none(context):
        return None
    if letter.scope == "address" and not context.payload.get("asked"):
        with write_transaction():
            if not cold_mail_quota.take(letter.to.address, now()):
                return None
    return build_message.store_letter(id_, letter, context.config)


def _is_question_sent_or_none(context: LetterContext) -> bool:
    """Whether no letter about a turn is due that would tell the same: nothing is asked, or the letter has gone."""
    seat = context.own_seat
    return (
        seat is None
        or seat.asked is None
        or letter_ledger.is_question_sent(seat.match, seat.number, seat.to.player or "", seat.asked)
    )


def _is_question_sent(context: LetterContext) -> bool:
    seat = context.asked_seat
    return seat is not None and letter_ledger.is_question_sent(
        seat.match, seat.number, seat.to.player or "", context.payload["asked"]
    )


def _hand_over(letter: LedgerLetter, withdrawn: str, config: Config) -> None:
    """Hand a letter over, or say when to try again; `withdrawn` is why it need not go out any more, or nothing."""
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


def _withdrawal_reason(letter: LedgerLetter, context: LetterContext) -> str:
    """Why a letter need not go out any more, or nothing."""
    if letter.kind in letters.TURN_KINDS and context.asked_seat is None:
        return ANSWERED
    if letter.kind in CODE_KINDS and now() - letter.created_at > context.payload["minutes"] * MINUTE:
        return "the code is no longer valid"
    return ""


def _is_suspended(letter: LedgerLetter) -> bool:
    """Whether letters to this player come back, so that only what they ask for themselves is sent."""
    if letter.player is None or letter.kind in ACCOUNT_KINDS:
        return False
    return bool(rows("select 1 from player where id = ? and bounced_at is not null", letter.player))


def _defer(letter: LedgerLetter, why: str, shortest: int) -> None:
    """Try a letter again later, the longer it waits the later; one that has waited for days is given up."""
    age = now() - letter.created_at
    if age > GIVE_UP_AFTER:
        letter_ledger.mark_bounced(letter, f"given up after five days: {why}")
        return
    letter_ledger.mark_deferred(letter, why)
    raise RetryLater(now() + max(shortest, min(LONGEST_WAIT, age // 4)), why)


def _record_refusal(letter: LedgerLetter, why: str, *, address: bool) -> None:
    """A mail server refused the letter for good; where that is because of the address, it counts as a bounce.

    An address is believed to be bad when it is refused again after a while, and others are not refused with it.
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
    """Drop the bytes of old letters, and addresses that nobody confirmed."""
    if config.keep_letter_bytes:
        letter_ledger.drop_bytes_before(now() - config.keep_letter_bytes * DAY)
    erasure.forget_unconfirmed_addresses(now())

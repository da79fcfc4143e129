"""Letters: a job becomes a letter once, which is handed over in its turn, however long the mail server is down."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import structlog

from service.accounts import cold_mail_quota, digest_schedule
from service.config import Config
from service.db.connection import rows, write_transaction
from service.jobs import outbox
from service.jobs.outbox import RetryLater
from service.mail import letters
from service.mail.incoming import bounces
from service.mail.letters import invitation, league, turn
from service.mail.letters.context import load_context
from service.mail.letters.move_replies import MatchNotResolved
from service.mail.outgoing import outbox as ledger
from service.mail.outgoing import smtp_client, write
from service.mail.outgoing.outbox import OutboxLetter
from service.matches import erasure
from service.timestamps import DAY, MINUTE, now

RESOLVE_WAIT = 300
ORDER_WAIT = 2_000
FIRST_WAIT = 15_000
LONGEST_WAIT = 5 * MINUTE
GIVE_UP_AFTER = 5 * DAY
RECIPIENTS_BY_KIND = {
    "cancelled": ("match", invitation.cancellation_recipients),
    "league-over": ("league", league.league_recipients),
}
"""Letters to several people: what they are about, and who gets one."""
ACCOUNT_KINDS = frozenset({"confirm", "registered", "code"})
log = structlog.get_logger("letters")
Payload = Mapping[str, Any]


def deliver_letter(payload: Payload, config: Config) -> None:
    """Write and hand over the letter that a job asks for; safe to repeat."""
    if not payload or _fan_out(payload) or _defer_to_digest(payload):
        return
    id_ = letters.letter_id(_job_key(payload))
    kept = ledger.find(id_)
    if kept is None:
        kept = _write_letter(id_, payload, config)
    if kept is not None and kept.waits:
        _hand_over(kept, payload, config)


def _job_key(payload: Payload) -> str:
    """The key of the job that is being done, since the same words may be due again another day."""
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    sql = (
        "select key from job where topic = 'letter' and done_at is null and dead_at is null and lease_until >= ? "
        "and payload = ? order by id limit 1"
    )
    found = rows(sql, now(), text)
    return str(found[0][0]) if found else letters.fallback_key(payload)


def _fan_out(payload: Payload) -> bool:
    """A job that concerns several people becomes one for each."""
    kind = payload["kind"]
    if kind not in RECIPIENTS_BY_KIND or "player" in payload:
        return False
    name, everybody = RECIPIENTS_BY_KIND[kind]
    with write_transaction():
        for player in everybody(payload[name]):
            outbox.add("letter", f"{kind}:{payload[name]}:{player}", {**payload, "player": player})
    return True


def _defer_to_digest(payload: Payload) -> bool:
    """A turn of a seat that wants a digest waits for that: one letter at the chosen hour for all that waits then."""
    if payload["kind"] != "turn":
        return False
    at = turn.load_if_asked(payload)
    if at is None or at.wants != "digest":
        return False
    with write_transaction():
        digest_schedule.schedule_next(at.to.player or "", at.digest_hour, at.to.zone)
    return True


def _write_letter(id_: str, payload: Payload, config: Config) -> OutboxLetter | None:
    """The letter of this job, new in the ledger; nothing if none is needed."""
    try:
        letter = letters.compose(payload, config)
    except MatchNotResolved as error:
        raise RetryLater(now() + RESOLVE_WAIT, f"match {error} is not resolved yet") from None
    if letter is None:
        return None
    if payload["kind"] == "turn" and _is_question_sent(payload):
        return None
    if letter.scope == "address":
        with write_transaction():
            if not cold_mail_quota.take(letter.to.address, now()):
                return None
    return write.store_letter(id_, letter, config)


def _is_question_sent(payload: Payload) -> bool:
    at = load_context(payload["match"], payload["seat"])
    return at is not None and ledger.is_question_sent(
        payload["match"], payload["seat"], at.to.player or "", payload["asked"]
    )


def _hand_over(kept: OutboxLetter, payload: Payload, config: Config) -> None:
    """Hand a letter over, or say when to try again."""
    why = _withdrawal_reason(kept, payload)
    if why:
        ledger.mark_withdrawn(kept, why)
        return
    if _is_suspended(kept):
        ledger.mark_bounced(kept, "letters to this address came back; answer or confirm it again")
        return
    if ledger.has_older_waiting(kept):
        raise RetryLater(now() + ORDER_WAIT, "an older letter of this match goes first")
    try:
        smtp_client.send(kept.return_path, kept.address, bytes(kept.mime or b""), config)
    except smtp_client.DeliveryRefused as error:
        log.warning("refused", letter=kept.id, why=str(error))
        _record_refusal(kept, str(error), address=error.address)
        return
    except smtp_client.DeliveryDeferred as error:
        age = now() - kept.created_at
        if age > GIVE_UP_AFTER:
            ledger.mark_bounced(kept, f"given up after five days: {error}")
            return
        ledger.mark_deferred(kept, str(error))
        raise RetryLater(now() + max(FIRST_WAIT, min(LONGEST_WAIT, age // 4)), str(error)) from None
    ledger.mark_accepted(kept)


def _withdrawal_reason(kept: OutboxLetter, payload: Payload) -> str:
    """Why a letter need not go out any more, or nothing."""
    if kept.kind in letters.TURN_KINDS and turn.load_if_asked(payload) is None:
        return "the question was answered before the letter could go out"
    if kept.kind == "code" and now() - kept.created_at > payload["minutes"] * MINUTE:
        return "the code is no longer good"
    return ""


def _is_suspended(kept: OutboxLetter) -> bool:
    """Whether letters to this player come back, so that only what they ask for themselves is sent."""
    if kept.player is None or kept.kind in ACCOUNT_KINDS:
        return False
    return bool(rows("select 1 from player where id = ? and bounced_at is not null", kept.player))


def _record_refusal(kept: OutboxLetter, why: str, *, address: bool) -> None:
    """A mail server refused the letter for good; where that is because of the address, it counts as a bounce."""
    if not ledger.mark_bounced(kept, why) or not address or kept.player is None:
        return
    with write_transaction():
        bounces.record_bounce(kept.player, why.partition(" ")[0])


def forget_old_letters(_config: Config) -> None:
    """Drop the bytes of old letters, and addresses that nobody confirmed."""
    ledger.drop_old_bytes(now())
    erasure.forget_unconfirmed_addresses(now())

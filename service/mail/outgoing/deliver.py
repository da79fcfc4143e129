"""Letters: a job becomes a letter once, which is handed over in its turn, however long the mail server is down."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import structlog

from service.accounts import cold_mail_quota as unasked
from service.accounts import digest_schedule as slots
from service.config import Config
from service.db.connection import rows, writing
from service.jobs import outbox as jobs
from service.mail import letters as compose
from service.mail.incoming import bounces as bounced
from service.mail.letters import invitation as openings
from service.mail.letters import league as leagues
from service.mail.letters import turn as turns
from service.mail.letters.context import desk
from service.mail.letters.move_replies import NotYet
from service.mail.outgoing import outbox as ledger
from service.mail.outgoing import smtp_client as carrier
from service.mail.outgoing import write as out
from service.mail.outgoing.outbox import Kept
from service.matches import erasure as forgetting
from service.timestamps import now
from worker.tasks import Later

MINUTE, DAY = 60_000, 86_400_000
SOON = 300
IN_TURN = 2_000
FIRST_WAIT = 15_000
LONGEST_WAIT = 5 * MINUTE
PATIENCE = 5 * DAY
SPREAD = {"cancelled": ("match", openings.waited), "league-over": ("league", leagues.people)}
"""Letters to several people: what they are about, and who gets one."""
ACCOUNT = frozenset({"confirm", "registered", "code"})
log = structlog.get_logger("letters")
Payload = Mapping[str, Any]


def do(payload: Payload, config: Config) -> None:
    """Write and hand over the letter that a job asks for; safe to repeat."""
    if not payload or _spread(payload) or _gathered(payload):
        return
    id_ = compose.name(_key(payload))
    kept = ledger.find(id_)
    if kept is None:
        kept = _written(id_, payload, config)
    if kept is not None and kept.waits:
        _hand_over(kept, payload, config)


def _key(payload: Payload) -> str:
    """The key of the job that is being done, since the same words may be due again another day."""
    text = json.dumps(payload, ensure_ascii=False, separators=(",", ":"))
    sql = (
        "select key from job where topic = 'letter' and done_at is null and dead_at is null and lease_until >= ? "
        "and payload = ? order by id limit 1"
    )
    found = rows(sql, now(), text)
    return str(found[0][0]) if found else compose.key(payload)


def _spread(payload: Payload) -> bool:
    """A job that concerns several people becomes one for each."""
    kind = payload["kind"]
    if kind not in SPREAD or "player" in payload:
        return False
    name, everybody = SPREAD[kind]
    with writing():
        for player in everybody(payload[name]):
            jobs.add("letter", f"{kind}:{payload[name]}:{player}", {**payload, "player": player})
    return True


def _gathered(payload: Payload) -> bool:
    """A turn of a seat that wants a digest waits for that: one letter at the chosen hour for all that waits then."""
    if payload["kind"] != "turn":
        return False
    at = turns.standing(payload)
    if at is None or at.wants != "digest":
        return False
    with writing():
        slots.gather(at.to.player or "", at.digest_hour, at.to.zone)
    return True


def _written(id_: str, payload: Payload, config: Config) -> Kept | None:
    """The letter of this job, new in the ledger; nothing if none is needed."""
    try:
        letter = compose.compose(payload, config)
    except NotYet as error:
        raise Later(now() + SOON, f"match {error} is not resolved yet") from None
    if letter is None:
        return None
    if payload["kind"] == "turn" and _covered(payload):
        return None
    if letter.scope == "address":
        with writing():
            if not unasked.take(letter.to.address, now()):
                return None
    return out.keep(id_, letter, config)


def _covered(payload: Payload) -> bool:
    at = desk(payload["match"], payload["seat"])
    return at is not None and ledger.covered(payload["match"], payload["seat"], at.to.player or "", payload["asked"])


def _hand_over(kept: Kept, payload: Payload, config: Config) -> None:
    """Hand a letter over, or say when to try again."""
    why = _pointless(kept, payload)
    if why:
        ledger.withdrawn(kept, why)
        return
    if _suspended(kept):
        ledger.bounced(kept, "letters to this address came back; answer or confirm it again")
        return
    if ledger.before(kept):
        raise Later(now() + IN_TURN, "an older letter of this match goes first")
    try:
        carrier.carry(kept.return_path, kept.address, bytes(kept.mime or b""), config)
    except carrier.Refused as error:
        log.warning("refused", letter=kept.id, why=str(error))
        _refused(kept, str(error), address=error.address)
        return
    except carrier.Deferred as error:
        age = now() - kept.created_at
        if age > PATIENCE:
            ledger.bounced(kept, f"given up after five days: {error}")
            return
        ledger.deferred(kept, str(error))
        raise Later(now() + max(FIRST_WAIT, min(LONGEST_WAIT, age // 4)), str(error)) from None
    ledger.accepted(kept)


def _pointless(kept: Kept, payload: Payload) -> str:
    """Why a letter need not go out any more, or nothing."""
    if kept.kind in compose.STANDING and turns.standing(payload) is None:
        return "the question was answered before the letter could go out"
    if kept.kind == "code" and now() - kept.created_at > payload["minutes"] * MINUTE:
        return "the code is no longer good"
    return ""


def _suspended(kept: Kept) -> bool:
    """Whether letters to this player come back, so that only what they ask for themselves is sent."""
    if kept.player is None or kept.kind in ACCOUNT:
        return False
    return bool(rows("select 1 from player where id = ? and bounced_at is not null", kept.player))


def _refused(kept: Kept, why: str, *, address: bool) -> None:
    """A mail server refused the letter for good; where that is because of the address, it counts as a bounce."""
    if not ledger.bounced(kept, why) or not address or kept.player is None:
        return
    with writing():
        bounced.count(kept.player, why.partition(" ")[0])


def tidy(_config: Config) -> None:
    """Drop the bytes of old letters, and addresses that nobody confirmed."""
    ledger.forget_old(now())
    forgetting.unconfirmed(now())

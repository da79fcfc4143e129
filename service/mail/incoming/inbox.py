"""The inbox: every message is kept at once with the time it came, and read afterwards, once."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import structlog

from service.accounts.email_address import BadAddress, canonical
from service.config import Config
from service.db.connection import Down, run, writing
from service.db.models import Inbox
from service.jobs import outbox as jobs
from service.mail import reply_addresses as addresses
from service.mail.incoming import answers
from service.mail.incoming import incoming_letter as incoming
from service.mail.incoming import match_replies as place
from service.mail.incoming import parse_message as mime
from service.mail.incoming import router as post
from service.mail.incoming import sender_checks as sender
from service.mail.incoming.answers_outcome import OPEN, Outcome, Work
from service.mail.incoming.incoming_letter import Incoming
from service.timestamps import now

DOORS = ("smtp", "imap", "http")
KEPT = 366 * 86_400_000
MOST_RECIPIENTS = 10
INSERT = (
    "insert into inbox (id, received, door, sender, recipient, mime, digest, verdict, state, player, match, seat, "
    "result) values (?, ?, ?, ?, ?, ?, ?, 'none', 'new', ?, ?, ?, '') on conflict (id) do nothing"
)
SET = "update inbox set state = ?, result = ?, verdict = ?, read_at = ?, player = coalesce(player, ?) where id = ?"
log = structlog.get_logger("mail")


def ours(recipient: str, config: Config) -> str:
    """The local part of an address that is one of ours, in lower case; nothing for any other."""
    try:
        address = canonical(recipient)
    except BadAddress:
        return ""
    local, _, domain = address.partition("@")
    own = address == config.mail_from.lower() or (addresses.is_ours(local) and domain == config.mail_domain.lower())
    return local if own else ""


def take(
    raw: bytes,
    door: str,
    config: Config,
    *,
    envelope: str | None = None,
    recipients: tuple[str, ...] | None = None,
    received: int | None = None,
) -> tuple[str, ...]:
    """Keep a message for each of our addresses it came to; the ids of its rows, the same ones for the same message.

    A door that knows no envelope leaves `envelope` and `recipients` out: then the headers are asked.
    """
    if door not in DOORS:
        raise KeyError(f"{door} is no door; there are {', '.join(DOORS)}")
    head = mime.headers(raw)
    found = sender.recipients(head) if recipients is None else recipients
    locals_ = dict.fromkeys(local for each in found if (local := ours(each, config)))
    back = sender.returned_to(head) if envelope is None else envelope.strip() or "<>"
    came = min(received or now(), now())
    return tuple(_keep(raw, head, door, back, local, came) for local in list(locals_)[:MOST_RECIPIENTS])


def _keep(raw: bytes, head: mime.Mail, door: str, back: str, local: str, came: int) -> str:
    digest = fingerprint(raw, head, local)
    number = digest[:32]
    with writing():
        asked = addresses.find(local)
        place = (asked.player, asked.match, asked.seat) if asked else (None, None, None)
        if run(INSERT, number, came, door, mime.sound(back)[:320], local, raw, digest, *place):
            jobs.add("inbox", f"inbox:{number}", {"inbox": number})
    return number


def fingerprint(raw: bytes, head: mime.Mail, local: str) -> str:
    """The same for the same message, however often it came: what servers add on the road is left out."""
    fixed = [head.get(name) for name in ("message-id", "from", "date", "subject")]
    body = sha256(raw[mime.header_size(raw) :].replace(b"\r\n", b"\n").strip()).hexdigest()
    return sha256("\n".join([local, *fixed, body]).encode()).hexdigest()


def read(number: str, config: Config, *, due: bool = False) -> Outcome | None:
    """Read a kept message and do what it asks, or with `due` what it asked when it was held; nothing if done."""
    row = Inbox.get_or_none(Inbox.id == number)
    if row is None or row.state != ("held" if due else "new"):
        return None
    try:
        letter = incoming.of(row, mime.parsed(bytes(row.mime)), config)
        return _done(letter, place.due(row) if due else post.work(letter, row.sender))
    except mime.Unreadable as error:
        return _settled(row.id, Outcome("ignored", "unreadable", error.why), "none")
    except Down:
        raise
    except Exception as error:
        # A letter that breaks us must not stop the clock of its table for ever: it is put aside for people to look at.
        log.exception("letter", inbox=number)
        return _settled(row.id, Outcome("failed", "fault", type(error).__name__), "none")


def _done(letter: Incoming, work: Work) -> Outcome:
    if not work.together:
        outcome = work.do()
        with writing():
            return _told(letter, outcome)
    with writing():
        return _told(letter, work.do())


def _told(letter: Incoming, outcome: Outcome) -> Outcome:
    """Write down what became of a letter and queue its answers, unless that would be the next round of a loop."""
    refusal = outcome.state == "refused"
    counted = (refusal or outcome.state == "answered") and not any(answer.once for answer in outcome.answers)
    if counted and outcome.player and answers.too_often(outcome.player, outcome.print, refusal=refusal):
        outcome = replace(outcome, state="ignored", why="repeated", answers=())
    for answer in outcome.answers:
        answers.queue(letter, answer)
    return _settled(letter.id, outcome, letter.verdict)


def _settled(number: str, outcome: Outcome, verdict: str) -> Outcome:
    with writing():
        read_at = None if outcome.state in OPEN else now()
        run(SET, outcome.state, outcome.result, verdict, read_at, outcome.player, number)
    return outcome


def forget_old(at: int) -> int:
    """Drop messages kept for a year, and reply addresses whose time is over; how many messages."""
    with writing():
        addresses.forget_old(at)
        return run("delete from inbox where received < ? and read_at is not null", at - KEPT)

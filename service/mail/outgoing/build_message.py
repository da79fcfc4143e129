"""Emails as MIME messages: text, HTML and inline pictures; threads, reply addresses, return paths, signatures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import format_datetime, parseaddr
from functools import lru_cache
from pathlib import Path
from typing import Any

import dkim

from service.config import Config
from service.db.connection import rows, write_transaction
from service.i18n.catalogue import translate
from service.jobs import queue
from service.mail import reply_addresses, unsubscribe
from service.mail.job_payloads import MovesMadeAnswer
from service.mail.letters.blocks import Letter, SmallPrint
from service.mail.outgoing import letter_ledger
from service.mail.render import mime as envelope
from service.mail.render.html import render_html
from service.mail.render.text import render_text
from service.mail.reply_addresses import ReplyAddress
from service.timestamps import now

DKIM_HEADERS = tuple(
    "from to subject date message-id in-reply-to references reply-to mime-version content-type auto-submitted list-id "
    "list-unsubscribe list-unsubscribe-post feedback-id echtra-receipt".split()
)
SELECT_PREVIOUS = (
    "select message_id from letter where match = ? and address = ? and state <> 'bounced' "
    "order by created_at desc, id desc limit 1"
)

SELECT_SUBJECT = (
    "select subject from letter where match = ? and address = ? and seat is not null order by created_at, id limit 1"
)
SELECT_RECEIPT = "select payload from job where key = ? and done_at is null and dead_at is null"
SELECT_VERDICT = "select verdict from inbox where player = ? and state <> 'new' order by received desc limit 1"
RECEIPT_HEADER = "Echtra-Receipt"
LINK_KINDS = frozenset({"turn", "digest", "list"})
"""Purposes of emails with numbered lines, to which links reply."""


@dataclass(frozen=True)
class LetterAddresses:
    """The addresses for replies to an email, for replies by its links, and for delivery reports."""

    reply_to: str
    link_to: str
    """Used in links, which a forwarded email passes on: mail to it counts only if a mail server vouches for it."""
    return_path: str


FOOT_BY_KIND = {
    "hook-disabled": "foot.hook",
    "device": "foot.device",
    "claim": "foot.device",
    "claim-seat": "foot.table",
}
"""The footers of emails that nobody requested and nobody can stop."""


def store_letter(id_: str, letter: Letter, config: Config) -> letter_ledger.LedgerLetter | None:
    """Render an email and store it with its reply addresses. Return the stored one if another worker was first.

    Emails to a seat keep the subject of the first one, whatever names have changed since, and the next one that tells
    what happened carries the receipt of the seat's last move.
    """
    letter = _join_conversation(letter)
    addresses, drawn = draw_addresses(id_, letter, config)
    mime = render_message(id_, letter, addresses, config)
    with write_transaction():
        stored = letter_ledger.insert(id_, letter, message_id(id_, config), addresses.return_path, mime)
        if stored is not None:
            reply_addresses.insert(drawn)
            queue.cancel_all([letter.receipt_key] if letter.receipt else [])
    return stored or letter_ledger.find(id_)


def _join_conversation(letter: Letter) -> Letter:
    """Return an email with the subject of its match, and with the receipt that waits to be sent with it, if any."""
    if letter.seat is None:
        return letter
    first = rows(SELECT_SUBJECT, letter.match, letter.to.address)
    waiting = rows(SELECT_RECEIPT, letter.receipt_key) if letter.kind in letter_ledger.STORY_KINDS else []
    receipt = MovesMadeAnswer.from_json(waiting[0][0]).receipt if waiting else {}
    return replace(letter, subject=first[0][0] if first else letter.subject, receipt=receipt)


def draw_addresses(id_: str, letter: Letter, config: Config) -> tuple[LetterAddresses, list[ReplyAddress]]:
    """Draw the addresses of an email. Return them in the form that the email shows, and in the form to insert."""
    drawn: list[ReplyAddress] = []

    def draw(kind: str, asked: int = 0, payload: Mapping[str, Any] | None = None) -> str:
        local, about = reply_addresses.draw(), (letter.match, letter.seat, asked, letter.to.player)
        drawn.append(ReplyAddress(reply_addresses.hash_address(local), *about, kind, payload or {}, id_))
        return f"{local}@{config.mail_domain}"

    asks = letter.reply_purpose
    reply_to = draw(asks.kind, asks.asked, asks.payload) if asks is not None else ""
    link_to = ""
    if asks is not None and letter.scope and letter.to.player is not None:
        # An email that asks for a yes has no links: this address only unsubscribes.
        rest = "turn" if letter.seat is not None else "list"
        own = {"kind": asks.kind, "payload": asks.payload} if asks.kind in LINK_KINDS else {"kind": rest, "payload": {}}
        link_to = draw("link", asks.asked, own)
    return LetterAddresses(reply_to, link_to, draw("bounce")), drawn


def _is_vouched_for(player: str | None, config: Config) -> bool:
    """Return True if a reply by a link would count, since a mail server vouched for the player's latest email.

    In the local mailbox links reply to the email itself.
    """
    if not config.smtp_url:
        return True
    if not config.authserv_id:
        return False
    latest = rows(SELECT_VERDICT, player)
    return not latest or latest[0][0] == "pass"


def render_message(id_: str, letter: Letter, addresses: LetterAddresses, config: Config) -> bytes:
    """Return an email as a signed MIME message."""
    stop = unsubscribe.url(id_, config) if letter.scope else ""
    above = [SmallPrint(translate(letter.to.locale, "answer.above"))] if letter.reply_purpose else []
    whole = replace(letter, blocks=(*above, *letter.blocks, *_web_links(letter, config), _footer(letter, stop)))
    content_id = f"{id_}@{config.mail_domain}"
    mime = envelope.build_message(
        _build_headers(id_, letter, addresses, stop, config),
        render_text(whole),
        render_html(whole, addresses.link_to if _is_vouched_for(letter.to.player, config) else "", content_id),
        {picture.cid(content_id): picture.png for picture in whole.pictures},
        id_,
    )
    return sign_dkim(mime, config)


def _web_links(letter: Letter, config: Config) -> list[SmallPrint]:
    """Return links to the page of the match, if the reader may see it, and to the rules of its game."""
    matches = rows("select game, visibility from match where id = ?", letter.match) if letter.match else []
    if not matches:
        return []
    (game, visibility), locale = matches[0], letter.to.locale
    rules = SmallPrint(translate(locale, "foot.rules"), f"{config.url}/games/{game}")
    if visibility != "open" and not letter.to.player:
        return [rules]
    return [SmallPrint(translate(locale, "foot.page"), f"{config.url}/matches/{letter.match}"), rules]


def _footer(letter: Letter, stop: str) -> SmallPrint:
    """Tell why this email was sent, and how to get fewer."""
    locale = letter.to.locale
    if stop:
        return SmallPrint(translate(locale, f"foot.{letter.scope}"), stop, translate(locale, "foot.fewer"))
    return SmallPrint(translate(locale, FOOT_BY_KIND.get(letter.kind, "foot.once")))


def _build_headers(id_: str, letter: Letter, addresses: LetterAddresses, stop: str, config: Config) -> dict[str, str]:
    domain, to, own = config.mail_domain, letter.to, parseaddr(config.mail_from)[1]
    headers = {
        "From": envelope.format_address("Echtra", own),
        "To": envelope.format_address(to.name, to.address),
        "Subject": envelope.encode_words(letter.subject),
        "Date": format_datetime(datetime.fromtimestamp(now() // 1000, UTC)),
        "Message-ID": message_id(id_, config),
        **_thread_headers(letter, domain),
    }
    if addresses.reply_to:
        headers["Reply-To"] = envelope.format_address("Echtra", addresses.reply_to)
    headers["Auto-Submitted"] = "auto-replied" if letter.in_reply_to else "auto-generated"
    headers |= {"X-Auto-Response-Suppress": "All", envelope.LOOP_HEADER: domain, "Content-Language": to.locale}
    if letter.match is not None:
        headers["List-Id"] = f"Echtra <{letter.match}.matches.{domain}>"
    headers["Feedback-ID"] = f"{letter.kind}:{letter.scope or 'once'}:{domain}:echtra"
    if letter.receipt:
        headers[RECEIPT_HEADER] = json.dumps(dict(letter.receipt))
    if stop:
        stop_at = addresses.link_to or addresses.reply_to or own
        headers["List-Unsubscribe"] = f"<{stop}>, <mailto:{stop_at}?subject=stop&body=stop>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return headers


def message_id(id_: str, config: Config) -> str:
    """Return the Message-ID of an email, the same each time it is sent."""
    return f"<{id_}@{config.mail_domain}>"


def _thread_headers(letter: Letter, domain: str) -> dict[str, str]:
    """Return the headers that make one thread of a match: a root that no email has, and the previous emails."""
    if letter.match is None:
        return {"In-Reply-To": letter.in_reply_to, "References": letter.in_reply_to} if letter.in_reply_to else {}
    chain = [f"<match.{letter.match}@{domain}>"]
    chain += [previous for (previous,) in rows(SELECT_PREVIOUS, letter.match, letter.to.address)]
    chain += [letter.in_reply_to] if letter.in_reply_to else []
    return {"In-Reply-To": chain[-1], "References": " ".join(chain)}


def sign_dkim(mime: bytes, config: Config) -> bytes:
    """Return the message with our DKIM signature, if a key is configured."""
    if not config.dkim_key:
        return mime
    domain = parseaddr(config.mail_from)[1].partition("@")[2]
    names = [name.encode() for name in DKIM_HEADERS]
    signature: bytes = dkim.sign(
        mime,
        config.dkim_selector.encode(),
        domain.encode(),
        _read_dkim_key(config.dkim_key),
        include_headers=_present_headers(mime, names),
    )
    return signature + mime


@lru_cache(maxsize=4)
def _read_dkim_key(path: str) -> bytes:
    return Path(path).read_bytes()


def _present_headers(mime: bytes, names: list[bytes]) -> list[bytes]:
    head = mime.partition(b"\r\n\r\n")[0].lower()
    found = {line.partition(b":")[0] for line in head.split(b"\r\n")}
    return [name for name in names if name in found]

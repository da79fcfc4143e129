"""Letters as MIME messages: text, HTML and inline pictures; threads, reply addresses, return paths, signatures."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import format_datetime, parseaddr
from functools import lru_cache
from pathlib import Path

import dkim

from service.config import Config
from service.db.connection import rows, write_transaction
from service.i18n.catalogue import translate
from service.mail import reply_addresses, unsubscribe
from service.mail.incoming.sender_checks import LOOP_HEADER
from service.mail.letters.blocks import Letter, SmallPrint
from service.mail.outgoing import outbox
from service.mail.render import mime as envelope
from service.mail.render.html import render_html
from service.mail.render.text import render_text
from service.timestamps import now

DKIM_HEADERS = tuple(
    "from to subject date message-id in-reply-to references reply-to mime-version content-type auto-submitted list-id "
    "list-unsubscribe list-unsubscribe-post".split()
)
SELECT_PREVIOUS = (
    "select message_id from letter where match = ? and address = ? and state <> 'bounced' "
    "order by created_at desc, id desc limit 1"
)

FOOT_BY_KIND = {
    "hook-disabled": "foot.hook",
    "device": "foot.device",
    "claim": "foot.device",
    "claim-seat": "foot.table",
}
"""What stands at the foot of letters that nobody asked for and nobody can stop."""


@dataclass(frozen=True)
class OutgoingMessage:
    """A letter as it goes out: its bytes, and where it is known by."""

    mime: bytes
    message_id: str
    return_path: str


def store_letter(id_: str, letter: Letter, config: Config) -> outbox.OutboxLetter | None:
    """Write a letter out and put it into the ledger; the one that is there if somebody else was first."""
    with write_transaction():
        replies = _make_reply_addresses(id_, letter, config)
        back = reply_addresses.make(letter.match, letter.seat, 0, letter.to.player, "bounce", {}, id_)
    written = render_message(id_, letter, replies, f"{back}@{config.mail_domain}", config)
    with write_transaction():
        outbox.insert(id_, letter, written.message_id, written.return_path, written.mime)
    return outbox.find(id_)


def _make_reply_addresses(id_: str, letter: Letter, config: Config) -> dict[str, str]:
    """The addresses that answer this letter: its own under no label, those of its tables under theirs."""
    found: dict[str, str] = {}
    if letter.reply_purpose is not None:
        asks = letter.reply_purpose
        player = letter.to.player
        local = reply_addresses.make(letter.match, letter.seat, asks.asked, player, asks.kind, asks.payload, id_)
        found[""] = f"{local}@{config.mail_domain}"
    for table in letter.tables:
        local = reply_addresses.make(table.match, table.seat, table.asked, letter.to.player, "turn", {}, id_)
        found[table.label] = f"{local}@{config.mail_domain}"
    return found


def render_message(
    id_: str, letter: Letter, replies: dict[str, str], return_path: str, config: Config
) -> OutgoingMessage:
    """The bytes of a letter."""
    stop = unsubscribe.url(id_, config) if letter.scope else ""
    whole = letter.with_blocks(*_web_links(letter, config), _footer(letter, stop))
    known = f"{id_}@{config.mail_domain}"
    mime = envelope.build_message(
        _build_headers(id_, letter, replies.get("", ""), stop, config),
        render_text(whole, replies),
        render_html(whole, replies, known),
        {picture.cid(known): picture.png for picture in whole.pictures},
        id_,
    )
    return OutgoingMessage(sign_dkim(mime, config), message_id(id_, config), return_path)


def _web_links(letter: Letter, config: Config) -> list[SmallPrint]:
    """Where the match, if everybody may see it, and the rules of its game stand on the web."""
    found = rows("select game, visibility from match where id = ?", letter.match) if letter.match else []
    if not found:
        return []
    (game, visibility), locale = found[0], letter.to.locale
    rules = SmallPrint(translate(locale, "foot.rules"), f"{config.url}/games/{game}")
    if visibility != "open":
        return [rules]
    return [SmallPrint(translate(locale, "foot.page"), f"{config.url}/matches/{letter.match}"), rules]


def _footer(letter: Letter, stop: str) -> SmallPrint:
    """Why this letter came, and how to get fewer."""
    locale = letter.to.locale
    if stop:
        return SmallPrint(translate(locale, f"foot.{letter.scope}"), stop)
    return SmallPrint(translate(locale, FOOT_BY_KIND.get(letter.kind, "foot.once")))


def _build_headers(id_: str, letter: Letter, reply_to: str, stop: str, config: Config) -> dict[str, str]:
    domain, to, own = config.mail_domain, letter.to, parseaddr(config.mail_from)[1]
    found = {
        "From": envelope.format_address("Echtra", own),
        "To": envelope.format_address(to.name, to.address),
        "Subject": envelope.encode_words(letter.subject),
        "Date": format_datetime(datetime.fromtimestamp(now() // 1000, UTC)),
        "Message-ID": message_id(id_, config),
        **_thread_headers(letter, domain),
    }
    if reply_to:
        found["Reply-To"] = envelope.format_address("Echtra", reply_to)
    found["Auto-Submitted"] = "auto-replied" if letter.in_reply_to else "auto-generated"
    found |= {"X-Auto-Response-Suppress": "All", LOOP_HEADER: domain, "Content-Language": to.locale}
    if letter.match is not None:
        found["List-Id"] = f"Echtra <{letter.match}.matches.{domain}>"
    if stop:
        found["List-Unsubscribe"] = f"<{stop}>, <mailto:{reply_to or own}?subject=stop&body=stop>"
        found["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return found


def message_id(id_: str, config: Config) -> str:
    """The Message-ID of a letter, the same each time it is sent."""
    return f"<{id_}@{config.mail_domain}>"


def _thread_headers(letter: Letter, domain: str) -> dict[str, str]:
    """What makes one thread of a match: a root that no letter has, the letter before, and the mail that is answered."""
    if letter.match is None:
        return {"In-Reply-To": letter.in_reply_to, "References": letter.in_reply_to} if letter.in_reply_to else {}
    chain = [f"<match.{letter.match}@{domain}>"]
    chain += [previous for (previous,) in rows(SELECT_PREVIOUS, letter.match, letter.to.address)]
    chain += [letter.in_reply_to] if letter.in_reply_to else []
    return {"In-Reply-To": chain[-1], "References": " ".join(chain)}


def sign_dkim(mime: bytes, config: Config) -> bytes:
    """The message with our DKIM signature, where a key is configured."""
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

"""The local mailbox: emails that stay here while no mail server is configured, and replies from the browser."""

from __future__ import annotations

import re
from base64 import b64encode
from dataclasses import dataclass
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, default
from email.utils import format_datetime
from html import escape, unescape
from urllib.parse import parse_qs, quote, urlsplit

from service import ids
from service.accounts import mailed_codes, sign_in_codes
from service.config import Config
from service.db.connection import rows
from service.db.models.mail import LetterRow
from service.mail.incoming import inbox
from service.mail.outgoing import letter_ledger
from service.timestamps import now

MOST_ROWS = 200
WRITTEN_WITHIN = 20_000
"""Time in ms that a page waits for the sign-in email."""
CID_SOURCE = re.compile(r'src="cid:([^"]*)"')
MAILTO_LINK = re.compile(r'href="(mailto:[^"]+)"')
SELECT_MAILBOXES = (
    "select l.address, count(*), max(l.created_at), max(p.name), max(p.language) from letter l "
    "left join player p on p.id = l.player where l.address <> '' group by l.address "
    "order by max(l.created_at) desc limit ?"
)


@dataclass(frozen=True)
class Mailbox:
    """The emails to one address."""

    address: str
    count: int
    latest: int
    name: str
    language: str


@dataclass(frozen=True)
class MailboxLetter:
    """An email with its parts decoded."""

    id: str
    address: str
    state: str
    created_at: int
    subject: str
    reply_to: str
    message_id: str
    references: str
    text: str
    html: str
    pictures: dict[str, bytes]
    """By their Content-ID."""
    source: bytes


def list_mailboxes() -> list[Mailbox]:
    """Return the addresses that got emails, the latest first."""
    return [
        Mailbox(address, count, at, name or "", language or "")
        for address, count, at, name, language in rows(SELECT_MAILBOXES, MOST_ROWS)
    ]


def list_letters(address: str) -> list[LetterRow]:
    """Return the emails to one address, the latest first, with what a list shows."""
    shown = (LetterRow.id, LetterRow.kind, LetterRow.subject, LetterRow.state, LetterRow.created_at, LetterRow.match)
    latest = LetterRow.select(*shown).where(LetterRow.address == address)
    return list(latest.order_by(LetterRow.created_at.desc(), LetterRow.id.desc()).limit(MOST_ROWS))


def latest_since(address: str, since: int) -> str | None:
    """Return the id of the latest email to this address after a moment, or None."""
    newer = LetterRow.select(LetterRow.id).where((LetterRow.address == address) & (LetterRow.created_at > since))
    row = newer.order_by(LetterRow.created_at.desc()).first()
    return row.id if row is not None else None


def open_letter(letter: str) -> MailboxLetter | None:
    """Return an email with all its parts, or None once its bytes are gone."""
    row = letter_ledger.find(letter)
    if row is None or row.mime is None:
        return None
    source = row.mime
    message = message_from_bytes(source, policy=default)
    leaves = [part for part in message.walk() if not part.is_multipart()]
    parts = {part.get_content_type(): part for part in leaves}
    drawn = [part for part in leaves if part.get_content_type() == "image/png"]
    return MailboxLetter(
        id=letter,
        address=row.address,
        state=row.state,
        created_at=row.created_at,
        subject=str(message["Subject"]),
        reply_to=(message["Reply-To"] or message["From"]).addresses[0].addr_spec,
        message_id=str(message["Message-ID"]),
        references=str(message["References"] or ""),
        text=parts["text/plain"].get_content().replace("\r\n", "\n"),
        html=parts["text/html"].get_content(),
        pictures={str(part["Content-ID"]).strip("<>"): part.get_content() for part in drawn},
        source=source,
    )


@dataclass(frozen=True)
class EntryLetter:
    """The sign-in email of one request."""

    letter: MailboxLetter | None
    is_coming: bool
    """True while a worker may still write it."""


def find_entry_letter(request: str) -> EntryLetter:
    """Return the sign-in email of this request, or of the request whose email it shares."""
    at, code = now(), mailed_codes.find(request, sign_in_codes.DIGITS, sign_in_codes.LINK)
    if code is None or code.used_at is not None or code.until < at:
        return EntryLetter(None, is_coming=False)
    letter = open_letter(letter_ledger.letter_id(sign_in_codes.letter_key(mailed_codes.letter_of(code))))
    return EntryLetter(letter, is_coming=letter is None and at - code.created_at < WRITTEN_WITHIN)


def render_frame(letter: MailboxLetter, here: str) -> str:
    """Return the HTML of an email for a frame: pictures inline, numbers linked to the reply box at `here`.

    Other links open in the whole window, since none of our pages may be framed.
    """
    html = CID_SOURCE.sub(lambda found: _inline_png(letter.pictures.get(unescape(found[1]), b"")), letter.html)
    html = html.replace("<head>", '<head><base target="_top">', 1)
    return MAILTO_LINK.sub(lambda found: _answer_link(unescape(found[1]), letter.reply_to, here), html)


def _inline_png(png: bytes) -> str:
    return f'src="data:image/png;base64,{b64encode(png).decode()}"'


def _answer_link(mailto: str, reply_to: str, here: str) -> str:
    """Return a link that replies to the email itself, since no mail server vouches for a reply by a link."""
    body = parse_qs(urlsplit(mailto).query).get("body", [""])[0]
    link = f"{here}?answer={quote(body)}&to={quote(reply_to)}#reply"
    return f'href="{escape(link)}" target="_top"'


def reply(letter: MailboxLetter, words: str, to: str, config: Config) -> tuple[str, ...]:
    """Reply to an email as a mail program does, with the old text quoted below, and store it like any mail."""
    quoted = "\n".join(f"> {line}".rstrip() for line in letter.text.split("\n"))
    written = datetime.fromtimestamp(letter.created_at / 1000, UTC)
    body = f"{words}\n\nOn {written:%Y-%m-%d %H:%M}, Echtra wrote:\n{quoted}\n"
    subject = letter.subject if letter.subject.lower().startswith("re:") else f"Re: {letter.subject}"
    message = _build_message(letter.address, to, subject, body)
    message["In-Reply-To"] = letter.message_id
    message["References"] = f"{letter.references} {letter.message_id}".strip()
    return inbox.store(message.as_bytes(), "smtp", config, envelope=letter.address, recipients=(to,))


def write_to_service(sender: str, words: str, config: Config) -> tuple[str, ...]:
    """Send an email to the service itself."""
    message = _build_message(sender, config.mail_from, " ".join(words.split())[:60], words)
    return inbox.store(message.as_bytes(), "smtp", config, envelope=sender, recipients=(config.mail_from,))


def _build_message(sender: str, to: str, subject: str, body: str) -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["From"] = sender
    message["To"] = to
    message["Subject"] = subject
    message["Date"] = format_datetime(datetime.fromtimestamp(now() // 1000, UTC))
    message["Message-ID"] = f"<{ids.new_id(20)}@mailbox.invalid>"
    message.set_content(body)
    return message

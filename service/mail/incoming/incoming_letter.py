"""A letter that is being read: what the doors noted of it, and what it holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from service.config import Config
from service.db.models.mail import InboxRow
from service.mail import reply_addresses
from service.mail.incoming import reply_parser, sender_checks
from service.mail.incoming.parse_message import ParsedMessage
from service.mail.incoming.reply_parser import ReplyText
from service.mail.reply_addresses import ReplyAddress

RECORD_DOORS = {"imap": "imap"}
"""The record knows two doors; what a provider hands over by HTTP came to it by SMTP."""
LONGEST_ID = 500
OFFSET = re.compile(r"([+-])(\d{2})00\b")
MOST_HOURS = 12


@dataclass(frozen=True)
class IncomingLetter:
    """One row of the inbox with its message taken apart."""

    id: str
    received: int
    door: str
    recipient: str
    raw: str
    """The hash of the message as received."""
    mail: ParsedMessage
    verdict: str
    config: Config

    @cached_property
    def writer(self) -> str:
        """The address in From."""
        return sender_checks.from_address(self.mail)

    @cached_property
    def said(self) -> ReplyText:
        """What is new in it."""
        return reply_parser.extract_reply(self.mail.text)

    @cached_property
    def asked(self) -> ReplyAddress | None:
        """What the address it came to was handed out for."""
        return reply_addresses.find(self.recipient)

    @property
    def message_id(self) -> str:
        """The Message-ID, if it has the form of one."""
        text = self.mail.get("message-id").strip()
        fits = text.startswith("<") and text.endswith(">") and len(text) < LONGEST_ID and text.isascii()
        return text if fits and " " not in text else ""

    @property
    def subject(self) -> str:
        """The subject, cut to what an answer may repeat."""
        return self.mail.get("subject")[:200]

    @property
    def zone(self) -> str:
        """The time zone in its date, as far as one can tell from the distance to Greenwich."""
        found = OFFSET.search(self.mail.get("date"))
        hours = int(found[2]) if found else 0
        if not found or hours == 0 or hours > MOST_HOURS:
            return "UTC"
        return f"Etc/GMT{'-' if found[1] == '+' else '+'}{hours}"

    @property
    def proof(self) -> dict[str, Any]:
        """What the record says of a line that came with this letter."""
        door = RECORD_DOORS.get(self.door, "smtp")
        return {"door": door, "raw": self.raw, "received": self.received, "verdict": self.verdict}


def from_row(row: InboxRow, mail: ParsedMessage, config: Config) -> IncomingLetter:
    """The letter in a row."""
    raw = sha256(bytes(row.mime)).hexdigest()
    said = sender_checks.dmarc_verdict(mail, config.authserv_id, sender_checks.from_address(mail).partition("@")[2])
    return IncomingLetter(row.id, row.received, row.door, row.recipient, raw, mail, said, config)

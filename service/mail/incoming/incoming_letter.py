"""A letter that is being read: what the doors noted of it, and what it holds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from service.config import Config
from service.db.models import Inbox
from service.mail import reply_addresses as addresses
from service.mail.incoming import reply_parser as reply
from service.mail.incoming import sender_checks as sender
from service.mail.incoming import sender_checks_verdict as verdict
from service.mail.incoming.parse_message import Mail
from service.mail.incoming.reply_parser import Said
from service.mail.reply_addresses import Asked

ATTESTED = {"imap": "imap"}
"""The record knows two doors; what a provider hands over by HTTP came to it by SMTP."""
LONGEST_ID = 500
OFFSET = re.compile(r"([+-])(\d{2})00\b")
FARTHEST = 12


@dataclass(frozen=True)
class Incoming:
    """One row of the inbox with its message taken apart."""

    id: str
    received: int
    door: str
    recipient: str
    raw: str
    """The hash of the message as received."""
    mail: Mail
    verdict: str
    config: Config

    @cached_property
    def writer(self) -> str:
        """The address in From."""
        return sender.writer(self.mail)

    @cached_property
    def said(self) -> Said:
        """What is new in it."""
        return reply.new(self.mail.text)

    @cached_property
    def asked(self) -> Asked | None:
        """What the address it came to was handed out for."""
        return addresses.find(self.recipient)

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
        if not found or hours == 0 or hours > FARTHEST:
            return "UTC"
        return f"Etc/GMT{'-' if found[1] == '+' else '+'}{hours}"

    @property
    def proof(self) -> dict[str, Any]:
        """What the record says of a line that came with this letter."""
        door = ATTESTED.get(self.door, "smtp")
        return {"door": door, "raw": self.raw, "received": self.received, "verdict": self.verdict}


def of(row: Inbox, mail: Mail, config: Config) -> Incoming:
    """The letter in a row."""
    raw = sha256(bytes(row.mime)).hexdigest()
    said = verdict.of(mail, config.authserv_id, sender.writer(mail).partition("@")[2])
    return Incoming(row.id, row.received, row.door, row.recipient, raw, mail, said, config)

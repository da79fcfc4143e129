"""Playing by email in tests: reply addresses as emails carry them, and replies as mail programs send them."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from service.config import Config
from service.db.connection import rows, write_transaction
from service.db.models.mail import InboxRow
from service.mail.incoming import inbox
from service.mail.incoming.answers import MailOutcome
from service.play.match_loader import load_match_state
from tests.support.http_tables import SeatClient
from tests.support.players import letters
from tests.support.reply_addresses import make_reply_address

SERVER = "mx.echtra.example"
NUMBERS = count(1)


def config_with_mail(config: Config) -> Config:
    """Return the settings of a service with its own mail domain and mail server."""
    return replace(
        config,
        mail_from="echtra@echtra.example",
        mail_domain="echtra.example",
        authserv_id=SERVER,
        inbound_secret="open",
    )


def message(text: str, sender: str, to: str, *, verdict: str = "pass", **headers: str) -> bytes:
    """Return a reply as a mail program sends it. `verdict` is the result of our mail server's checks."""
    domain = sender.partition("@")[2].strip(">")
    rows_ = {
        "Authentication_Results": f"{SERVER}; dmarc={verdict} header.from={domain}" if verdict else "other; dmarc=pass",
        "From": sender,
        "To": to,
        "Subject": "Re: your turn",
        "Date": "Fri, 15 Jan 2027 09:00:00 +0100",
        "Message_ID": f"<{next(NUMBERS)}@{domain}>",
        "Content_Type": "text/plain; charset=utf-8",
        **headers,
    }
    head = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in rows_.items())
    return (head + "\r\n" + text.replace("\n", "\r\n") + "\r\n").encode()


@dataclass
class SeatMail:
    """The correspondence between a seat and the service."""

    seat_client: SeatClient
    config: Config
    sent: list[str] = field(default_factory=list)

    def address(self, kind: str = "turn", payload: dict[str, Any] | None = None, **changes: Any) -> str:  # noqa: ANN401
        """Return a reply address for the current question, as the next email would carry it."""
        match_state = load_match_state(self.seat_client.match)
        question = match_state.questions[self.seat_client.seat]
        asked = {
            "match": self.seat_client.match,
            "seat": self.seat_client.seat,
            "asked": question.asked if question else match_state.seq,
            "player": self.seat_client.person.id,
            "letter": None,
            **changes,
        }
        with write_transaction():
            local = make_reply_address(kind=kind, payload=payload or {}, **asked)
        return f"{local}@{self.config.mail_domain}"

    def sure(self, kind: str) -> str:
        """Return the reply address of the latest email that asks for confirmation: `held`, `resign` or `agree`."""
        verb = "move" if kind == "held" else kind
        return self.address("sure", {"verb": verb, "waiting": told(kind)["waiting"]})

    def reply(self, text: str, to: str | None = None, sender: str | None = None, **headers: str) -> MailOutcome:
        """Answer an email, and return the outcome."""
        raw = message(text, sender or self.seat_client.person.address, to or self.address(), **headers)
        return self.post(raw, to)

    def post(self, raw: bytes, _to: str | None = None) -> MailOutcome:
        """Receive a message and read it as the worker does."""
        kept = inbox.store(
            raw, "smtp", self.config, envelope=self.seat_client.person.address, recipients=_recipients(raw)
        )
        assert kept, "not for us"
        self.sent += kept
        outcome = inbox.process(kept[0], self.config)
        return outcome or MailOutcome("ignored", "seen before")


def _recipients(raw: bytes) -> tuple[str, ...]:
    line = next(line for line in raw.decode().split("\r\n") if line.startswith("To: "))
    return tuple(part.strip() for part in line.removeprefix("To: ").split(","))


def told(*kind: str) -> dict[str, Any]:
    """Return the latest answer that waits to be composed, or the latest of a kind."""
    return letters(*kind)[-1]


def answers() -> list[dict[str, Any]]:
    """Return every answer to an email so far."""
    found = rows("select payload from job where topic = 'letter' and key like ? order by id", "answer:%")
    return [json.loads(text) for (text,) in found]


def log(match: str) -> list[tuple[int, str, str]]:
    """Return seat, line and kind of each entry of the log."""
    found = rows("select seat, line, made_by from entry where match = ? order by seq", match)
    return [(seat, line, by.split(" ")[0]) for seat, line, by in found]


def kept(number: str) -> InboxRow:
    """Return a row of the inbox."""
    return InboxRow.get_by_id(number)

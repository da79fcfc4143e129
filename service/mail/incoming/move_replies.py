"""Moves by email: canonical lines for `play/accept.py`, with the email as their proof."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from service.mail.incoming import large_messages
from service.play import match_loader
from service.play.submissions import Submission
from service.record.match_state import MatchState


class MailSubmission(Submission):
    """Lines from an email. One email may answer for several matches, so the id includes the match."""

    @property
    def id(self) -> str:
        """The id, equal for the same email and question."""
        return sha256(f"{super().id}\n{self.prev}".encode()).hexdigest()[:32]


def mail_proof(door: str, message: bytes, received: int, verdict: str) -> dict[str, Any]:
    """Return the proof of lines that came by email. The record has two doors: mail by HTTP came by SMTP before."""
    raw = large_messages.hash_as_received(message)
    return {"door": "imap" if door == "imap" else "smtp", "raw": raw, "received": received, "verdict": verdict}


def build_submission(
    match_state: MatchState,
    asked: int,
    mail: dict[str, Any],
    lines: tuple[str, ...],
    note: str = "",
    *,
    orders: bool = False,
) -> MailSubmission:
    """Return lines that answer the question since entry `asked`, or are kept as orders, with the email as proof."""
    prev = match_loader.hash_of(match_state, asked)
    return MailSubmission(asked, prev, lines, channel="mail", mail=mail, note=note, orders=orders)

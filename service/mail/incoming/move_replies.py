"""Moves by email: canonical lines for `play/accept.py`, with the email as their proof."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from service.mail.incoming import large_messages
from service.play import accept, match_loader
from service.play.submissions import Submission, SubmissionResult
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


def submit(
    match_state: MatchState, seat: int, player: str, lines: tuple[str, ...], mail: dict[str, Any], note: str
) -> SubmissionResult:
    """Submit the lines for the current question, with the email as their proof."""
    question = match_state.questions[seat]
    if question is None:
        raise accept.question_changed_problem(match_state, seat)
    sent = MailSubmission(asked=question.asked, prev=question.prev, lines=lines, channel="mail", mail=mail, note=note)
    return accept.accept(match_state.facts.id, player, sent)


def resign(match_state: MatchState, seat: int, player: str, mail: dict[str, Any]) -> SubmissionResult:
    """Resign the seat, with the email as proof."""
    question = match_state.questions[seat]
    asked = match_state.seq if question is None else question.asked
    sent = MailSubmission(
        asked=asked, prev=match_loader.hash_of(match_state, asked), lines=("resign",), channel="mail", mail=mail
    )
    return accept.accept(match_state.facts.id, player, sent)

"""Moves by letter: canonical lines through the one door, with the letter as their proof."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from service.play import accept, match_loader
from service.play.submissions import Submission, SubmissionResult
from service.record.match_state import MatchState


class MailSubmission(Submission):
    """Lines from a letter; one letter may answer at several tables, so the table is part of what it is."""

    @property
    def id(self) -> str:
        """The same for the same letter and the same question."""
        return sha256(f"{super().id}\n{self.prev}".encode()).hexdigest()[:32]


def mail_proof(door: str, message: bytes, received: int, verdict: str) -> dict[str, Any]:
    """What the record says of lines that came by letter; it knows two doors, as mail by HTTP came to SMTP before."""
    raw = sha256(message).hexdigest()
    return {"door": "imap" if door == "imap" else "smtp", "raw": raw, "received": received, "verdict": verdict}


def submit(
    match_state: MatchState, seat: int, player: str, lines: tuple[str, ...], mail: dict[str, Any], note: str
) -> SubmissionResult:
    """Make the lines for the question that stands, with the letter as their proof."""
    question = match_state.questions[seat]
    if question is None:
        raise accept.question_changed_problem(match_state, seat)
    sent = MailSubmission(asked=question.asked, prev=question.prev, lines=lines, channel="mail", mail=mail, note=note)
    return accept.accept(match_state.facts.id, player, sent)


def resign(match_state: MatchState, seat: int, player: str, mail: dict[str, Any]) -> SubmissionResult:
    """Give up the seat, with the letter as proof."""
    question = match_state.questions[seat]
    asked = match_state.seq if question is None else question.asked
    sent = MailSubmission(
        asked=asked, prev=match_loader.hash_of(match_state, asked), lines=("resign",), channel="mail", mail=mail
    )
    return accept.accept(match_state.facts.id, player, sent)

"""Outcome of an email, and the emails that answer it, sent to the confirmed address of a player.

`service/mail/job_payloads.py` has a class for each kind of answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from engine.words import plain
from service.i18n.catalogue import Explanation, dump_message
from service.mail.commands import Command
from service.mail.job_payloads import AnswerLetter, RefusedAnswer

STATES = {
    "new": "kept, not read yet",
    "done": "something was done, and the player told",
    "answered": "a question was answered",
    "held": "a move that counts later unless it is taken back",
    "asked": "the player was asked whether they are sure",
    "refused": "nothing was done, and the player told why",
    "ignored": "nothing was done, and nobody told",
    "bounce": "a report about a letter of ours",
    "released": "it was held or asked about, and counts now",
    "withdrawn": "it was held or asked about, and taken back or replaced",
    "failed": "we could not read it by our own fault",
}
OPEN_STATES = ("new", "held")
"""States of emails that are not finished: their rows have no `read_at`, and no clock runs out meanwhile."""
MOST_MEANT = 4
"""Maximum number of parts of an email in an answer that asks which of them is meant."""
STATE_ORDER = ("done", "answered", "refused", "ignored")
"""The order of states: an email to several tables has the first of its parts' states."""


@dataclass(frozen=True)
class MailOutcome:
    """The state of an email, its subject matter, and the reason."""

    state: str
    what: str
    why: str = ""
    answers: tuple[AnswerLetter, ...] = ()
    player: str | None = None
    """The player who wrote the email, and gets the answers."""
    print: str = ""
    """Hash that is equal for the same words about the same question."""
    once: str = ""
    """If given, at most one answer with this name is ever sent."""
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def result(self) -> str:
        """The text in the row."""
        values = {"what": self.what, "why": self.why, "print": self.print, **self.more}
        return json.dumps(
            {name: value for name, value in values.items() if value}, ensure_ascii=False, separators=(",", ":")
        )


class CommandRefused(Exception):
    """A command that cannot be carried out: `reason` names the sentence that says why, `text` is the writer's text."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self.text = text


def done(player: str, what: str, *answers: AnswerLetter) -> MailOutcome:
    """Return the outcome of a command that was carried out, with the emails about it."""
    return MailOutcome("done", what, "", answers, player)


def answer(player: str, command: Command, letter: AnswerLetter, listed: str = "") -> MailOutcome:
    """Return the outcome of a query. The items in an answer distinguish it from the previous one."""
    print_ = fingerprint("desk", 0, f"{command.verb} {command.rest} {listed}")
    return MailOutcome("answered", command.verb, "", (letter,), player, print_)


def ignore(what: str, why: str = "", player: str | None = None) -> MailOutcome:
    """Do nothing, and notify nobody."""
    return MailOutcome("ignored", what, why, player=player)


def refuse(
    player: str,
    reason: str,
    text: str = "",
    *,
    meant: Sequence[str] = (),
    why: Explanation | None = None,
    print_: str = "",
    match: str | None = None,
    seat: int | None = None,
) -> MailOutcome:
    """Do nothing, and notify the player: `reason` names the sentence, `text` is the player's text."""
    answer = replace(build_refusal(reason, text, meant, why), match=match, seat=seat)
    return MailOutcome("refused", reason, "", (answer,), player, print_)


def build_refusal(reason: str, text: str, meant: Sequence[str] = (), why: Explanation | None = None) -> RefusedAnswer:
    """Build the answer that says why nothing was done."""
    message = None if why is None else dump_message(why)
    detail = "" if why is None else str(why)
    return RefusedAnswer(reason=reason, text=text[:400], meant=tuple(meant), why=detail, message=message)


def fingerprint(match: str | None, asked: int, text: str) -> str:
    """Hash of the text and the question, to recognise a repeated reply whatever it quotes."""
    return sha256(f"{match}\n{asked}\n{plain(text)[:2000]}".encode()).hexdigest()[:16]


def merge_outcomes(outcomes: Sequence[MailOutcome]) -> MailOutcome:
    """Return one outcome for an email that answered at several tables."""
    first = min(outcomes, key=lambda each: STATE_ORDER.index(each.state))
    parts = [f"{each.state} {each.what}" for each in outcomes]
    answers = tuple(answer for each in outcomes for answer in each.answers)
    return MailOutcome(first.state, "digest", first.why, answers, first.player, first.print, more={"parts": parts})

"""What becomes of a letter: its outcome, and the letters that answer it, sent to the confirmed address of a player.

The payload of an answer has `kind`, `player`, `inbox` (the letter answered), `in_reply_to`, `subject`, `match`, `seat`
and `label` (of a digest); the last three may be null. Further members by kind:

    understood   made, waiting, dropped, why, message, receipt; sent with what came of it, once that is known
    held         lines, until (ms), beside, waiting     counts then unless `undo` comes; without a time only after a yes
    undone       lines                         what was taken back; none if nothing waited
    refused      reason, text, meant, why, message; `reason` names the sentence; at a table the open lines go with it
    stale        text                          the question has changed: the present table goes with it
    help board history clock
    rules        game                          a slug, or null for all games
    leave        first_day, last_day
    note         note
    stopped      everywhere
    letters      mode, everywhere
    setting      name                          `zone`, `language` or `digest` (its hour) was changed
    confirming   on
    back         -                             the seat that was lost is theirs again
    resign       waiting                       asks to answer `yes` to this very letter
    resigned     receipt
    agree        offer, waiting                asks to answer `yes` to this very letter
    unverified   verb, rest                    asks whether a command is theirs
    joined       receipt                       a seat was taken; the match may have started
    declined
    made         game, guests                  a new match, and the addresses that are invited to it
    invited      guests                        invitations to an open match
    matches      listed                        the ids of open matches, by number
    games        -
    orders       lines, kept                   what waits, or was withdrawn
    auto         on, everywhere                sole lines are made without asking
    muted        on
    preview      lines                         the table as these lines would leave it
    position     at                            the table after this entry
    proposed     what, state, own              an offer to end or cancel the match
    leaves       cancelled                     every leave that is booked
    welcome      name                          an account was made by an answer
    tournament   about, tournament, round      `list`, `standing`, `why`, `withdrawn`, `bye` or `ruled`
    ruling-question rest, lines, letters, standings     what a ruling would do; asks for a yes
    absent       status                        to an organiser: the letters to a seat come back

`beside` are the words beside a move, `waiting` is the id of the row that waits for a yes.
`why` is English; `message` is the same by key and values, to be said in the language of the player.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from engine.words import plain
from service.i18n.catalogue import Explanation, dump_message

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
"""States of letters that are not done with: their rows have no `read_at`, and no clock runs out meanwhile."""
MOST_MEANT = 4
"""How many parts of a letter an answer repeats that asks which of them is meant."""
STATE_ORDER = ("done", "answered", "refused", "ignored")
"""Which state a letter to several tables is in: the first of those its parts are in."""
KINDS = tuple(
    "understood held undone refused stale help board history rules clock leave note stopped letters setting confirming "
    "back resign resigned agree unverified joined declined made invited matches games "
    "orders auto muted position preview proposed leaves welcome tournament ruling-question absent".split()
)


@dataclass(frozen=True)
class AnswerLetter:
    """A letter to be composed; with `once` at most one with that name is ever sent."""

    kind: str
    player: str
    more: Mapping[str, Any] = field(default_factory=dict)
    once: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise KeyError(f"{self.kind} is not a kind of answer; choose from {', '.join(KINDS)}")


@dataclass(frozen=True)
class MailOutcome:
    """The state a letter is in, what it was about, and why."""

    state: str
    what: str
    why: str = ""
    answers: tuple[AnswerLetter, ...] = ()
    player: str | None = None
    print: str = ""
    """The same for the same words about the same question."""
    more: Mapping[str, Any] = field(default_factory=dict)

    @property
    def result(self) -> str:
        """The text in the row."""
        values = {"what": self.what, "why": self.why, "print": self.print, **self.more}
        return json.dumps(
            {name: value for name, value in values.items() if value}, ensure_ascii=False, separators=(",", ":")
        )


def ignore(what: str, why: str = "", player: str | None = None) -> MailOutcome:
    """Do nothing and tell nobody."""
    return MailOutcome("ignored", what, why, player=player)


def refuse(
    player: str,
    reason: str,
    text: str = "",
    *,
    meant: Sequence[str] = (),
    why: Explanation | None = None,
    print_: str = "",
    once: str = "",
    **where: Any,  # noqa: ANN401  # `match`, `seat` and `label` of the answer
) -> MailOutcome:
    """Do nothing and tell the player so: `reason` names the sentence, `text` is what they wrote."""
    about = {"reason": reason, "text": text[:400], "meant": list(meant), **reason_members(why), **where}
    return MailOutcome("refused", reason, "", (AnswerLetter("refused", player, about, once),), player, print_)


def reason_members(why: Explanation | None) -> dict[str, Any]:
    """The members of a payload that say why."""
    return {"why": ""} if why is None else {"why": str(why), "message": dump_message(why)}


def fingerprint(match: str | None, asked: int, text: str) -> str:
    """The same for the same words about the same question, whatever the quote under them."""
    return sha256(f"{match}\n{asked}\n{plain(text)[:2000]}".encode()).hexdigest()[:16]


def merge_outcomes(outcomes: Sequence[MailOutcome]) -> MailOutcome:
    """One outcome for a letter that answered at several tables."""
    first = min(outcomes, key=lambda each: STATE_ORDER.index(each.state))
    parts = [f"{each.state} {each.what}" for each in outcomes]
    answers = tuple(answer for each in outcomes for answer in each.answers)
    return MailOutcome(first.state, "digest", first.why, answers, first.player, first.print, {"parts": parts})

"""What became of a letter: how its row in the inbox says it, and what its writer is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

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
OPEN = ("new", "held")
"""States of letters that are not done with: their rows have no `read_at`, and no clock runs out meanwhile."""
ORDER = ("done", "answered", "refused", "ignored")


@dataclass(frozen=True)
class Answer:
    """A letter to be composed; with `once` at most one with that name is ever sent."""

    kind: str
    player: str
    more: dict[str, Any] = field(default_factory=dict)
    once: str = ""


@dataclass(frozen=True)
class Outcome:
    """The state a letter is in, what it was about, and why."""

    state: str
    what: str
    why: str = ""
    answers: tuple[Answer, ...] = ()
    player: str | None = None
    print: str = ""
    """The same for the same words about the same question."""
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def result(self) -> str:
        """The text in the row."""
        told = {"what": self.what, "why": self.why, "print": self.print, **self.more}
        return json.dumps(
            {name: value for name, value in told.items() if value}, ensure_ascii=False, separators=(",", ":")
        )


@dataclass(frozen=True)
class Work:
    """What is to be done about a letter: `together` with the writing down of its outcome, or before it."""

    do: Callable[[], Outcome]
    together: bool = True


def ignored(what: str, why: str = "") -> Work:
    """Nothing is done and nobody told."""
    return Work(lambda: Outcome("ignored", what, why))


def joined(outcomes: list[Outcome]) -> Outcome:
    """One outcome for a letter that answered at several tables."""
    first = min(outcomes, key=lambda each: ORDER.index(each.state))
    parts = [f"{each.state} {each.what}" for each in outcomes]
    answers = tuple(answer for each in outcomes for answer in each.answers)
    return Outcome(first.state, "digest", first.why, answers, first.player, first.print, {"parts": parts})

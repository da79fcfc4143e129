"""Task lines: a player's current task, as a phase and one sentence in the game's own words."""

from __future__ import annotations

from typing import NamedTuple

from engine.phrases import Phrases
from engine.words import Locale, typeset

MOST_LETTERS = 90
"""Maximum length of a sentence, so that it fits one line next to the board."""


class Task(NamedTuple):
    """A task line: the name of the phase, and a sentence that starts with a verb."""

    phase: str
    sentence: str

    def line(self, locale: Locale) -> str:
        """Return phase and sentence in one line, for texts."""
        return typeset(f"{self.phase}{' ' * (locale == 'fr')}: {self.sentence[0].lower()}{self.sentence[1:]}", locale)


def fill_task(tasks: Phrases, situation: str, locale: Locale, **values: object) -> Task:
    """Return the task line of a situation, a text such as `Draw: Draw two cards.`, with its values filled in."""
    phase, _, sentence = tasks.say(situation, locale, **values).partition(":")
    return Task(phase.strip(), sentence.strip())

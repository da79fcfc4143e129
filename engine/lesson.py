"""A lesson: a guided first match on a fixed deal. It is a log with words for the moments at which you are asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.words import LOCALES, Locale, typeset

if TYPE_CHECKING:
    from engine.game import Game, Seat
    from engine.log import Log

PARTS = re.compile(r"^@ (.+)$", re.MULTILINE)
END = "end"
ROW_ENDS = re.compile(r"[;\n]")


class BadLesson(ValueError):
    """Words that do not match the moves."""


@dataclass(frozen=True)
class Stop:
    """A moment where you act: the number of the move in the log, the line expected, and the words before it."""

    move: int
    line: str
    words: Mapping[Locale, tuple[str, ...]]
    """Paragraphs."""


@dataclass(frozen=True)
class Lesson:
    """A match with explanations. Your seat's moves between two stops are played for you."""

    text: str
    """The match as a log, with the moves of chance and of the bot."""
    you: Seat
    opening: Mapping[Locale, tuple[str, ...]]
    stops: tuple[Stop, ...]
    closing: Mapping[Locale, tuple[str, ...]]

    def log(self, game: Game[Any]) -> Log:
        """Return the match as a list of moves."""
        from engine.log import parse

        return parse(self.text, {game.slug: game})


def read_lesson(rows: str, words: Mapping[Locale, str], you: Seat = 0) -> Lesson:
    """Build a lesson from the rows of a log, separated by semicolons or line ends, and from words in each language.

    The words begin with an opening. `@ LINE` precedes the words before the next move of your seat with that line; `@
    end` the words after the match.
    """
    moves = [row.strip() for row in ROW_ENDS.split(rows) if row.strip()]
    said = {locale: _read_words(words[locale], locale) for locale in LOCALES}
    lines = [line for line, _ in said["en"]]
    if lines != [line for line, _ in said["fr"]] or lines[-1] != END:
        raise BadLesson("both languages stop at the same lines, and the last one is the end")
    every = [{locale: said[locale][at][1] for locale in LOCALES} for at in range(len(lines))]
    stops, move = [], 0
    for line, spoken in zip(lines[1:-1], every[1:-1], strict=True):
        try:
            move = moves.index(f"{you} {line}", move + 1)
        except ValueError:
            raise BadLesson(f"after move {move} there is no {line}") from None
        stops.append(Stop(move - 1, line, spoken))
    return Lesson("".join(f"{row}\n" for row in moves), you, every[0], tuple(stops), every[-1])


def _read_words(text: str, locale: Locale) -> list[tuple[str, tuple[str, ...]]]:
    """Return the words by the lines they precede. The words of the opening precede an empty line."""
    opening, *parts = PARTS.split(text)
    pairs = [("", opening), *zip(parts[::2], parts[1::2], strict=True)]
    return [(line.strip(), tuple(_paragraphs(part, locale))) for line, part in pairs]


def _paragraphs(text: str, locale: Locale) -> Iterator[str]:
    for part in text.split("\n\n"):
        if words := " ".join(part.split()):
            yield typeset(words, locale)

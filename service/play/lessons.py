"""Lessons as data: each step of a guided first match with its board, its text and the lines to choose from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from engine.game import HOUSE, AnyGame, Seal, seal
from engine.games import GAMES
from engine.lesson import Lesson
from engine.reading import read
from engine.words import Locale
from service.i18n.catalogue import msg, translate
from service.play import board_options, views
from service.play.views import Json, Viewer
from service.problems import Problem
from service.record.canonical_json import write
from service.record.header import Header, Occupant
from service.record.match_state import MatchInfo, MatchState, initial_match_state

LESSON = "lesson"
MOST_STEPS_KEPT = 256


@dataclass(frozen=True)
class LessonViewer(Viewer):
    """The viewer of a lesson: its match is not in any database."""

    names: tuple[str, ...] = ()

    def read_names(self) -> tuple[str, ...]:
        """Return the players' names in the lesson."""
        return self.names


@dataclass(frozen=True)
class LessonStep:
    """A step of a lesson: the text before it, the board, and the expected line (none at the end)."""

    number: int
    """Number from 1; the end has the number of steps plus one."""
    count: int
    """Number of steps."""
    viewer: LessonViewer
    words: tuple[str, ...]
    """Paragraphs. The first step also has the opening; the end has the closing."""
    told: tuple[str, ...]
    """Events since the previous step."""
    expected: str
    """The expected line; empty at the end."""

    def as_json(self) -> dict[str, Json]:
        """Return the step as JSON for a page, which draws the board itself."""
        viewer = self.viewer
        action = read(viewer.game, self.expected, self.viewer.seat or 0) if self.expected else None
        return {
            "number": self.number,
            "count": self.count,
            "words": list(self.words),
            "told": list(self.told),
            "expected": self.expected or None,
            "sentence": viewer.game.presentation.say(viewer.view(), action, viewer.locale) if action else None,
            "options": board_options.list_board_options(viewer),
        }


def find_lesson(slug: str) -> tuple[AnyGame, Lesson]:
    """Return the lesson of a game; refuse a game that is unknown or has none."""
    game = GAMES.get(slug)
    if game is None or game.presentation.lesson is None:
        raise Problem("not-found", msg("play.no_lesson"))
    return game, game.presentation.lesson


@lru_cache(maxsize=MOST_STEPS_KEPT)
def load_step(slug: str, number: int, locale: Locale) -> LessonStep:
    """Return a step of a game's lesson, numbered from 1. The number after the last step is the end."""
    game, lesson = find_lesson(slug)
    count = len(lesson.stops)
    if not 1 <= number <= count + 1:
        raise Problem("not-found", msg("play.no_lesson_step", count=count))
    ends = [0, *(stop.move for stop in lesson.stops), len(lesson.log(game).moves)]
    match_states = list(_tables(game, lesson))
    names = _seat_names(game, lesson, locale)
    viewer = LessonViewer(match_states[ends[number]], lesson.you, locale, names=names)
    over = number > count
    words = lesson.closing[locale] if over else lesson.stops[number - 1].words[locale]
    return LessonStep(
        number=number,
        count=count,
        viewer=viewer,
        words=(*lesson.opening[locale], *words) if number == 1 else words,
        told=tuple(_tell(viewer, match_states, lesson, ends[number - 1], ends[number])),
        expected="" if over else lesson.stops[number - 1].line,
    )


def _tables(game: AnyGame, lesson: Lesson) -> Iterator[MatchState]:
    """Yield the match state before the first move of a lesson and after each move."""
    log = lesson.log(game)
    others = Occupant(bot=game.bots.stand_in)
    places = tuple(Occupant(LESSON) if seat == lesson.you else others for seat in range(log.seats))
    options = write(dict(log.settings)).decode()
    header = Header(LESSON, game.slug, log.revision, options, "any", "", "-", 0, 0, places)
    facts = MatchInfo(LESSON, game, log.seats, log.settings, log.revision, False, b"", b"", header, "")
    match_state = initial_match_state(facts)
    yield match_state
    for move in log.moves:
        match_state = match_state.after(move.seat, read(game, move.line, move.seat), "", 0)
        yield match_state


def _seat_names(game: AnyGame, lesson: Lesson, locale: Locale) -> tuple[str, ...]:
    you, bot = translate(locale, "play.lesson_player"), views.bot_name(game, game.bots.stand_in, locale)
    seats = lesson.log(game).seats
    names = [you if seat == lesson.you else bot for seat in range(seats)]
    return tuple(f"{name} {seat}" if names.count(name) > 1 else name for seat, name in enumerate(names))


def _tell(viewer: LessonViewer, match_states: list[MatchState], lesson: Lesson, start: int, end: int) -> Iterator[str]:
    """Yield the meaning of the moves between two steps, as far as the seat may see them."""
    game = viewer.game
    moves = lesson.log(game).moves[start:end]
    for move, (before, after) in zip(moves, pairwise(match_states[start : end + 1]), strict=True):
        if move.seat == HOUSE:
            continue
        action = read(game, move.line, move.seat)
        hidden = seal(before.state, action) is not Seal.NEVER and not after.state.over
        line = action.seen_by(move.seat, viewer.seat) if hidden else action.line
        seen = [replace(viewer, match_state=match_state).view() for match_state in (before, after)]
        yield from game.presentation.tell(seen[0], seen[1], move.seat, line, viewer.locale)

"""A bot match of each game, played on first use, for pictures and example lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from threading import Lock
from typing import Any

from markupsafe import Markup

from engine import emblem
from engine.chance import seeded_pick
from engine.game import Action, Game, State, legal, to_act
from engine.games import GAMES
from engine.picture import flat
from engine.playout import play_out
from engine.words import Locale
from service import drawing
from service.i18n.catalogue import translate

PLAYER_NAMES = ("Aoife", "Bran", "Ciara", "Donn", "Étaín", "Fionn", "Gráinne", "Lugh")
SEED = 11
PICTURE_PROGRESS = 0.4
"""Share of the match that is over when its picture is drawn."""
MOST_EXAMPLES = 8
MOST_OPTIONS = 3
MARK_ATTRIBUTES = re.compile(r' (?:data-mark|aria-label)="[^"]*"')
"""Attributes of touchable marks, which a sample picture does not need."""
SIZE_ATTRIBUTES = re.compile(r'viewBox="0 0 (\S+) (\S+)" width="[^"]+" height="[^"]+"')
_sample_lock = Lock()


@dataclass(frozen=True)
class SampleMatch:
    """A sample position at the turn of the first seat, and a line of each kind with its view."""

    state: State
    made: tuple[tuple[Any, Action[State]], ...]


@dataclass(frozen=True)
class ExampleLine:
    """A line and its sentence."""

    line: str
    sentence: str


def game_picture(game: Game[State], locale: Locale, *, narrow: bool = False) -> Markup:
    """Return the picture of a board from its first seat, for a wide or a narrow page."""
    return _draw_picture(game.slug, locale, narrow)


def game_thumbnail(game: Game[State], locale: Locale) -> Markup:
    """Return the emblem of a game for a list; of a game without one, the upper corner of its board."""
    return _draw_thumbnail(game.slug, locale)


@lru_cache(maxsize=64)
def _draw_thumbnail(slug: str, locale: Locale) -> Markup:
    game = GAMES[slug]
    if game.presentation.emblem:
        picture = Markup(drawing.svg(game.presentation.emblem, game.presentation.title[locale], ""))  # noqa: S704  # ours
    else:
        picture = _draw_picture(game.slug, locale, True)
    return Markup(SIZE_ATTRIBUTES.sub(f'viewBox="0 0 {emblem.WIDTH} {emblem.HEIGHT}"', picture, count=1))  # noqa: S704  # as safe as before


@lru_cache(maxsize=64)
def _draw_picture(slug: str, locale: Locale, narrow: bool) -> Markup:
    game = GAMES[slug]
    title = translate(locale, "pages.game.picture_title", game=game.presentation.title[locale])
    shapes = game.presentation.picture(_view_with_names(game, _sample_match(slug).state, 0), locale, narrow=narrow)
    return Markup(MARK_ATTRIBUTES.sub("", drawing.svg(shapes, title, "")))  # noqa: S704  # made of escaped shapes


@lru_cache(maxsize=64)
def example_lines(slug: str, locale: Locale) -> tuple[ExampleLine, ...]:
    """Return one line of each kind made in the match, with the menu's sentences."""
    game = GAMES[slug]
    return tuple(
        ExampleLine(action.line, game.presentation.say(view, action, locale))
        for view, action in _sample_match(slug).made
    )


def _sample_match(slug: str) -> SampleMatch:
    # Concurrent requests wait for the match instead of playing it again.
    with _sample_lock:
        return _play_sample_match(slug)


@cache
def _play_sample_match(slug: str) -> SampleMatch:
    game = GAMES[slug]
    seats = game.rules.seats[0]
    pick = seeded_pick(SEED)
    bots = dict.fromkeys(range(seats), game.bots.by_name[game.bots.stand_in])
    states: list[State] = [game.rules.start(seats)]
    made: dict[str, tuple[Any, Action[State]]] = {}
    for seat, action, state in play_out(game, states[0], pick, bots, lambda _seat: pick):
        if seat >= 0 and action.verb not in made and len(made) < MOST_EXAMPLES:
            made[action.verb] = _view_with_names(game, states[-1], seat), action
        states.append(state)
    asked = [state for state in states[int(len(states) * PICTURE_PROGRESS) :] if to_act(state) == {0}]

    def fullness(state: State) -> tuple[int, int]:
        shapes = flat(game.presentation.picture(_view_with_names(game, state, 0), "en"))
        return min(len(legal(state, 0)), MOST_OPTIONS), len(shapes)

    return SampleMatch(max(asked, key=fullness), tuple(made.values()))


def _view_with_names(game: Game[State], state: State, seat: int) -> Any:  # noqa: ANN401  # each game has its own
    return replace(game.rules.view(state, seat), names=PLAYER_NAMES[: state.seats])

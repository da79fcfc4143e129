"""A match of bots for each game, played when it is first looked at: it gives a picture and lines to show."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice
from threading import Lock
from typing import Any

from markupsafe import Markup

from engine.chance import seeded
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
"""How much of the match is over before its picture is drawn."""
MOST_EXAMPLES = 8
MOST_OPTIONS = 3
MARK_ATTRIBUTES = re.compile(r' (?:data-mark|aria-label)="[^"]*"')
"""What can be touched on the board of a match has a name; a sample is only looked at."""
SIZE_ATTRIBUTES = re.compile(r'viewBox="0 0 (\S+) (\S+)" width="[^"]+" height="[^"]+"')
THUMBNAIL_RATIO = 0.73
"""How high a picture in a list is for its width, so that all of them are alike."""
_sample_lock = Lock()


@dataclass(frozen=True)
class SampleMatch:
    """What is shown of a game: a table at the turn of its first seat, and a line of each kind with its view."""

    state: State
    made: tuple[tuple[Any, Action[Any]], ...]


@dataclass(frozen=True)
class ExampleLine:
    """A line, and what it says."""

    line: str
    sentence: str


def game_picture(game: Game[Any], locale: Locale, *, narrow: bool = False) -> Markup:
    """The picture of a table as its first seat sees it, for a page, or for a page on a phone."""
    return _draw_picture(game.slug, locale, narrow)


def game_thumbnail(game: Game[Any], locale: Locale) -> Markup:
    """The picture in its whole width, for a list: the upper part of a high one, a low one in the middle."""
    return Markup(SIZE_ATTRIBUTES.sub(_crop_view_box, _draw_picture(game.slug, locale, False), count=1))  # noqa: S704  # as safe as the whole


def _crop_view_box(size: re.Match[str]) -> str:
    wide, high = float(size[1]), float(size[2])
    top = min(0.0, (high - THUMBNAIL_RATIO * wide) / 2)
    return f'viewBox="0 {top:g} {wide:g} {THUMBNAIL_RATIO * wide:g}"'


@lru_cache(maxsize=64)
def _draw_picture(slug: str, locale: Locale, narrow: bool) -> Markup:
    game = GAMES[slug]
    title = translate(locale, "pages.game.picture_title", game=game.title[locale])
    shapes = game.picture(_view_with_names(game, _sample_match(slug).state, 0), locale, narrow=narrow)
    return Markup(MARK_ATTRIBUTES.sub("", drawing.svg(shapes, title, "")))  # noqa: S704  # made of escaped shapes


@lru_cache(maxsize=64)
def example_lines(slug: str, locale: Locale) -> tuple[ExampleLine, ...]:
    """Lines that were made in the match, one of each kind, with the sentences of the menu."""
    game = GAMES[slug]
    return tuple(ExampleLine(action.line, game.say(view, action, locale)) for view, action in _sample_match(slug).made)


@lru_cache(maxsize=64)
def menu_lines(slug: str, locale: Locale) -> tuple[ExampleLine, ...]:
    """The first lines that are open to whoever sees the picture, as a letter lists them."""
    game, state = GAMES[slug], _sample_match(slug).state
    view = _view_with_names(game, state, 0)
    return tuple(
        ExampleLine(action.line, game.say(view, action, locale)) for action in islice(legal(state, 0), MOST_OPTIONS)
    )


def _sample_match(slug: str) -> SampleMatch:
    # Whoever comes while the match is being played waits for it, and does not play it again.
    with _sample_lock:
        return _play_sample_match(slug)


@cache
def _play_sample_match(slug: str) -> SampleMatch:
    game = GAMES[slug]
    seats = game.seats[0]
    pick = seeded(SEED)
    bots = dict.fromkeys(range(seats), game.bots[game.stand_in])
    states: list[State] = [game.start(seats)]
    made: dict[str, tuple[Any, Action[Any]]] = {}
    for seat, action, state in play_out(game, states[0], pick, bots, lambda _seat: pick):
        if seat >= 0 and action.verb not in made and len(made) < MOST_EXAMPLES:
            made[action.verb] = _view_with_names(game, states[-1], seat), action
        states.append(state)
    asked = [state for state in states[int(len(states) * PICTURE_PROGRESS) :] if to_act(state) == {0}]

    def fullness(state: State) -> tuple[int, int]:
        shapes = flat(game.picture(_view_with_names(game, state, 0), "en"))
        return min(len(legal(state, 0)), MOST_OPTIONS), len(shapes)

    return SampleMatch(max(asked, key=fullness), tuple(made.values()))


def _view_with_names(game: Game[Any], state: State, seat: int) -> Any:  # noqa: ANN401  # each game has its own
    return replace(game.view(state, seat), names=PLAYER_NAMES[: state.seats])

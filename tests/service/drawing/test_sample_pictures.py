"""Pictures in a list of games: emblems, all of one form."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from engine import emblem
from engine.games import GAMES
from engine.picture import Text, flat
from engine.words import LOCALES, Locale
from service.web.pages import sample_matches

WINDOW = re.compile(r'viewBox="(\S+) (\S+) (\S+) (\S+)"')


def window(picture: str) -> tuple[float, ...]:
    """Left, top, width and height of what a picture shows."""
    found = WINDOW.search(picture)
    assert found is not None
    return tuple(map(float, found.groups()))


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("slug", GAMES)
def test_a_list_shows_the_emblem_of_a_game(slug: str, locale: Locale) -> None:
    game = GAMES[slug]
    assert game.presentation.emblem
    thumbnail = sample_matches.game_thumbnail(game, locale)
    assert window(thumbnail) == (0, 0, emblem.WIDTH, emblem.HEIGHT)
    assert game.presentation.title[locale] in thumbnail
    words = [shape.words for shape in flat(game.presentation.emblem) if isinstance(shape, Text)]
    assert not [word for word in words if word.upper() != word.lower()], "an emblem has no letters, only numbers"


def test_a_game_without_an_emblem_shows_a_corner_of_its_board() -> None:
    game = GAMES["keltis"]
    plain = replace(game, presentation=replace(game.presentation, emblem=()))
    thumbnail = sample_matches.game_thumbnail(plain, "en")
    assert window(thumbnail) == (0, 0, emblem.WIDTH, emblem.HEIGHT)
    assert "data-mark" not in thumbnail

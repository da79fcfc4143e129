"""Pictures in a list of games: whole in their width, and all of one form."""

from __future__ import annotations

import re

import pytest

from engine.games import GAMES
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
def test_a_list_shows_the_whole_width_of_a_picture(slug: str, locale: Locale) -> None:
    _, _, wide, high = window(sample_matches.game_picture(GAMES[slug], locale))
    left, top, shown, rows = window(sample_matches.game_thumbnail(GAMES[slug], locale))
    assert (left, shown) == (0, wide)
    assert rows / shown == pytest.approx(sample_matches.THUMBNAIL_RATIO, rel=0.01)
    assert top == (0 if high >= rows else pytest.approx((high - rows) / 2, abs=1))

"""The words on a picture of Keltis have room, however long the names are."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import pytest

from engine.games import GAMES
from engine.picture import Text, extent, flat
from engine.words import LOCALES, Locale
from service.drawing.font import text_width
from tests.support.pictures import views

LONG = "Jean-François-Xavier de la Rochefoucauld-Montbéliard"


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("seats", GAMES["keltis"].rules.seats)
@pytest.mark.parametrize("name", ["Aoife", LONG, "W" * 40])
@pytest.mark.parametrize("narrow", [False, True], ids=["wide", "narrow"])
def test_words_of_a_keltis_table_stay_inside_and_apart(seats: int, name: str, locale: Locale, narrow: bool) -> None:
    for view in views("keltis", seats, name):
        shapes = flat(GAMES["keltis"].presentation.picture(view, locale, narrow=narrow))
        wide, high = extent(shapes)
        areas = [area(shape) for shape in shapes if isinstance(shape, Text)]
        for left, top, right, bottom, words in areas:
            assert left >= 0, words
            assert top >= 0, words
            assert right <= wide, words
            assert bottom <= high, words
        for one, two in combinations(areas, 2):
            apart = one.right <= two.left or two.right <= one.left or one.bottom <= two.top or two.bottom <= one.top
            assert apart, (one.words, two.words)


class Area(NamedTuple):
    """What a text takes up."""

    left: float
    top: float
    right: float
    bottom: float
    words: str


def area(text: Text) -> Area:
    """Where a text stands, from the top of its capitals to its baseline."""
    wide = text_width(text.words, text.size, text.bold)
    left = text.x - {"start": 0, "middle": wide / 2, "end": wide}[text.at]
    return Area(left, text.y - 0.73 * text.size, left + wide, text.y, text.words)

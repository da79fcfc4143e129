"""The words on the board of Bardwood Grove, measured with our typeface: none is cut, covered or outside its box."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

import pytest

from engine.game import CHANCE, Seat
from engine.games.bardwood_grove import GAME
from engine.games.bardwood_grove.rules.board import LEGEND_LEVEL
from engine.games.bardwood_grove.rules.cards import CREATURES, DECKS, IMPROS, SKILLS
from engine.games.bardwood_grove.rules.motifs import GEMS
from engine.games.bardwood_grove.texts.names import name
from engine.lettering import ELLIPSIS, fit_rows
from engine.picture import Box, Group, Path, Plain, Shape, Text, extent, flat
from engine.words import LOCALES, Locale
from service.drawing.font import text_width
from tests.support.marked_pictures import Area, plain_areas
from tests.support.random_matches import played

NAMES = ("Niamh", "Éanna Mac Giolla Phádraig", "Wilhelmina von Mecklenburg-Schwerin zu Hohenlohe", "Loïc")
SOLO = (("rival", "normal"),)
TABLES = [(2, SOLO), (2, ()), (3, ()), (4, ())]
LEAST_WORDS, LEAST_NAMES = 11, 10
SLACK = 0.6
ASCENT, DESCENT = 0.72, 0.02
STRIKE = 2
CARDS = (*SKILLS, *IMPROS, *CREATURES, *LEGEND_LEVEL, *GEMS, *(deck.instrument for deck in DECKS.values()))
CARD_NAMES = {locale: " | ".join(name(card, locale) for card in CARDS) for locale in LOCALES}


def pictures(
    seats: int, options: tuple[tuple[str, str], ...], seed: int, many: int
) -> Iterator[tuple[Locale, tuple[Shape, ...]]]:
    """Pictures from all over a random match, of whoever is asked and of a spectator, in all forms."""
    match = played("bardwood-grove", seats, seed, options)
    asked = [moment for moment in match.moments if moment.seat != CHANCE]
    seen: list[tuple[object, Seat | None]] = [
        (moment.state, moment.seat) for moment in Random(seed).sample(asked, min(many, len(asked)))
    ]
    seen += [(asked[0].state, asked[0].seat), (asked[len(asked) // 2].state, None), (match.end, 0)]
    for (state, seat), locale, narrow in product(seen, LOCALES, (False, True)):
        view = GAME.rules.view(state, seat).with_names(NAMES[:seats])  # type: ignore[arg-type]
        yield locale, GAME.presentation.picture(view, locale, narrow=narrow)


def text_area(text: Text) -> Area:
    """Where the letters of a text are, without what hangs below the line."""
    wide = text_width(text.words, text.size, text.bold)
    left = text.x - {"start": 0, "middle": 0.5, "end": 1}[text.at] * wide
    return left, text.y - ASCENT * text.size, left + wide, text.y + DESCENT * text.size


def overlap(one: Area, two: Area) -> bool:
    across, down = min(one[2], two[2]) - max(one[0], two[0]), min(one[3], two[3]) - max(one[1], two[1])
    return across > SLACK and down > SLACK


def covers(shape: Plain, text: Area) -> bool:
    """Whether an opaque shape lies on a text. Corners of curves and lines that cross words out are not looked at."""
    if isinstance(shape, Text) or not shape.fill or len(shape.fill) > len("#rrggbb"):
        return False
    if isinstance(shape, Box) and shape.height <= STRIKE:
        return False
    (left, top, right, low) = next(plain_areas((shape,)))
    inset = (right - left) * 0.15 if isinstance(shape, Path) else 0
    return overlap((left + inset, top + inset, right - inset, low - inset), text)


def check_words(shapes: tuple[Shape, ...], locale: Locale) -> None:
    """Check each text of a picture: its size, its place in the group and on the paper, and what lies on it."""
    wide, high = extent(shapes)
    plain = flat(shapes)
    for group in (shape for shape in shapes if isinstance(shape, Group)):
        parts = flat((group,))
        spans = [area for part in parts for area in plain_areas((part,))]
        for text in (part for part in parts if isinstance(part, Text)):
            assert spans, text
            left, top, right, low = text_area(text)
            (lefts, tops, rights, lows) = zip(*spans, strict=True)
            if group.mark:
                assert left >= min(lefts) - SLACK, text
                assert top >= min(tops) - SLACK, text
                assert right <= max(rights) + SLACK, (text, right, max(rights))
                assert low <= max(lows) + SLACK, text
    texts = [(at, shape, text_area(shape)) for at, shape in enumerate(plain) if isinstance(shape, Text)]
    for at, text, (left, top, right, low) in texts:
        words = text.words.removesuffix("-")
        assert ELLIPSIS not in words
        named = len(words) == 1 or words in CARD_NAMES[locale]
        assert text.size >= (LEAST_NAMES if named else LEAST_WORDS), text
        assert min(left, top) >= 0, text
        assert right <= wide, text
        assert low <= high, text
        upon = [shape for shape in plain[at + 1 :] if covers(shape, (left, top, right, low))]
        assert not upon, (text, upon)
    for (_, one, first), (_, two, second) in combinations(texts, 2):
        assert not overlap(first, second), (one, two)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("seats", "options"), TABLES)
def test_no_word_of_a_board_is_cut_covered_or_too_small(
    seats: int, options: tuple[tuple[str, str], ...], seed: int
) -> None:
    for locale, shapes in pictures(seats, options, seed, 10):
        check_words(shapes, locale)


def test_boards_have_the_size_of_the_page() -> None:
    sizes = {extent(shapes) for _, shapes in pictures(4, (), 1, 3)}
    assert sizes == {(928, 552), (400, 574)}


@pytest.mark.parametrize(
    ("words", "room", "height", "rows"),
    [
        ("Gloom Stag", 90, 14, (("Gloom Stag",), 11)),
        ("Gloom Stag", 50, 26, (("Gloom", "Stag"), 11)),
        ("Glissando", 50, 26, (("Glis-", "sando"), 11)),
        ("Grand amphithéâtre", 60, 40, (("Grand", "amphi-", "théâtre"), 11)),
        ("Gloom Stag", 50, 13, ((), 10)),
        ("Mmmmmmmm", 50, 26, ((), 10)),
    ],
)
def test_words_wrap_then_shrink_then_break_and_else_are_left_out(
    words: str, room: float, height: float, rows: tuple[tuple[str, ...], float]
) -> None:
    assert fit_rows(words, room, height, (11, 10), bold=True) == rows

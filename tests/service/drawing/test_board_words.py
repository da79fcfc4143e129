"""The words on boards, measured with our typeface: none is cut, covered, outside its box or too small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, pairwise, product
from random import Random

import pytest

from engine.game import CHANCE, Seat
from engine.games import GAMES
from engine.lettering import ELLIPSIS, fit_rows
from engine.picture import Box, Disc, Group, Path, Plain, Shape, Text, extent, flat
from engine.words import LOCALES
from service.drawing.font import text_width
from tests.support.marked_pictures import Area, plain_areas
from tests.support.random_matches import played

NAMES = (
    "Niamh",
    "Éanna Mac Giolla Phádraig",
    "Wilhelmina von Mecklenburg-Schwerin zu Hohenlohe",
    "Loïc",
    "Ó Súilleabháin",
)
SOLO = {"bardwood-grove": (("rival", "normal"),), "tir-na-nog": (("balor", "easy"),)}
Options = tuple[tuple[str, str], ...]
TABLES: list[tuple[str, int, Options]] = [
    (slug, seats, ()) for slug, game in GAMES.items() for seats in (game.rules.seats[0], game.rules.seats[-1])
]
TABLES += [(slug, 2, options) for slug, options in SOLO.items()]
LEAST_SIZE = 10
"""The least size in units. On phones a unit is 1.1 dots; the floor for card names is 10 dots, for others 11."""
SLACK = 0.6
ASCENT, DESCENT = 0.72, 0.02
STRIKE, STACK = 2, 12


def pictures(slug: str, seats: int, options: Options, seed: int, many: int) -> Iterator[tuple[Shape, ...]]:
    """Pictures from all over a random match, of whoever is asked and of a spectator, in all forms."""
    game, match = GAMES[slug], played(slug, seats, seed, options)
    asked = [moment for moment in match.moments if moment.seat != CHANCE and not (options and moment.seat)]
    seen: list[tuple[object, Seat | None]] = [
        (moment.state, moment.seat) for moment in Random(seed).sample(asked, min(many, len(asked)))
    ]
    seen += [(asked[0].state, asked[0].seat), (asked[len(asked) // 2].state, None), (match.end, 0)]
    for (state, seat), locale, narrow in product(seen, LOCALES, (False, True)):
        view = replace(game.rules.view(state, seat), names=NAMES[:seats])
        yield game.presentation.picture(view, locale, narrow=narrow)


def text_area(text: Text) -> Area:
    """Return the area of a text's letters, without descenders."""
    wide = text_width(text.words, text.size, text.bold)
    left = text.x - {"start": 0, "middle": 0.5, "end": 1}[text.at] * wide
    return left, text.y - ASCENT * text.size, left + wide, text.y + DESCENT * text.size


def overlap(one: Area, two: Area) -> bool:
    across, down = min(one[2], two[2]) - max(one[0], two[0]), min(one[3], two[3]) - max(one[1], two[1])
    return across > SLACK and down > SLACK


def covers(shape: Plain, text: Area) -> bool:
    """Return True if an opaque shape covers a text. Lines that cross words out do not count."""
    if isinstance(shape, Text) or not shape.fill or len(shape.fill) > len("#rrggbb"):
        return False
    if isinstance(shape, Box) and shape.height <= STRIKE:
        return False
    (left, top, right, low) = next(plain_areas((shape,)))
    inset = (right - left) * 0.15 if isinstance(shape, Path | Disc) else 0
    if not overlap((left + inset, top + inset, right - inset, low - inset), text):
        return False
    return not isinstance(shape, Path) or any(is_inside(shape, x, y) for x, y in product(text[::2], text[1::2]))


def is_inside(path: Path, x: float, y: float) -> bool:
    """Whether a point is inside the outline through the end points of a path's curves."""
    crossed = 0
    for curve in path.curves:
        points = [(path.x + point[-2], path.y + point[-1]) for point in curve]
        for (one_x, one_y), (two_x, two_y) in pairwise([*points, points[0]]):
            if (one_y > y) != (two_y > y):
                crossed += x < one_x + (y - one_y) / (two_y - one_y) * (two_x - one_x)
    return crossed % 2 == 1


def is_stacked(text: Text, later: Sequence[Plain]) -> bool:
    """Return True if an equal card covers the one with this text, a little shifted."""
    return any(
        isinstance(shape, Text)
        and shape.words == text.words
        and max(abs(shape.x - text.x), abs(shape.y - text.y)) < STACK
        for shape in later
    )


def check_words(shapes: tuple[Shape, ...]) -> None:
    """Check each text of a picture: its size, its place in the group and on the paper, and the shapes that cover it."""
    wide, high = extent(shapes)
    plain = flat(shapes)
    for group in (shape for shape in shapes if isinstance(shape, Group) and shape.mark):
        parts = flat((group,))
        lefts, tops, rights, lows = zip(*(area for part in parts for area in plain_areas((part,))), strict=True)
        for text in (part for part in parts if isinstance(part, Text)):
            left, top, right, low = text_area(text)
            assert left >= min(lefts) - SLACK, text
            assert top >= min(tops) - SLACK, text
            assert right <= max(rights) + SLACK, (text, right, max(rights))
            assert low <= max(lows) + SLACK, text
    texts = [(at, shape, text_area(shape)) for at, shape in enumerate(plain) if isinstance(shape, Text)]
    for at, text, (left, top, right, low) in texts:
        assert ELLIPSIS not in text.words, text
        assert text.size >= LEAST_SIZE, text
        assert min(left, top) >= 0, text
        assert right <= wide, text
        assert low <= high, text
        # A card that may not be taken is crossed out over the letter of its colour, next to the sign that says the
        # same.
        shown = [shape for shape in plain[at + 1 :] if len(text.words) > 1 or not isinstance(shape, Path)]
        upon = [shape for shape in shown if covers(shape, (left, top, right, low))]
        assert not upon or is_stacked(text, plain[at + 1 :]), (text, upon)
    for (_, one, first), (_, two, second) in combinations(texts, 2):
        assert not overlap(first, second) or is_stacked(one, [two]), (one, two)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("slug", "seats", "options"), TABLES)
def test_no_word_of_a_board_is_cut_covered_or_too_small(slug: str, seats: int, options: Options, seed: int) -> None:
    for shapes in pictures(slug, seats, options, seed, 5):
        check_words(shapes)


def test_boards_of_bardwood_grove_have_the_size_of_the_page() -> None:
    assert {extent(shapes) for shapes in pictures("bardwood-grove", 4, (), 1, 3)} == {(928, 552), (400, 574)}


@pytest.mark.parametrize(
    ("words", "room", "height", "rows"),
    [
        ("Gloom Stag", 90, 14, (("Gloom Stag",), 11)),
        ("Gloom Stag", 50, 26, (("Gloom", "Stag"), 11)),
        ("Glissando", 44, 26, (("Glis-", "sando"), 11)),
        ("Grand amphithéâtre", 60, 40, (("Grand", "amphi-", "théâtre"), 11)),
        ("Will-o’-the-Wisp", 50, 40, (("Will-o’-", "the-Wisp"), 11)),
        ("Gloom Stag", 50, 13, ((), 10)),
        ("Mmmmmmmm", 50, 26, ((), 10)),
    ],
)
def test_words_wrap_then_shrink_then_break_and_else_are_left_out(
    words: str, room: float, height: float, rows: tuple[tuple[str, ...], float]
) -> None:
    assert fit_rows(words, room, height, (11, 10)) == rows

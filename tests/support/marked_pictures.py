"""Checks by random play for every game that is played by touching its picture."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

from engine.game import Game
from engine.narrowing import narrow
from engine.picture import Box, Disc, Group, Line, Path, Plain, Shape, Text, flat
from engine.presentation import Marks
from engine.words import LOCALES, Locale

Area = tuple[float, float, float, float]
"""Left, top, right and bottom."""
LEAST_NARROW, LEAST_WIDE, NARROW_WIDTH = 28, 24, 400
MOST_ORDERS = 6
FOLDED = ("legend", "motif", "brag", "seat", "song")
"""Kinds of marks that become buttons if a narrow picture lacks the room for all of them."""


def plain_areas(shapes: Sequence[Plain]) -> Iterator[Area]:
    """Yield the position of each shape. Words are left out, since they are not measured here."""
    for shape in shapes:
        if isinstance(shape, Box):
            yield shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
        elif isinstance(shape, Disc):
            yield shape.x - shape.radius, shape.y - shape.radius, shape.x + shape.radius, shape.y + shape.radius
        elif isinstance(shape, Line):
            xs, ys = zip(*shape.points, strict=True)
            yield min(xs), min(ys), max(xs), max(ys)
        elif isinstance(shape, Path):
            points = [point for curve in shape.curves for point in curve]
            xs = tuple(shape.x + point[-2] for point in points)
            ys = tuple(shape.y + point[-1] for point in points)
            yield min(xs), min(ys), max(xs), max(ys)


def group_area(group: Group) -> Area:
    """Return the position of a group in the picture."""
    lefts, tops, rights, lows = zip(*plain_areas(flat((group,))), strict=True)
    return min(lefts), min(tops), max(rights), max(lows)


def groups(shapes: Sequence[Shape]) -> list[Group]:
    """Return the groups of a picture."""
    return [shape for shape in shapes if isinstance(shape, Group)]


def check_picture(shapes: tuple[Shape, ...], *, narrow: bool) -> set[str]:
    """Return the marks of a picture. Check that each is large enough, apart from others, and labelled.

    Each occurs once; in a narrow picture it may occur twice, on the map and in words below it.
    """
    paper, least = shapes[0], LEAST_NARROW if narrow else LEAST_WIDE
    assert isinstance(paper, Box)
    assert not narrow or paper.width <= NARROW_WIDTH
    marked = [group for group in groups(shapes) if group.mark]
    assert all(many <= 1 + narrow for many in Counter(group.mark for group in marked).values())
    areas = [(group.mark, group_area(group)) for group in marked]
    for mark, (left, top, right, low) in areas:
        assert right - left >= least, (mark, right - left)
        assert low - top >= least, (mark, low - top)
        assert left >= 0, mark
        assert top >= 0, mark
        assert right <= paper.width, (mark, right)
        assert low <= paper.height, (mark, low)
    for (one, first), (two, second) in combinations(areas, 2):
        across = min(first[2], second[2]) - max(first[0], second[0])
        down = min(first[3], second[3]) - max(first[1], second[1])
        assert min(across, down) <= 0, (one, two)
    for group in groups(shapes):
        if group.label or group.mark:
            check_label(group)
    return {mark for mark, _ in areas}


def check_label(group: Group) -> None:
    """Check that the label of a group contains every word drawn in it, unless the word is cut."""
    label = group.label.replace("\N{NO-BREAK SPACE}", " ")
    assert label.strip(), group.mark
    for shape in flat((group,)):
        if isinstance(shape, Text):
            words = shape.words.replace("\N{NO-BREAK SPACE}", " ").removesuffix("…").removesuffix("-").strip()
            assert words.lower() in label.lower() or not re.search(r"\w", words), (words, label)


def check_marks(game: Game[Any], view: Any, options: Sequence[Any]) -> list[Marks]:  # noqa: ANN401  # any game's
    """Return the marks of the options: all different, and each drawn in both pictures or a button with a name."""
    lines = [game.presentation.marks(view, option) for option in options]
    assert len({tuple(mark for word in line for mark in word) for line in lines}) == len(lines)
    wanted = {mark for line in lines for word in line for mark in word}
    for locale in LOCALES:
        for is_narrow in (False, True):
            drawn = check_picture(game.presentation.picture(view, locale, narrow=is_narrow), narrow=is_narrow)
            for mark in wanted:
                folded = is_narrow and mark.partition(":")[0] in FOLDED
                assert folded or (mark in drawn) is (not mark.startswith("say:")), mark
        check_names(game, view, wanted, locale)
    return lines


def check_names(game: Game[Any], view: Any, marks: set[str], locale: Locale) -> None:  # noqa: ANN401
    """Check that every mark has a different name for a button or a chip."""
    assert game.presentation.mark_name is not None
    names = {mark: game.presentation.mark_name(view, mark, locale) for mark in marks}
    assert all(name.strip() and name != mark for mark, name in names.items()), names
    assert len(set(names.values())) == len(names), names


def count_clicks(lines: Sequence[Marks], at: int) -> int:
    """Return how many touches it takes until only this line is offered, with its words in the best order."""
    found = []
    for words in list(permutations(lines[at]))[:MOST_ORDERS]:
        clicks: tuple[str, ...] = ()
        for mark in (mark for word in words for mark in word):
            seen = narrow(lines, clicks)
            if seen.offered == (at,):
                break
            assert mark in seen.open, (mark, clicks)
            clicks = (*clicks, mark)
        if narrow(lines, clicks).offered == (at,):
            found.append(len(clicks))
    assert found, lines[at]
    return min(found)

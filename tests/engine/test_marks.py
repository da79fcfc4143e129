"""Every game can be played by touching its pictures: what is marked, what it is called, and what nobody may see."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import pytest

from engine.game import CHANCE, Game, legal, to_act
from engine.games import GAMES
from engine.lettering import ELLIPSIS
from engine.narrowing import narrow
from engine.picture import Box, Disc, Group, Line, Path, Shape, Text, extent, flat
from engine.presentation import Marks
from engine.words import LOCALES, Locale
from service.drawing import render_svg
from tests.support.random_matches import ALL_TABLES, Match, played, viewers

NARROWEST, LEAST, LEAST_WIDE = 400, 28, 24
MOMENTS = 12
FEW_CLICKS, FEW = 2, 0.95
MARK = re.compile(r"[a-z]+(:[!-9;-~]+)?")
BUTTONS = ("say", "word")
FOLDED = {"bardwood-grove": ("legend", "motif", "brag", "seat", "song")}
"""Kinds of marks that become buttons where a narrow picture has no room for all of them."""
MOST_TIMES = 2
"""How often a narrow picture may show a mark: on the map, and in words below it."""
LONG_WORDS = frozenset({"guards"})
"""Verbs whose lines say more than two clicks can."""

SOLO: dict[str, tuple[tuple[str, str], ...]] = {
    "tir-na-nog": (("balor", "easy"),),
    "bardwood-grove": (("rival", "normal"),),
}
"""Options that make a match of two seats one against the game itself, which is played as a table of one seat."""
every_table = pytest.mark.parametrize(("slug", "seats"), [*ALL_TABLES, *((slug, 1) for slug in SOLO)])
both_forms = pytest.mark.parametrize("narrowly", [False, True], ids=["wide", "narrow"])


class Question(NamedTuple):
    """A seat's view while it is asked, with its options and their marks."""

    game: Game[Any]
    view: Any
    options: tuple[Any, ...]
    marks: tuple[Marks, ...]


class Span(NamedTuple):
    """A rectangle by its four sides."""

    left: float
    top: float
    right: float
    bottom: float


def random_match(slug: str, seats: int) -> Match:
    """A match of random play; with one seat, against the game itself."""
    return played(slug, seats, 0) if seats > 1 else played(slug, 2, 0, SOLO[slug])


def questions(slug: str, seats: int, many: int = MOMENTS) -> Iterator[Question]:
    """A few questions from all over a match of random play."""
    game, match = GAMES[slug], random_match(slug, seats)
    asked = [moment for moment in match.moments if moment.seat != CHANCE]
    for moment in Random(f"{slug} {seats}").sample(asked, min(many, len(asked))):
        view, options = game.rules.view(moment.state, moment.seat), tuple(legal(moment.state, moment.seat))
        yield Question(game, view, options, tuple(game.presentation.marks(view, option) for option in options))


def marked(shapes: tuple[Shape, ...]) -> list[Group]:
    """The groups with a mark, each of which is there once, or twice in a narrow picture."""
    found = [shape for shape in shapes if isinstance(shape, Group) and shape.mark]
    most = MOST_TIMES if extent(shapes)[0] <= NARROWEST else 1
    assert [mark for mark, many in Counter(group.mark for group in found).items() if many > most] == []
    return found


def groups(shapes: tuple[Shape, ...]) -> dict[str, Group]:
    """The groups with a mark by it."""
    return {group.mark: group for group in marked(shapes)}


def span(group: Group) -> Span:
    """Return the area of a group's shapes, words not counted."""
    sides = [each for shape in flat((group,)) for each in shape_spans(shape)]
    return Span(*(pick(side) for pick, side in zip((min, min, max, max), zip(*sides, strict=True), strict=True)))


def shape_spans(shape: Shape) -> Iterator[Span]:
    if isinstance(shape, Box):
        yield Span(shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
    elif isinstance(shape, Disc):
        far = shape.radius
        yield Span(shape.x - far, shape.y - far, shape.x + far, shape.y + far)
    elif isinstance(shape, Path | Line):
        points = (
            [(shape.x + over, shape.y + up) for curve in shape.curves for *_, over, up in curve]
            if isinstance(shape, Path)
            else shape.points
        )
        yield from (Span(x, y, x, y) for x, y in points)


def clicks_to(marks: tuple[Marks, ...], place: int) -> int:
    """How many touches offer this line and no other, touching its marks in their order or from the last."""
    said = [tuple(mark for word in words for mark in word) for words in (marks[place], marks[place][::-1])]
    tried = {clicks[:many] for clicks in said for many in range(len(clicks) + 1)}
    return min((len(clicks) for clicks in tried if narrow(marks, clicks).offered == (place,)), default=99)


@every_table
def test_marks_of_two_options_differ_and_every_option_can_be_reached(slug: str, seats: int) -> None:
    needed: list[int] = []
    for question in questions(slug, seats):
        said = [tuple(mark for word in marks for mark in word) for marks in question.marks]
        assert len(set(said)) == len(said)
        assert all(MARK.fullmatch(mark) for marks in said for mark in marks)
        some = Random(len(said)).sample(range(len(said)), min(12, len(said)))
        counts = [clicks_to(question.marks, place) for place in some]
        assert max(counts) < 99, [question.options[place].line for place in some]
        needed += [
            count
            for place, count in zip(some, counts, strict=True)
            if question.options[place].verb not in LONG_WORDS and question.game.presentation.mark_name
        ]
    assert sum(count > FEW_CLICKS for count in needed) <= (1 - FEW) * len(needed)


@both_forms
@every_table
def test_every_mark_is_drawn_or_is_a_button_with_a_name(slug: str, seats: int, narrowly: bool) -> None:
    for game, view, _, marks in questions(slug, seats):
        wanted = {mark for line in marks for word in line for mark in word}
        for locale in LOCALES:
            drawn = groups(game.presentation.picture(view, locale, narrow=narrowly))
            for mark in wanted - drawn.keys():
                assert mark.partition(":")[0] in (*BUTTONS, *(FOLDED.get(slug, ()) if narrowly else ()))
                if game.presentation.mark_name:
                    assert game.presentation.mark_name(view, mark, locale).strip()
            if game.presentation.mark_name:
                assert all(game.presentation.mark_name(view, mark, locale).strip() for mark in drawn)


@both_forms
@every_table
def test_what_can_be_touched_is_large_enough_and_lies_apart(slug: str, seats: int, narrowly: bool) -> None:
    least = LEAST if narrowly else LEAST_WIDE
    for game, view, _, marks in questions(slug, seats):
        shapes = game.presentation.picture(view, "fr", narrow=narrowly)
        wide, high = extent(shapes)
        assert isinstance(shapes[0], Box)
        if game.presentation.mark_name is None and marks:
            continue
        assert wide <= NARROWEST or not narrowly
        drawn = [(group.mark, span(group)) for group in marked(shapes)]
        for mark, (left, top, right, bottom) in drawn:
            assert min(right - left, bottom - top) >= least - 0.01, mark
            assert left >= 0, mark
            assert top >= 0, mark
            assert right <= wide + 0.01, mark
            assert bottom <= high + 0.01, mark
        for (one, first), (two, second) in combinations(drawn, 2):
            across = min(first.right, second.right) - max(first.left, second.left)
            down = min(first.bottom, second.bottom) - max(first.top, second.top)
            smaller = min(first.right - first.left, second.right - second.left) - across
            lower = min(first.bottom - first.top, second.bottom - second.top) - down
            assert across <= 6 or down <= 6 or max(smaller, lower) >= least, (one, two)


@both_forms
@every_table
def test_labels_say_what_is_drawn_in_the_language_of_the_picture(slug: str, seats: int, narrowly: bool) -> None:
    for game, view, _, _ in questions(slug, seats, 6):
        told = {locale: labels(game.presentation.picture(view, locale, narrow=narrowly), locale) for locale in LOCALES}
        assert len(told["en"]) == len(told["fr"])
        if told["en"]:
            assert told["en"] != told["fr"]


def labels(shapes: tuple[Shape, ...], locale: Locale) -> list[str]:
    """The labels of a picture, each holding the words that are drawn in its group."""
    found = []
    for shape in shapes:
        if isinstance(shape, Group) and (shape.mark or shape.label):
            assert shape.label.strip(), shape.mark
            assert not re.search(r"[{}]|\n", shape.label), shape.label
            assert locale == "en" or not re.search(r" [:;!?]", shape.label), shape.label
            for word in drawn_words(shape):
                assert word in plain(shape.label), (word, shape.label)
            found.append(shape.label)
    return found


def drawn_words(group: Group) -> Iterator[str]:
    """Yield the words drawn in a group: cut ones left out, broken ones without their hyphen."""
    for shape in flat((group,)):
        if isinstance(shape, Text):
            words = [word.removesuffix("-") for word in plain(shape.words).split()]
            yield from (word for word in words if len(word) > 2 and ELLIPSIS not in word)


def plain(words: str) -> str:
    return words.lower().replace("\N{NO-BREAK SPACE}", " ")


@every_table
def test_pictures_and_marks_know_no_more_than_their_seat(slug: str, seats: int) -> None:
    """Deal again everything that a viewer cannot see. Both pictures and the marks stay the same, byte for byte."""
    game, match, rng = GAMES[slug], random_match(slug, seats), Random(f"{slug} {seats}")
    for moment in match.some(6):
        for viewer in viewers(moment.state):
            other = game.rules.redeal(moment.state, viewer, rng.randrange)
            before, after = game.rules.view(moment.state, viewer), game.rules.view(other, viewer)
            for narrowly in (False, True):
                drawn = [
                    render_svg.render(game.presentation.picture(each, "en", narrow=narrowly), "", "")
                    for each in (before, after)
                ]
                assert drawn[0] == drawn[1]
            if viewer in to_act(moment.state):
                options = legal(moment.state, viewer)
                assert [game.presentation.marks(before, option) for option in options] == [
                    game.presentation.marks(after, option) for option in legal(other, viewer)
                ]


@every_table
def test_a_spectator_touches_nothing_that_only_a_seat_may(slug: str, seats: int) -> None:
    game, match = GAMES[slug], random_match(slug, seats)
    for moment in match.some(4):
        drawn = groups(game.presentation.picture(game.rules.view(moment.state, None), "en"))
        assert not [mark for mark in drawn if mark.partition(":")[0] in ("hand", "row", "at", "drawn")]

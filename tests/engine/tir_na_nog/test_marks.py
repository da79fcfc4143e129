"""Marks of Tír na nÓg: the touches for each line, and the lines that touches offer on a table."""

from __future__ import annotations

import pytest

from engine.game import legal
from engine.games.tir_na_nog import GAME
from engine.games.tir_na_nog.rules.state import TirNaNog
from engine.narrowing import narrow
from engine.reading import read
from engine.words import Locale
from tests.engine.tir_na_nog.tables import begun, playing, table, turn


@pytest.mark.parametrize(
    ("line", "marks"),
    [
        ("place a1a2", "spot:a1a2"),
        ("mark b1c1", "spot:b1c1"),
        ("take a1 a1a2", "cell:a1 / spot:a1a2"),
        ("keep a1a2", "drawn / spot:a1a2"),
        ("play great-oak middle", "hand:great-oak / row:middle"),
        ("discard great-oak", "hand:great-oak / discards"),
        ("wander a1b1 a1a2", "spot:a1b1 / spot:a1a2"),
        ("wander a1b1 a1a2 1", "spot:a1b1 / spot:a1a2 / say:seat1"),
        ("paint top6 blue", "at:top6 / say:blue"),
        ("adjust middle5 +2", "at:middle5 / say:+2"),
        ("swap top1 bottom2", "at:top1 / at:bottom2"),
        ("shift top1 bottom", "at:top1 / row:bottom"),
        ("eat top2", "at:top2"),
        ("stay", "say:stay"),
    ],
)
def test_a_line_is_said_by_what_it_names(line: str, marks: str) -> None:
    view = GAME.rules.view(begun(2), 0)
    assert GAME.presentation.marks(view, read(GAME, line, 0)) == tuple(
        tuple(word.split()) for word in marks.split(" / ")
    )


def offers(state: TirNaNog, clicks: str) -> list[str]:
    """The lines that these touches offer to seat 0."""
    view, options = GAME.rules.view(state, 0), list(legal(state, 0))
    found = narrow([GAME.presentation.marks(view, option) for option in options], tuple(clicks.split()))
    return [options[place].line for place in found.offered]


@pytest.mark.parametrize(
    ("clicks", "offered"),
    [
        ("", []),
        ("hand:hazel-grove", []),
        ("hand:hazel-grove row:middle", ["play hazel-grove middle"]),
        ("row:middle hand:hazel-grove", ["play hazel-grove middle"]),
        ("hand:lugh row:top", ["play lugh top"]),
    ],
)
def test_a_card_and_a_row_say_a_play_in_any_order(clicks: str, offered: list[str]) -> None:
    assert offers(table(*playing(), hands=("hazel-grove lugh misty-strand",)), clicks) == offered


def test_a_touch_on_a_storyteller_takes_where_only_one_card_can_be_taken() -> None:
    state = table(*turn(0), out=("a1a2",))
    assert offers(state, "spot:a1a2") == []
    assert offers(state, "cell:a2") == ["take a2 a1a2"]
    assert offers(state, "spot:a1a2 cell:a1") == ["take a1 a1a2"]


@pytest.mark.parametrize(
    ("mark", "locale", "name"),
    [
        ("hand:great-oak", "fr", "Grand chêne"),
        ("say:blue", "fr", "bleue"),
        ("say:-2", "en", "−2"),
    ],
)
def test_marks_have_names(mark: str, locale: Locale, name: str) -> None:
    assert GAME.presentation.mark_name is not None
    assert name.lower() in GAME.presentation.mark_name(GAME.rules.view(begun(2), 0), mark, locale).lower()

"""Marks of Keltis: the touches for each line, and their names."""

from __future__ import annotations

import pytest

from engine.game import legal
from engine.games.keltis import GAME
from engine.games.keltis.rules import Draw, Last
from engine.narrowing import narrow
from engine.picture import Group
from engine.reading import read
from engine.words import Locale
from tests.engine.keltis.tables import table

HAND = "R5 R5 B5 N5 YE"


@pytest.mark.parametrize(
    ("line", "marks"),
    [
        ("lay R5", "hand:R5 / row:R"),
        ("lay N5", "hand:N5 / row:N"),
        ("lay N5 R", "hand:N5 / row:R"),
        ("discard YE", "hand:YE / pile:Y"),
        ("discard N5", "hand:N5 / pile:N"),
        ("stone R5 R5", "hand:R5 / hand:R5 / stone:5"),
        ("stone R5 N5", "hand:R5 / hand:N5 / stone:5"),
        ("draw deck", "deck"),
        ("draw P", "pile:P"),
        ("last none", "say:none"),
        ("last R5 YE", "hand:R5 / hand:YE"),
        ("last N5:R R5", "hand:N5 row:R / hand:R5"),
        ("last N5", "hand:N5 row:N"),
    ],
)
def test_a_line_is_said_by_its_cards_and_where_they_go(line: str, marks: str) -> None:
    view = GAME.rules.view(table(HAND), 0)
    assert GAME.presentation.marks(view, read(GAME, line, 0)) == tuple(
        tuple(word.split()) for word in marks.split(" / ")
    )


@pytest.mark.parametrize(
    ("clicks", "offered"),
    [
        ("row:B", ["lay B5"]),
        ("hand:R5 row:R", ["lay R5"]),
        ("hand:R5 hand:R5", ["stone R5 R5"]),
        ("stone:5 hand:N5 hand:B5", ["stone B5 N5"]),
        ("pile:Y", ["discard YE"]),
        ("hand:R5", []),
    ],
)
def test_touches_on_a_table_offer_a_line(clicks: str, offered: list[str]) -> None:
    state = table(HAND, laid=("R: 5",))
    view, options = GAME.rules.view(state, 0), list(legal(state, 0))
    found = narrow([GAME.presentation.marks(view, option) for option in options], tuple(clicks.split()))
    assert [options[place].line for place in found.offered] == offered


@pytest.mark.parametrize(
    ("mark", "locale", "name"),
    [
        ("hand:RE", "en", "red End"),
        ("row:G", "en", "green row"),
        ("row:N", "fr", "série\N{NO-BREAK SPACE}: neutre"),
        ("pile:B", "fr", "défausse\N{NO-BREAK SPACE}: bleu"),
        ("stone:5", "fr", "Pierre de Vœux 5"),
        ("deck", "en", "deck"),
        ("say:none", "en", "no last cards"),
        ("say:none", "fr", "aucune dernière carte"),
    ],
)
def test_a_mark_has_a_name(mark: str, locale: Locale, name: str) -> None:
    assert GAME.presentation.mark_name is not None
    assert GAME.presentation.mark_name(GAME.rules.view(table(HAND), 0), mark, locale) == name


@pytest.mark.parametrize(
    ("mark", "english", "french"),
    [
        ("hand:R5", "red 5 (R5), twice ×2", "rouge 5 (R5), deux fois ×2"),
        ("hand:YE", "yellow End (YE)", "Fin jaune (JF)"),
        ("row:R", "Your red row (R), R5 R4, −3", "Votre série rouge (R), R5 R4, −3"),
        ("row:N", "Your Point row (N), empty", "Votre série neutre (N), vide"),
        ("pile:G", "Discards, green (G), green 3 on top of 2", "Défausse verte (V), vert 3 sur 2 cartes"),
        ("pile:B", "Discards, blue (B), blue 9, closed this turn", "Défausse bleue (B), bleu 9, fermée ce tour-ci"),
        ("deck", "Deck: 20", "Pioche\N{NO-BREAK SPACE}: 20"),
        ("stone:4", "Wish stone 4", "Pierre de Vœux 4"),
    ],
)
def test_what_can_be_touched_is_named_in_both_languages(mark: str, english: str, french: str) -> None:
    state = table(HAND, laid=("R: 5 4",), piles="G: 8 3; B: 9", step=Draw(0, 1, "B"))
    for narrow_one in (False, True):
        pictures = [
            GAME.presentation.picture(GAME.rules.view(state, 0), locale, narrow=narrow_one) for locale in ("en", "fr")
        ]
        told = [
            shape.label for shapes in pictures for shape in shapes if isinstance(shape, Group) and shape.mark == mark
        ]
        assert told == [english, french]


def test_last_cards_are_laid_in_the_order_in_which_they_are_touched() -> None:
    state = table("R3 R4", step=Last())
    view, options = GAME.rules.view(state, 0), list(legal(state, 0))
    marks = [GAME.presentation.marks(view, option) for option in options]
    for clicks in (("hand:R3", "hand:R4"), ("hand:R4", "hand:R3")):
        (place,) = narrow(marks, clicks).offered
        assert options[place].line == "last " + " ".join(click.removeprefix("hand:") for click in clicks)

"""What people type, in both languages, and what it is taken for."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import Action, Options, apply, legal, to_act
from engine.games.keltis.rules import Keltis
from engine.reading import Reader, Unclear
from engine.words import plain
from tests.engine.table import KELTIS, last_cards, table

PLAY = table("R5 N7 B9 PE R6 N6 G4 G4", laid=("R: 3; G: 7",), piles="G: 8; N: 2; R: 9; Y: 3")
LAST = last_cards("R6 N5", laid=("R: 2 3 5",))


def reader(state: Keltis) -> Reader:
    """A reader for the question to seat 0."""

    def ahead(action: Action[Any]) -> Options | None:
        then = apply(state, 0, action)
        return legal(then, 0) if 0 in to_act(then) else None

    return Reader(KELTIS, KELTIS.view(state, 0), legal(state, 0), ahead)


# fmt: off
MEANT = [
    ("1", "lay R5"),
    ("2.", "lay R6"),
    (" 17 ", "discard N7"),
    ("lay R5", "lay R5"),
    ("LAY R5", "lay R5"),
    ("lay r5", "lay R5"),
    ("lay red 5", "lay R5"),
    ("Lay the Red 5!", "lay R5"),
    ("play red 5", "lay R5"),
    ("poser rouge 5", "lay R5"),
    ("pose le rouge 5", "lay R5"),
    ("la r5", "lay R5"),
    ("défausser bleu 9", "discard B9"),
    ("DEFAUSSE BLEU 9", "discard B9"),
    ("défausse bleu 9", "discard B9"),
    ("disc blue 9", "discard B9"),
    ("throw blue 9", "discard B9"),
    ("lay pink end", "lay PE"),
    ("poser Fin rose", "lay PE"),
    ("lay point 7", "lay N7"),
    ("lay n7 green", "lay N7 G"),
    ("poser Point 7 vert", "lay N7 G"),
    ("stone green 4 green 4", "stone G4 G4"),
    ("stone green 4", "stone G4 G4"),
    ("pierre r6", "stone R6 N6"),
    ("discard b9, draw deck", "discard B9, draw deck"),
    ("discard b9; draw yellow", "discard B9, draw Y"),
    ("discard b9\ndraw points", "discard B9, draw N"),
    ("jette bleu 9, prends talon", "discard B9, draw deck"),
    ("défausse bleu 9, pioche jaune", "discard B9, draw Y"),
    ("1, draw g", "lay R5, draw G"),
    ("resign", "resign"),
]
LASTS = [
    ("1", "last none"),
    ("last none", "last none"),
    ("last nothing", "last none"),
    ("dernières rien", "last none"),
    ("last red 6", "last R6"),
    ("last N5:R R6", "last N5:R R6"),
    ("last point 5 red red 6", "last N5:R R6"),
]
UNCLEAR = [  # text, how the lines it may have meant begin
    ("", ""),
    ("   ", ""),
    ("0", ""),
    ("18", ""),
    ("999999999999999999999", ""),
    ("²", ""),
    ("hello", ""),
    ("red 7", ""),
    ("lay", "lay "),
    ("lay red", "lay R"),
    ("discard b9, draw", "draw "),
    ("discard b9, draw blue", ""),
    ("draw deck, discard b9", ""),
    ("lay R5 lay R6", ""),
    ("🍀", ""),
    ("lay " * 500, ""),
    ("x" * 5000, ""),
]
# fmt: on


@pytest.mark.parametrize(("text", "expected"), MEANT)
def test_what_a_play_may_be_called(text: str, expected: str) -> None:
    assert ", ".join(reader(PLAY).lines(text)) == expected


@pytest.mark.parametrize(("text", "expected"), LASTS)
def test_what_last_cards_may_be_called(text: str, expected: str) -> None:
    assert reader(LAST).lines(text) == (expected,)


@pytest.mark.parametrize(("text", "beginning"), UNCLEAR)
def test_what_is_not_understood_says_what_it_may_have_meant(text: str, beginning: str) -> None:
    with pytest.raises(Unclear) as error:
        reader(PLAY).lines(text)
    meant = error.value.meant
    assert bool(meant) == bool(beginning)
    assert len(meant) <= 6
    assert all(line.startswith(beginning) for line in meant)
    assert not error.value.stale


@pytest.mark.parametrize("state", [PLAY, LAST])
def test_every_number_and_every_line_of_the_menu_is_understood(state: Keltis) -> None:
    for number, option in enumerate(legal(state, 0), 1):
        assert reader(state).lines(str(number)) == (option.line,)
        assert reader(state).lines(option.line) == (option.line,)
        assert reader(state).lines(option.line.upper()) == (option.line,)


@pytest.mark.parametrize("locale", ["en", "fr"])
def test_canonical_words_are_understood_by_their_names(locale: str) -> None:
    for option in legal(PLAY, 0):
        names = " ".join(KELTIS.words.name(word, "en" if locale == "en" else "fr") for word in option.line.split())
        assert reader(PLAY).lines(names) == (option.line,)


@pytest.mark.parametrize(
    ("text", "bare"),
    [("Défausser", "defausser"), ("VŒU", "voeu"), ("l’As", "las"), ("  a\t b ", "a b"), ("N5:R, R6.", "n5:r r6")],
)
def test_plain_text(text: str, bare: str) -> None:
    assert plain(text) == bare

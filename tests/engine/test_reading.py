"""Text that people type, in both languages, and its meaning."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import Action, Game, Options, apply, legal, to_act
from engine.games import GAMES
from engine.games.keltis.rules import Keltis
from engine.games.tir_na_nog.rules.steps import PlaceStoryteller
from engine.reading import Reader, Unclear
from engine.words import plain
from tests.engine.keltis.tables import KELTIS, last_cards, table
from tests.engine.tain.tables import play as after_tain
from tests.engine.tain.tables import table as tain
from tests.engine.tir_na_nog.tables import table as tir

PLAY = table("R5 N7 B9 PE R6 N6 G4 G4", laid=("R: 3; G: 7",), piles="G: 8; N: 2; R: 9; Y: 3")
LAST = last_cards("R6 N5", laid=("R: 2 3 5",))


def reader(state: Keltis) -> Reader:
    """A reader for the question to seat 0."""

    def ahead(action: Action[Any]) -> Options | None:
        then = apply(state, 0, action)
        return legal(then, 0) if 0 in to_act(then) else None

    return Reader(KELTIS, KELTIS.rules.view(state, 0), legal(state, 0), ahead)


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


def of(game: Game[Any], state: Any, seat: int) -> Reader:  # noqa: ANN401  # of any game
    """A reader for the question to a seat, which sees nothing ahead."""
    return Reader(game, game.rules.view(state, seat), legal(state, seat))


# fmt: off
NOT_GUESSED = [  # whole words for a line that is not legal: this is reported, and no other line is meant
    ("discard red 1", "discard R1"),
    ("défausse rouge 1", "discard R1"),
    ("play pink 1", "lay P1"),
    ("drop the red 1", "discard R1"),
]
NUMBERS = ["disc red 1", "thr r1", "discar rouge 1"]
RIVALS = [  # at Táin `a` and `d` are boards too, and not only small words
    ("put boy d 3", "put B d3"),
    ("place the boy at d 3", "put B d3"),
    ("envoyer garçon d porte 3", "put B d3"),
    ("put boy 3", "put B 3"),
    ("put a boy at gate 3", "put B 3"),
    ("poser le garçon 3", "put B 3"),
    ("post a bluff at a 5", "put X a5"),
]
CORNERS = [  # a space that is taken does not become the corner beside it
    ("placer c1 c2", "place c1c2"),
    ("send C1 C2", "place c1c2"),
    ("put c1/c2", "place c1c2"),
    ("place b1b2c1c2", "place b1b2c1c2"),
]
# fmt: on


@pytest.mark.parametrize(("text", "line"), NOT_GUESSED)
def test_a_line_that_is_not_open_is_not_taken_for_another(text: str, line: str) -> None:
    state = table("R10 P10 B9 B8 G1 G2 Y1 Y2")
    assert reader(state).lines(text) == (line,)
    assert line not in {option.line for option in legal(state, 0)}


@pytest.mark.parametrize("text", NUMBERS)
def test_a_number_is_never_the_beginning_of_another(text: str) -> None:
    with pytest.raises(Unclear):
        reader(table("R10 P10 B9 B8 G1 G2 Y1 Y2")).lines(text)


def test_a_small_word_at_the_end_is_the_beginning_of_a_word() -> None:
    assert reader(table("R10 RE B9 B8 G1 G2 Y1 Y2")).lines("discard red en") == ("discard RE",)


@pytest.mark.parametrize(("text", "line"), RIVALS)
def test_boards_are_told_from_small_words(text: str, line: str) -> None:
    game = GAMES["tain"]
    state = after_tain(tain(4), "0 pass")
    assert of(game, state, 1).lines(text) == (line,)
    taken = after_tain(tain(4), "0 put X d3; 1 put X 5; 2 put X a5; 3 put W b3; 0 pass")
    assert of(game, taken, 1).lines(text) == (line,)


@pytest.mark.parametrize(("text", "line"), CORNERS)
def test_a_space_is_not_taken_for_a_corner(text: str, line: str) -> None:
    game = GAMES["tir-na-nog"]
    state = tir(PlaceStoryteller(0), sagas=("merrow-milliners",), out=("", "c1c2"))
    assert of(game, state, 0).lines(text) == (line,)
    with pytest.raises(Unclear):
        of(game, state, 0).lines("pla c1c2")


@pytest.mark.parametrize("state", [PLAY, LAST])
def test_every_number_and_every_line_of_the_menu_is_understood(state: Keltis) -> None:
    for number, option in enumerate(legal(state, 0), 1):
        assert reader(state).lines(str(number)) == (option.line,)
        assert reader(state).lines(option.line) == (option.line,)
        assert reader(state).lines(option.line.upper()) == (option.line,)


@pytest.mark.parametrize("locale", ["en", "fr"])
def test_canonical_words_are_understood_by_their_names(locale: str) -> None:
    for option in legal(PLAY, 0):
        names = " ".join(
            KELTIS.presentation.words.name(word, "en" if locale == "en" else "fr") for word in option.line.split()
        )
        assert reader(PLAY).lines(names) == (option.line,)


@pytest.mark.parametrize(
    ("text", "bare"),
    [("Défausser", "defausser"), ("VŒU", "voeu"), ("l’As", "las"), ("  a\t b ", "a b"), ("N5:R, R6.", "n5:r r6")],
)
def test_plain_text(text: str, bare: str) -> None:
    assert plain(text) == bare

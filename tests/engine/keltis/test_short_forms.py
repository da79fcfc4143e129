"""The short forms of Keltis for letters, each as the lines it stands for."""

from __future__ import annotations

import pytest

from engine.game import legal
from engine.games.keltis.rules import Keltis
from engine.playout import answer
from engine.reading import Reader, Unclear
from tests.engine.keltis.tables import KELTIS, after, last_cards, refusal, table

HAND = "R5 N7 B9 PE R6 N6 G4 G4"


def playing() -> Keltis:
    """Seat 0 is to play on turn 14 with a hand for every form."""
    return table(HAND, laid=("R: 3",), piles="G: 8; N: 2; R: 9; Y: 3", turn=14)


def meant(state: Keltis, text: str, seat: int = 0) -> tuple[str, ...]:
    """The lines a text stands for."""
    return Reader(KELTIS, KELTIS.rules.view(state, seat), legal(state, seat)).lines(text)


# fmt: off
TURNS = [
    ("#14 L R5 / D", ["lay R5", "draw deck"]),
    ("L N7 / G", ["lay N7", "draw G"]),
    ("L N7 R / D", ["lay N7 R", "draw deck"]),
    ("X B9 / N", ["discard B9", "draw N"]),
    ("L PE / D", ["lay PE", "draw deck"]),
    ("S R6 N6 / D ?", ["stone R6 N6", "draw deck"]),
    ("S G4 G4 / R D", ["stone G4 G4", "draw R", "draw deck"]),
    ("S N6 R6 / Y D", ["stone R6 N6", "draw Y", "draw deck"]),
    ("S R6, N6 / Y, D", ["stone R6 N6", "draw Y", "draw deck"]),
    ("s r6 n6/d ?", ["stone R6 N6", "draw deck"]),
    ("l r5/d", ["lay R5", "draw deck"]),
    ("#14 x b9 / n", ["discard B9", "draw N"]),
    ("#14L R5/D", ["lay R5", "draw deck"]),
    ("L R5", ["lay R5"]),
    ("L N7 N / D", ["lay N7", "draw deck"]),
    ("L R5 R / D", ["lay R5", "draw deck"]),
    ("lay R5 / deck", ["lay R5", "draw deck"]),
    ("pose R5 / pioche", ["lay R5", "draw deck"]),
    ("drop B9 / Y", ["discard B9", "draw Y"]),
    ("jette B9 / Y", ["discard B9", "draw Y"]),
    ("pierre G4 G4 / pioche Y", ["stone G4 G4", "draw deck", "draw Y"]),
    ("stone R6 N6 / deck", ["stone R6 N6", "draw deck"]),
]
# fmt: on


@pytest.mark.parametrize(("text", "expected"), TURNS)
def test_a_turn(text: str, expected: list[str]) -> None:
    assert list(meant(playing(), text)) == expected


@pytest.mark.parametrize(("text", "expected"), [row for row in TURNS if row[0] != "L N7 R / D"])
def test_every_line_of_a_turn_can_be_made(text: str, expected: list[str]) -> None:
    state = playing()
    for line in meant(state, text):
        state = after(state, f"0 {line}")
        if line == "draw deck":
            state = after(state, "* draw 0 P1")
    assert expected


def test_a_point_card_needs_its_value_on_the_row() -> None:
    assert refusal(playing(), "0 lay N7 R")
    assert not refusal(table(HAND, laid=("R: 7",)), "0 lay N7 R")


@pytest.mark.parametrize("text", ["/ Y", "/y", "#14 / Y"])
def test_the_second_draw_by_itself(text: str) -> None:
    state = after(playing(), "0 stone R6 N6", "0 draw deck", "* draw 0 P1")
    assert meant(state, text) == ("draw Y",)


# fmt: off
LAST = [
    ("F R6", "last R6"),
    ("F N5 R, R6", "last N5:R R6"),
    ("F N5 R R6", "last N5:R R6"),
    ("f n5 r,r6", "last N5:R R6"),
    ("F R6, N5", "last R6 N5"),
    ("F N5", "last N5"),
    ("F N5 N", "last N5"),
    ("F none", "last none"),
    ("F best", "last N5:R R6"),
    ("#14 F best", "last N5:R R6"),
    ("last N5 R, R6", "last N5:R R6"),
    ("fin N5 R, R6", "last N5:R R6"),
    ("fin none", "last none"),
    ("last N5:R R6", "last N5:R R6"),
    ("last none", "last none"),
]
# fmt: on


@pytest.mark.parametrize(("text", "expected"), LAST)
def test_last_cards(text: str, expected: str) -> None:
    state = last_cards("R6 N5", laid=("R: 1 2 3 3 5",), turn=14)
    assert meant(state, text) == (expected,)
    assert not refusal(state, f"0 {expected}")


# fmt: off
BEST = [  # hand, rows, the best answer
    ("", "", "last none"),
    ("R5 Y7", "", "last none"),
    ("R6 R7", "R: 3", "last R6 R7"),
    ("R6", "R: 3 4 5", "last R6"),
    ("N4", "", "last N4"),
    ("N4 N8", "", "last N4 N8"),
    ("N5 N8", "R: 2 3 5", "last N5:R N8"),
    ("R9 R10", "R: 1 2 3 3 4 4 5 5 6", "last none"),
    ("R9 N1", "R: 1 2 3 3 4 4 5 5 6", "last N1"),
    ("R9 Y9", "R: 1 2 3; Y: 1 2 3", "last R9 Y9"),
    ("R8 R9", "R: 1 2 3", "last R8 R9"),
    ("R6 RE", "R: 1 2 3", "last R6 RE"),
    ("R6 N5", "R: 2 3 5", "last R6 N5"),
    ("R6 N5", "R: 1 2 3 3 5", "last N5:R R6"),
    ("B3 N3 N5", "B: 7 6 5", "last B3 N3"),
]
# fmt: on


@pytest.mark.parametrize(("hand", "laid", "expected"), BEST)
def test_best_is_the_highest_total_with_fewest_cards_listed_first(hand: str, laid: str, expected: str) -> None:
    state = last_cards(hand, laid=(laid,))
    assert meant(state, "F best") == (expected,)
    assert answer(KELTIS, state, 0, KELTIS.bots.by_name[KELTIS.bots.stand_in], lambda _: 0).line == expected


@pytest.mark.parametrize("text", ["#13 L R5 / D", "#15 X B9 / N", "#1 / Y", "#140 F none"])
def test_a_guard_for_another_turn_is_stale(text: str) -> None:
    with pytest.raises(Unclear) as error:
        meant(playing(), text)
    assert error.value.stale


@pytest.mark.parametrize(
    "text",
    [
        "",
        "#14",
        "/",
        "L / D",
        "L NE / D",
        "S NE NE / D",
        "S NE N3",
        "S R6 / D",
        "X / D",
        "X R11 / D",
        "X NE",
        "L R5 RY / D",
        "L R5 Q / D",
        "L R5 / Z",
        "L R5 / D D D",
        "F NE",
        "F R6 B",
        "F R6, R7, R8",
        "F",
        "F R6 none",
        "hello",
        "Q R5",
        "L R5 / ? D",
    ],
)
def test_what_is_no_short_form_is_unclear(text: str) -> None:
    with pytest.raises(Unclear):
        meant(playing(), text)


def test_best_is_an_answer_to_last_cards_alone() -> None:
    with pytest.raises(Unclear):
        meant(playing(), "F best")

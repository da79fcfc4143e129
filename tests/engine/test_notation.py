"""Lines: what is one, how actions are written, and what is refused with which words."""

from __future__ import annotations

import pytest

from engine.game import CHANCE, HOUSE
from engine.games import GAMES
from engine.notation import NotALine, Number, is_line, read_setting, setting
from engine.reading import read

KELTIS = GAMES["keltis"]


# fmt: off
FORMS = [
    ("lay R5", True),
    ("last N5:R R6", True),
    ("put a,b_c+d|e-f 1", True),
    ("x" * 400, True),
    ("x" * 401, False),
    ("", False),
    (" lay R5", False),
    ("lay R5 ", False),
    ("lay  R5", False),
    ("lay\tR5", False),
    ("lay R5\n", False),
    ("last ?", False),
    ("play clúrachán", False),
    ("lay R5.", False),
    ("lay R٥", False),
]
# fmt: on


@pytest.mark.parametrize(("text", "good"), FORMS)
def test_the_form_of_a_line(text: str, good: bool) -> None:
    assert is_line(text) is good


# fmt: off
CANONICAL = [
    (CHANCE, "deal 0 R0 RE N10 Y3 Y3 G7 B10 P1"),
    (CHANCE, "deal 3 R0 RE N10 Y3 Y3 G7 B10 P1"),
    (CHANCE, "draw 1 G4"),
    (0, "draw deck"),
    (0, "draw N"),
    (1, "discard PE"),
    (1, "stone R6 N6"),
    (2, "lay R10"),
    (2, "lay N5 R"),
    (3, "last none"),
    (3, "last N10:P PE"),
    (0, "resign"),
    (0, "keys " + "A" * 43),
    (0, "keys " + "A" * 43 + "," + "-" + "b" * 42),
    (HOUSE, "timeout 1 1790000000000"),
    (HOUSE, "bot 0 steady"),
    (HOUSE, "seat 0 p4v8n2d6s0wa -"),
    (HOUSE, "keys 1 -"),
    (HOUSE, "pause long-rain"),
    (HOUSE, "resume"),
    (HOUSE, "end agreed"),
    (HOUSE, "end agreed 12 -3"),
]
# fmt: on


@pytest.mark.parametrize(("seat", "line"), CANONICAL)
def test_canonical_lines_read_back(seat: int, line: str) -> None:
    action = read(KELTIS, line, seat)
    assert action.line == line
    assert read(KELTIS, action.line, seat) == action


# fmt: off
REFUSED = [
    (0, "lay"),
    (0, "lay r5"),
    (0, "Lay R5"),
    (0, "lay R11"),
    (0, "lay R05"),
    (0, "lay NE"),
    (0, "lay R5 R R"),
    (0, "lay N5 N"),
    (0, "lay N5:R"),
    (0, "discard"),
    (0, "discard R5 R6"),
    (0, "stone R6"),
    (0, "stone RE RE"),
    (0, "stone R6 N6 Y6"),
    (0, "draw"),
    (0, "draw D"),
    (0, "draw deck deck"),
    (0, "last"),
    (0, "last none none"),
    (0, "last none R5"),
    (0, "last R5:R"),
    (0, "last N5:N"),
    (0, "resign now"),
    (0, "pause rain"),
    (0, "end agreed"),
    (0, "keys -"),
    (0, "keys abc"),
    (0, "flip R5"),
    (CHANCE, "deal 0 R0 ? R2"),
    (CHANCE, "deal R0 R1"),
    (CHANCE, "draw 00 R1"),
    (CHANCE, "draw -1 R1"),
    (CHANCE, "draw 99 R1"),
    (CHANCE, "resign"),
    (CHANCE, "pause rain"),
    (HOUSE, "resign"),
    (HOUSE, "lay R5"),
    (HOUSE, "pause"),
    (HOUSE, "pause Rain"),
    (HOUSE, "pause rain-"),
    (HOUSE, "resume now"),
    (HOUSE, "timeout 1"),
    (HOUSE, "timeout 1 -5"),
    (HOUSE, "timeout 1 05"),
    (HOUSE, "bot 0 Steady"),
    (HOUSE, "bot steady"),
    (HOUSE, "seat 0 short -"),
    (HOUSE, "keys 0 " + ",".join(["A" * 43] * 9)),
    (HOUSE, "end agreed +1 2"),
    (HOUSE, "end agreed -0 2"),
    (HOUSE, "end agreed 1000000000 2"),
]
# fmt: on


@pytest.mark.parametrize(("seat", "line"), REFUSED)
def test_other_lines_are_refused_with_a_reason(seat: int, line: str) -> None:
    with pytest.raises(NotALine) as error:
        read(KELTIS, line, seat)
    assert str(error.value)


@pytest.mark.parametrize(
    ("word", "number"),
    [("0", 0), ("7", 7), ("-3", -3), ("00", None), ("-0", None), ("+1", None), ("1.0", None), ("", None), ("٣", None)],
)
def test_numbers_have_one_form(word: str, number: int | None) -> None:
    assert Number(-10, 10).read(word) == number


def test_numbers_have_bounds() -> None:
    assert Number(0, 8).read("9") is None
    assert Number(0, 8).read("-1") is None
    assert Number().read(str(2**53 - 1)) == 2**53 - 1
    assert Number().read(str(2**53)) is None


@pytest.mark.parametrize(("value", "text"), [(True, "on"), (False, "off"), (3, "3"), (-2, "-2"), ("none", "none")])
def test_settings_are_written_and_read(value: str | int | bool, text: str) -> None:
    assert setting(value) == text
    assert read_setting(text, value) == value


@pytest.mark.parametrize(("text", "like"), [("yes", True), ("True", False), ("x", 1), ("01", 1)])
def test_other_settings_are_none(text: str, like: int | bool) -> None:
    assert read_setting(text, like) is None

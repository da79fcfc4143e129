"""Keltis: the worked examples of its rules, row by row, by their numbers."""

from __future__ import annotations

import pytest

from engine.game import CHANCE, Count, legal, to_act, winners
from engine.games.keltis.rules import Keltis, Last, Play
from tests.engine.keltis.second_referee import FULL
from tests.engine.keltis.tables import KELTIS, after, last_cards, lines, refusal, table

EVERY_CARD = " ".join(FULL)
FOUR_ENDED = ("R: 3 E; G: 5 E", "G: 4 E; Y: 2 E")


# fmt: off
LAYING = [  # number, row, card, lines that are open, lines that are not
    (1, "R:", "R0", "lay R0", ""),
    (2, "R:", "N5", "lay N5", "lay N5 R"),
    (3, "R:", "RE", "lay RE", ""),
    (4, "R: 3", "R3", "lay R3", ""),
    (4, "R: 3 3", "R2 R4", "lay R2, lay R4", ""),
    (5, "R: 3 3", "R6", "lay R6", ""),
    (5, "R: 3 3 6", "R5 R7", "lay R7", "lay R5"),
    (6, "R: 3 3 6 7 7", "R6", "", "lay R6"),
    (7, "R: 9 8 8 5 3", "R4 R3", "lay R3", "lay R4"),
    (9, "R: 10", "R0", "lay R0", ""),
    (10, "B: 4 5", "BE", "lay BE", ""),
    (11, "B: 4 5 E", "B6 N5 BE", "lay BE, lay N5", "lay B6, lay N5 B"),
    (13, "B: 4 5", "N5 N4", "lay N5 B, lay N5, lay N4", "lay N4 B"),
    (15, "B: 5 N5", "B5", "lay B5", ""),
    (15, "B: 5 N5 5", "B4 B6", "lay B4, lay B6", ""),
    (16, "B: E", "B4 N4 BE", "lay BE", "lay B4, lay N4 B"),
    (18, "R: 3", "B4", "lay B4", "lay B4 R"),
]
# fmt: on


@pytest.mark.parametrize(("number", "row", "hand", "allowed", "forbidden"), LAYING)
def test_laying(number: int, row: str, hand: str, allowed: str, forbidden: str) -> None:
    state = table(hand, laid=(row,))
    last = last_cards(hand, laid=(row,))
    for line in filter(None, allowed.split(", ")):
        assert line in lines(state), number
        assert _as_last(line) in lines(last), number
    for line in filter(None, forbidden.split(", ")):
        assert line not in lines(state), number
        assert refusal(state, f"0 {line}"), number
        assert _as_last(line) not in lines(last), number


def _as_last(line: str) -> str:
    verb, _, rest = line.partition(" ")
    assert verb == "lay"
    return f"last {rest.replace(' ', ':')}"


def test_3_a_row_of_one_end_card_is_one_long() -> None:
    assert after(table("RE"), "0 lay RE").rows[0][0] == ("RE",)


def test_9_after_the_only_zero_on_a_falling_row_only_ends_and_point_0_fit() -> None:
    state = table(" ".join(card for card in FULL if card not in ("R0", "R10")), laid=("R: 10 0",))
    assert [line for line in lines(state) if line.startswith("lay R") or line.endswith(" R")] == ["lay RE", "lay N0 R"]


def test_12_nothing_goes_on_a_row_with_two_ends() -> None:
    state = table(EVERY_CARD, laid=("B: 4 5 E E",))
    assert not [line for line in lines(state) if line.startswith("lay B") or line.endswith(" B")]


def test_19_a_pair_takes_the_stone() -> None:
    state = after(table("R6 N6 Y1 G1", piles="R: 2; Y: 4; N: 3"), "0 stone R6 N6")
    assert state.stones[0] == (6,)
    assert 6 not in state.line
    assert state.piles[0] == ("R2", "R6")
    assert state.piles[5] == ("N3", "N6")
    assert lines(state) == ["draw deck", "draw Y"]
    state = after(state, "0 draw Y")
    assert lines(state) == ["draw deck"]
    state = after(state, "0 draw deck", "* draw 0 G2")
    assert state.hands[0] == ("Y1", "Y4", "G1", "G2")
    assert state.agenda == (Play(1),)


def test_20_a_stone_is_taken_once() -> None:
    state = table("R6 N6", taken=(6,))
    assert lines(state) == ["lay R6", "lay N6", "discard R6", "discard N6"]
    assert refusal(state, "0 stone R6 N6")


@pytest.mark.parametrize("pair", ["R0 B0", "R10 G10", "RE BE", "RE RE", "R0 N0", "B10 N10"])
def test_21_pairs_without_a_stone(pair: str) -> None:
    state = table(pair)
    assert not [line for line in lines(state) if line.startswith("stone")]
    assert refusal(state, f"0 stone {pair}")


def test_22_both_copies_of_a_card_close_one_pile() -> None:
    state = after(table("G4 G4", piles="R: 2; G: 9; N: 3"), "0 stone G4 G4")
    assert state.piles[2] == ("G9", "G4", "G4")
    assert lines(state) == ["draw deck", "draw R", "draw N"]


def test_24_the_pile_one_discarded_on_is_closed() -> None:
    state = after(table("R5 Y1", piles="R: 2; B: 8"), "0 discard R5")
    assert lines(state) == ["draw deck", "draw B"]
    assert refusal(state, "0 draw R")
    following = after(state, "0 draw deck", "* draw 0 G2")
    assert "draw R" in lines(after(following.but(hands=(following.hands[0], ("Y9",))), "1 discard Y9"), 1)


def test_26_the_last_deck_card_ends_the_match() -> None:
    state = after(table("R5 Y1", "Y2", deck=1), "0 lay R5", "0 draw deck", "* draw 0 G2")
    assert state.cause == "deck-out"
    assert state.agenda == (Last(),)
    assert to_act(state) == {0, 1}


def test_27_a_pile_card_leaves_the_deck() -> None:
    state = after(table("R5 Y1", "Y2", piles="B: 8", deck=1), "0 lay R5", "0 draw B")
    assert state.agenda == (Play(1),)
    assert state.deck == 1


def test_29_a_second_draw_without_a_source_falls_away() -> None:
    state = table("R6 N6 Y1 Y2 Y3 Y4 Y5 Y6", piles="R: 2; N: 3", deck=1)
    state = after(state, "0 stone R6 N6", "0 draw deck", "* draw 0 G2")
    assert state.agenda == (Last(),)
    assert state.cause == "deck-out"
    assert len(state.hands[0]) == 7


def test_30_at_the_start_the_deck_is_the_only_source() -> None:
    state = after(table("Y9"), "0 discard Y9")
    assert lines(state) == ["draw deck"]
    assert refusal(state, "0 draw Y")


def test_31_a_second_end_card_ends_no_further_row() -> None:
    state = after(table("RE Y1", laid=FOUR_ENDED), "0 lay RE")
    assert lines(state) == ["draw deck"]
    assert after(state, "0 draw deck", "* draw 0 P1").agenda == (Play(1),)


def test_32_the_fifth_ended_row_stops_the_match_before_the_draw() -> None:
    state = table("Y1", "BE R1 R2 P4 P5 P6 P7 P8", laid=FOUR_ENDED, step=Play(1))
    state = after(state, "1 lay BE")
    assert state.cause == "five-ends"
    assert len(state.hands[1]) == 7
    assert to_act(state) == {0, 1}
    assert refusal(state, "1 draw deck")
    assert "last P4 P5" in lines(state, 1)


def test_34_a_point_card_then_the_next_value() -> None:
    state = last_cards("R6 N5", laid=("R: 2 3 5",))
    assert KELTIS.rules.scores(state)[0].counts[0] == Count("R", -2)
    state = after(state, "0 last N5:R R6", "1 last none")
    assert state.rows[0][0] == ("R2", "R3", "R5", "N5", "R6")
    assert KELTIS.rules.scores(state)[0].counts[0] == Count("R", 2)


def test_36_no_stones_among_last_cards() -> None:
    state = last_cards("R7 Y7")
    assert lines(state) == ["last none", "last R7", "last R7 Y7", "last Y7", "last Y7 R7"]
    assert refusal(state, "0 stone R7 Y7")
    assert refusal(state, "0 discard R7")


def test_37_an_end_card_and_a_point_card_at_last() -> None:
    state = last_cards("YE N2", laid=("Y: 1 2 3 3 4 5",))
    before = KELTIS.rules.scores(state)[0].total
    assert KELTIS.rules.scores(after(state, "0 last YE N2", "1 last none"))[0].total == before + 4


@pytest.mark.parametrize("hand", ["", "R5", "B4 N4 Y8"])
def test_38_none_is_always_an_answer(hand: str) -> None:
    state = last_cards(hand, laid=("B: E E",))
    assert lines(state)[0] == "last none"
    assert after(state, "0 last none", "1 last none").over


# fmt: off
SCORING = [  # number, row lengths R Y G B P, Point row, stones, total
    (39, (7, 4, 0, 2, 9), 3, 3, 21),
    (40, (1, 1, 1, 1, 1), 0, 0, -24),
    (41, (0, 0, 0, 0, 0), 0, 0, -4),
    (42, (4, 4, 4, 0, 0), 2, 2, 5),
    (44, (3, 3, 3, 3, 3), 0, 1, -11),
    (46, (9, 9, 9, 9, 9), 0, 5, 60),
    *((47, (n, 0, 0, 0, 0), 0, 2, points) for n, points in enumerate((0, -4, -3, -2, 1, 2, 3, 6, 7, 10, 10, 10))),
    *((48, (0, 0, 0, 0, 0), 0, n, points) for n, points in enumerate((-4, -1, 0, 4, 6, 10, 10, 10))),
]
# fmt: on


def long(lengths: tuple[int, ...], points: int) -> tuple[tuple[str, ...], ...]:
    """Rows of these lengths; which cards they hold does not matter to the count."""
    return (*((f"{colour}5",) * n for colour, n in zip("RYGBP", lengths, strict=True)), ("N5",) * points)


@pytest.mark.parametrize(("number", "lengths", "points", "stones", "total"), SCORING)
def test_scoring(number: int, lengths: tuple[int, ...], points: int, stones: int, total: int) -> None:
    state = table().but(rows=(long(lengths, points), long((0,) * 5, 0)), stones=(tuple(range(stones)), ()))
    score = KELTIS.rules.scores(state)[0]
    assert score.total == total, number
    assert sum(count.points for count in score.counts) == total


def test_49_equal_totals_share_the_win() -> None:
    a, c = long((7, 4, 0, 2, 9), 3), long((4, 4, 4, 0, 0), 2)
    state = table("", "", "").but(rows=(a, a, c), stones=((1, 2, 3), (4, 5, 6), (7, 8, 9)))
    assert [score.total for score in KELTIS.rules.scores(state)] == [21, 21, 9]
    assert winners(KELTIS, state) == (0, 1)


@pytest.mark.parametrize(("seats", "deck", "aside"), [(2, 55, 30), (3, 77, 0), (4, 69, 0)])
def test_50_51_counts_after_the_deal(seats: int, deck: int, aside: int) -> None:
    state: Keltis = KELTIS.rules.start(seats, {"start": 0})
    for seat in range(seats):
        assert to_act(state) == {CHANCE}
        dealt = [*FULL][seat * 8 : seat * 8 + 8]
        state = after(state, f"* deal {seat} {' '.join(dealt)}")
    view = KELTIS.rules.view(state, 0)
    assert (view.deck, view.aside, view.held) == (deck, aside, (8,) * seats)
    assert view.line == tuple(range(1, 10))
    assert len(state.unseen) == deck + aside
    assert list(legal(state, 0))

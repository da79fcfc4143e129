"""Keltis: its rulings, and how a match flows and is written, by the numbers of its rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.chance import seeded_pick
from engine.game import CHANCE, Seal, apply, legal, seal, to_act, winners
from engine.games.keltis.rules import Keltis, Last, Name, Play
from engine.reading import read
from engine.words import LOCALES, Locale
from tests.engine.keltis.tables import KELTIS, after, last_cards, lines, refusal, table
from tests.support.random_matches import played

FIRST = "R0 R1 R2 R3 R3 R4 R4 R5"
SECOND = "Y0 Y1 Y2 Y3 Y3 Y4 Y4 Y5"
WIDEST = "R10 Y10 G10 B10 P10 N10 R10 Y10"
FOUR_ENDED = ("R: 3 E; G: 5 E", "G: 4 E; Y: 2 E")


def fresh(seats: int = 2) -> Keltis:
    """Return a table before the deal, where seat 0 begins."""
    state: Keltis = KELTIS.rules.start(seats, {"start": 0})
    return state


def test_ruling_1_chance_draws_who_begins_unless_the_option_names_the_seat() -> None:
    dealt = (f"* deal 0 {FIRST}", f"* deal 1 {SECOND}", "* deal 2 G0 G1 G2 G3 G3 G4 G4 G5")
    for seat in range(3):
        assert to_act(after(KELTIS.rules.start(3), f"* start {seat}", *dealt)) == {seat}
        assert to_act(after(KELTIS.rules.start(3, {"start": seat}), *dealt)) == {seat}
    assert refusal(KELTIS.rules.start(3), "* start 3")
    assert refusal(KELTIS.rules.start(3), dealt[0])
    assert to_act(after(KELTIS.rules.start(3, revision=1), *dealt)) == {0}


def test_ruling_2_an_end_card_may_open_a_row_unless_switched_off() -> None:
    assert "lay RE" in lines(table("RE"))
    off = table("RE YE", laid=("Y: 4",), end_may_open=False)
    assert lines(off) == ["lay YE", "discard RE", "discard YE"]
    assert "last RE" not in lines(last_cards("RE", end_may_open=False))


def test_ruling_4_a_point_card_on_top_does_not_hide_the_value_below() -> None:
    state = table("N5 N6 R6", laid=("R: 5 N5 6",))
    assert [line for line in lines(state) if line.endswith(" R")] == ["lay N6 R"]


def test_ruling_7_a_short_second_draw_is_from_the_discards() -> None:
    state = table("R6 N6 Y1", piles="B: 8", deck=1)
    state = after(state, "0 stone R6 N6", "0 draw deck", "* draw 0 G2")
    assert lines(state) == ["draw B"]
    state = after(state, "0 draw B")
    assert state.agenda == (Last(),)
    assert state.hands[0] == ("Y1", "G2", "B8")


def test_ruling_7_can_be_switched_off() -> None:
    state = table("R6 N6 Y1", piles="B: 8", deck=1, short_second_draw=False)
    state = after(state, "0 stone R6 N6", "0 draw deck", "* draw 0 G2")
    assert state.agenda == (Last(),)
    assert state.piles[3] == ("B8",)


def test_a_stone_turn_may_take_the_pile_first_and_the_last_deck_card_second() -> None:
    state = after(table("R6 N6 Y1", piles="B: 8", deck=1), "0 stone R6 N6", "0 draw B")
    assert lines(state) == ["draw deck"]
    assert after(state, "0 draw deck", "* draw 0 G2").cause == "deck-out"


def test_ruling_11_last_cards_may_open_and_end_rows() -> None:
    assert {"last RE", "last Y3", "last N4", "last Y3 YE"} <= set(lines(last_cards("RE Y3 YE N4")))


def test_ruling_12_an_end_card_at_last_ends_nothing() -> None:
    state = last_cards("BE", "PE", laid=FOUR_ENDED, cause="deck-out")
    state = after(state, "0 last BE", "1 last PE")
    assert state.over
    assert state.cause == "deck-out"


def test_ruling_13_piles_are_open_in_full_to_everybody() -> None:
    state = table(piles="R: 2 5 E; N: 3")
    assert all(KELTIS.rules.view(state, viewer).piles[0] == ("R2", "R5", "RE") for viewer in (0, 1, None))


def test_ruling_15_and_16_length_counts_with_or_without_end_and_points_only_in_the_point_row() -> None:
    plain, ended = table(laid=("R: 1 2 3 N3",)), table(laid=("R: 1 2 3 E",))
    assert KELTIS.rules.scores(plain)[0].total == KELTIS.rules.scores(ended)[0].total == 1 - 4


def test_ruling_17_nobody_skips_a_draw() -> None:
    state = after(table("R5 Y1", "Y2"), "0 lay R5")
    assert to_act(state) == {0}
    assert refusal(state, "1 discard Y2")
    stone = after(table("R6 N6", "Y2"), "0 stone R6 N6", "0 draw deck", "* draw 0 G2")
    assert to_act(stone) == {0}


def test_ruling_18_nothing_ends_a_match_that_stands_still() -> None:
    state = table("R5", "G5", piles="Y: 1; B: 1")
    there, back = ("0 discard R5", "0 draw Y", "1 discard G5", "1 draw B"), ("0 discard Y1", "0 draw R")
    for _ in range(300):
        state = after(state, *there, *back, "1 discard B1", "1 draw G")
    assert state.turn == 1201
    assert to_act(state) == {0}


def test_ruling_22_a_point_card_sets_no_direction() -> None:
    assert {"lay B4", "lay B6"} <= set(lines(table("B4 B6", laid=("B: 5 N5",))))


def test_flow_2_unseen_cards_stand_in_the_order_of_cards() -> None:
    colour = ["0", "1", "2", *"3344556677", "8", "9", "10", "E", "E"]
    expected = [f"{name}{value}" for name in "RYGBP" for value in colour] + [f"N{value}" for value in range(11)]
    assert list(fresh().unseen) == expected
    state = after(fresh(), f"* deal 0 {FIRST}", f"* deal 1 {SECOND}", "0 discard R5", "0 draw deck")
    assert isinstance(state.agenda[0], Name)
    assert state.agenda[0].roll(state, lambda _: 0).line == "draw 0 R5"
    assert state.agenda[0].roll(state, lambda n: n - 1).line == "draw 0 N10"


@pytest.mark.parametrize(
    "row",
    [
        f"* deal 1 {FIRST}",
        "* deal 0 R0 R1 R2 R3 R3 R4 R4",
        f"* deal 0 {FIRST} R6",
        "* deal 0 R0 R0 R2 R3 R3 R4 R4 R5",
        "* deal 0 N1 N1 R2 R3 R3 R4 R4 R5",
        "* deal 0 RE RE RE R3 R3 R4 R4 R5",
        "* deal 0 NE R1 R2 R3 R3 R4 R4 R5",
        "* draw 0 R3",
        "* start 0",
        "* aside R0",
        f"0 deal 0 {FIRST}",
        "0 discard R3",
    ],
)
def test_flow_3_only_eight_unseen_cards_are_dealt_to_each_seat_in_order(row: str) -> None:
    assert refusal(fresh(), row)


def test_flow_3_the_order_of_a_deal_means_nothing() -> None:
    backwards = " ".join(reversed(FIRST.split()))
    assert after(fresh(), f"* deal 0 {FIRST}") == after(fresh(), f"* deal 0 {backwards}")
    assert refusal(after(fresh(), f"* deal 0 {FIRST}"), "* deal 1 R3 Y1 Y2 Y3 Y3 Y4 Y4 Y5")


def test_flow_5_after_draw_deck_only_chance_acts() -> None:
    state = after(table("R5 Y1", "R5", piles="B: 8"), "0 lay R5", "0 draw deck")
    assert to_act(state) == {CHANCE}
    assert not legal(state, 0)
    assert state.deck == 19
    for row in ("0 draw B", "1 discard R5", "* draw 1 G2", "* draw 0 R5", "* draw 0 Y1", "* draw 0 B8", "* draw deck"):
        assert refusal(state, row)
    assert not refusal(state, "* draw 0 Y2")
    assert to_act(after(table("R5 Y1", piles="B: 8"), "0 lay R5", "0 draw B")) == {1}


def test_flow_7_a_draw_sent_along_lapses_after_the_fifth_ended_row() -> None:
    state = after(table("BE Y1", laid=FOUR_ENDED), "0 lay BE")
    assert refusal(state, "0 draw deck")
    assert state.deck == 20


def test_flow_8_nothing_moves_before_the_last_answer() -> None:
    state = last_cards("R6 N5", "Y8", "", laid=("R: 5",))
    assert to_act(state) == {0, 1, 2}
    one = after(state, "2 last none")
    two = after(one, "0 last N5:R R6")
    assert to_act(two) == {1}
    assert (two.rows, two.hands) == (state.rows, state.hands)
    for viewer in (1, None):
        before, now = KELTIS.rules.view(one, viewer), KELTIS.rules.view(two, viewer)
        assert replace(now, asked=before.asked, answered=before.answered) == before
    assert lines(two, 1) == lines(state, 1)
    assert refusal(two, "0 last none")
    end = after(two, "1 last Y8")
    assert end.over
    assert end.rows[0][0] == ("R5", "N5", "R6")
    assert end.rows[1][1] == ("Y8",)


def test_flow_8_the_order_of_answers_changes_nothing() -> None:
    state = last_cards("R6 N5", "Y8", laid=("R: 5",))
    assert after(state, "0 last N5:R", "1 last Y8") == after(state, "1 last Y8", "0 last N5:R")


def test_flow_8_a_seat_with_nothing_to_lay_is_asked_too() -> None:
    state = last_cards("B4", laid=("B: E E",))
    assert lines(state) == ["last none"]
    assert 0 in to_act(state)


def test_flow_9_one_choice_is_one_line() -> None:
    assert lines(table("R3 R3 N5", laid=("G: 5",))) == [
        "lay R3",
        "lay N5",
        "lay N5 G",
        "stone R3 R3",
        "discard R3",
        "discard N5",
    ]
    for row in ("0 lay N5 N", "0 lay R3 R", "0 stone N5 G5", "0 discard R3 R3"):
        assert refusal(table("R3 R3 N5 G5", laid=("G: 7 6",)), row)


def test_flow_9_last_cards_keep_the_order_of_laying() -> None:
    state = last_cards("R6 N5 Y8", laid=("R: 5",))
    assert {"last N5:R R6", "last N5 R6", "last R6 N5", "last R6 Y8", "last Y8 R6"} <= set(lines(state))
    assert "last R6 N5:R" not in lines(state)


def test_flow_10_afterwards_hands_are_open() -> None:
    state = after(last_cards("R6 N5", "Y8"), "0 last R6", "1 last none")
    assert KELTIS.rules.view(state, None).left == (("N5",), ("Y8",))
    assert KELTIS.rules.view(last_cards("R6 N5", "Y8"), None).left == ()


def test_flow_11_who_resigns_of_two_loses_as_the_table_stands() -> None:
    state = after(table("R6", laid=("R: 1 2 3 4 5",)), "0 resign")
    assert state.over
    assert [score.total for score in KELTIS.rules.scores(state)] == [2 - 4, -4]
    assert winners(KELTIS, state) == (1,)


SEEN = [  # the seat that makes it, the line, what seats 0 and 1 and spectators see before the end
    ("*", f"deal 0 {FIRST}", f"deal 0 {FIRST}", "deal 0 ? ? ? ? ? ? ? ?", "deal 0 ? ? ? ? ? ? ? ?"),
    ("*", "draw 1 G4", "draw 1 ?", "draw 1 G4", "draw 1 ?"),
    ("0", "discard B9", "discard B9", "discard B9", "discard B9"),
    ("0", "stone R6 N6", "stone R6 N6", "stone R6 N6", "stone R6 N6"),
    ("1", "lay RE", "lay RE", "lay RE", "lay RE"),
    ("1", "lay N5 R", "lay N5 R", "lay N5 R", "lay N5 R"),
    ("0", "draw deck", "draw deck", "draw deck", "draw deck"),
    ("0", "draw N", "draw N", "draw N", "draw N"),
    ("0", "last none", "last none", "last ?", "last ?"),
    ("1", "last N5:R R6", "last ?", "last N5:R R6", "last ?"),
]


@pytest.mark.parametrize(("sign", "line", "zero", "one", "spectator"), SEEN)
def test_who_sees_which_line(sign: str, line: str, zero: str, one: str, spectator: str) -> None:
    seat = CHANCE if sign == "*" else int(sign)
    action = read(KELTIS, line, seat)
    assert [action.seen_by(seat, viewer) for viewer in (0, 1, None)] == [zero, one, spectator]
    sealed = seal(table(step=Last() if line.startswith("last") else Play(0)), action)
    assert sealed is (Seal.UNTIL_END if "?" in zero + one else Seal.NEVER)


def test_a_hand_is_its_owners_alone() -> None:
    state = table("R5 N5", "Y8")
    assert [KELTIS.rules.view(state, viewer).hand for viewer in (0, 1, None)] == [("R5", "N5"), ("Y8",), ()]
    assert KELTIS.rules.view(state, None).held == (2, 1)


@pytest.mark.parametrize("seats", KELTIS.rules.seats)
def test_what_a_seat_does_shows_it_nothing_of_other_hands(seats: int) -> None:
    for moment in played("keltis", seats, 7).some(30):
        if moment.seat == CHANCE:
            continue
        other = KELTIS.rules.redeal(moment.state, moment.seat, seeded_pick(9))
        for option in legal(moment.state, moment.seat):
            here, there = apply(moment.state, moment.seat, option), apply(other, moment.seat, option)
            assert to_act(here) == to_act(there)
            assert here.over or KELTIS.rules.view(here, moment.seat) == KELTIS.rules.view(there, moment.seat)


@pytest.mark.parametrize("locale", LOCALES)
def test_the_longest_rows_and_names_fit_the_table(locale: Locale) -> None:
    values = " ".join(f"{value} {value} N{value}" if 3 <= value <= 7 else f"{value} N{value}" for value in range(11))
    state = table(
        WIDEST, WIDEST, laid=(f"R: {values} E E", "Y: 3"), piles=f"Y: {values} E E", taken=tuple(range(1, 10))
    )
    for each in (state, after(state, "0 resign")):
        view = replace(
            KELTIS.rules.view(each, 0), names=("Maximiliane of the Long Strand", "Clurachan of the Long Strand")
        )
        assert max(map(len, KELTIS.presentation.text(view, locale).splitlines())) <= 78


def test_a_draw_from_the_deck_is_told_once() -> None:
    view = KELTIS.rules.view(table("R5"), 1)
    tell = KELTIS.presentation.tell
    assert len(tell(view, view, 0, "draw deck", "fr")) == 1
    assert tell(view, view, -1, "draw 0 ?", "fr") == ()
    assert tell(view, view, -1, "draw 0 B2", "en") == ("The card: B2.",)

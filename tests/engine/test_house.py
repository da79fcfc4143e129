"""Lines of the core: resigning, keys, and what the house decides."""

from __future__ import annotations

import pytest

from engine.game import Seal, apply, final_scores, legal, seal, to_act, winners
from engine.games import GAMES
from engine.reading import read
from tests.engine.keltis.tables import KELTIS, after, last_cards, refusal, table

KEY = "A" * 43
THREE = table("R5", "Y5", "G5")


# fmt: off
REFUSED = [  # rows before, the row, words of the reason
    ((), "! resume", "not paused"),
    (("! pause rain",), "! pause snow", "already paused"),
    (("! pause rain",), "0 discard R5", "paused"),
    (("! pause rain", "! resume"), "! resume", "not paused"),
    (("0 resign",), "0 resign", "already resigned"),
    ((), "! timeout 3 1790000000000", "no seat 3"),
    ((), "! bot 7 steady", "no seat 7"),
    ((), "! seat 3 p4v8n2d6s0wa -", "no seat 3"),
    ((), "! keys 3 -", "no seat 3"),
    ((), "! end agreed 1 2", "3 seats"),
    ((), "! end agreed 1 2 3 4", "3 seats"),
    (("! end agreed",), "0 resign", "over"),
    (("! end agreed",), "! pause rain", "over"),
    (("! end agreed",), "! end agreed", "over"),
    (("! end agreed",), f"0 keys {KEY}", "over"),
    (("! end agreed",), "0 discard R5", "over"),
    ((), "1 discard Y5", "turn of seat 1; waiting for seat 0"),
    ((), "* draw 0 G1", "turn of chance; waiting for seat 0"),
    ((), "! discard R5", "discard"),
]
# fmt: on


@pytest.mark.parametrize(("before", "row", "words"), REFUSED)
def test_what_cannot_be_made_says_why(before: tuple[str, ...], row: str, words: str) -> None:
    assert words in refusal(after(THREE, *before), row)


@pytest.mark.parametrize("row", ["! timeout 0 1790000000000", f"0 keys {KEY}", "! keys 1 -", f"! keys 1 {KEY}"])
def test_some_lines_change_nothing_on_the_table(row: str) -> None:
    assert after(THREE, row) == THREE


@pytest.mark.parametrize("row", ["0 resign", f"2 keys {KEY}", "! pause rain", "! end agreed"])
def test_lines_of_the_core_are_never_sealed_and_never_listed(row: str) -> None:
    sign, _, line = row.partition(" ")
    seat = -2 if sign == "!" else int(sign)
    state = last_cards("R5", "Y5", "G5")
    action = read(KELTIS, line, seat)
    assert seal(state, action) is Seal.NEVER
    assert action.seen_by(seat, None) == line
    assert action not in list(legal(state, seat))


def test_resigning_of_two_ends_the_match() -> None:
    state = after(table("R5", "Y5", laid=("R: 1 2 3 4",)), "1 resign")
    assert state.over
    assert not to_act(state)
    assert state.house.ended == "resign"
    assert winners(KELTIS, state) == (0,)


def test_who_resigned_loses_even_when_ahead() -> None:
    state = after(table("R5", "Y5", laid=("R: 1 2 3 4",)), "0 resign")
    totals = [score.total for score in final_scores(KELTIS, state)]
    assert totals[0] > totals[1]
    assert winners(KELTIS, state) == (1,)


def test_resigning_of_three_leaves_the_seat_to_the_stand_in() -> None:
    state = after(THREE, "0 resign", f"! bot 0 {KELTIS.bots.stand_in}")
    assert to_act(state) == {0}
    assert list(legal(state, 0)) == list(legal(THREE, 0))
    assert state.house.bots == ((0, KELTIS.bots.stand_in),)
    state = after(state, "0 lay R5", "0 draw deck", "* draw 0 R6", "! end agreed 9 1 1")
    assert winners(KELTIS, state) == (1, 2)


def test_out_of_turn_and_paused_seats_may_resign_and_change_keys() -> None:
    state = after(THREE, "! pause rain", f"1 keys {KEY}", "2 resign", "! timeout 0 5", "! resume")
    assert state.house.resigned == (2,)
    assert to_act(state) == {0}


def test_all_may_resign() -> None:
    assert winners(KELTIS, after(THREE, "0 resign", "1 resign", "2 resign")) == ()


def test_nobody_is_asked_while_paused() -> None:
    state = after(THREE, "! pause rain")
    assert not to_act(state)
    assert not legal(state, 0)
    assert KELTIS.rules.view(state, 0).asked == ()
    assert after(state, "! resume") == THREE


def test_a_pause_stops_chance_too() -> None:
    state = after(THREE, "0 lay R5", "0 draw deck", "! pause rain")
    assert refusal(state, "* draw 0 G1")
    assert not refusal(after(state, "! resume"), "* draw 0 G1")


def test_bots_and_players_change_seats() -> None:
    state = after(THREE, "! bot 1 steady", "! bot 0 random", "! bot 1 random")
    assert state.house.bots == ((0, "random"), (1, "random"))
    assert after(state, "! seat 1 p4v8n2d6s0wa -").house.bots == ((0, "random"),)


def test_the_house_ends_with_the_scores_it_decides() -> None:
    state = after(THREE, "! end agreed 5 -3 5")
    assert state.over
    assert state.house.ended == "agreed"
    assert [score.total for score in final_scores(KELTIS, state)] == [5, -3, 5]
    assert winners(KELTIS, state) == (0, 2)
    plain = after(THREE, "! end agreed")
    assert final_scores(KELTIS, plain) == KELTIS.rules.scores(THREE)


def test_the_house_may_end_a_paused_match() -> None:
    assert after(THREE, "! pause rain", "! end agreed").over


def test_sealed_answers_stay_unlaid_when_the_house_ends() -> None:
    state = after(last_cards("R5", "Y5"), "0 last R5", "! end agreed")
    assert state.over
    assert state.rows[0][0] == ()


def test_apply_takes_lines_of_the_core_in_every_game() -> None:
    for game in GAMES.values():
        state = game.rules.start(game.rules.seats[0])
        assert apply(state, -2, read(game, "end agreed", -2)).over

"""Cards of the Saga Phase of Tír na nÓg: Banshee, Mag Mell, Aengus's Brú and Cobblers."""

from __future__ import annotations

import pytest

from engine.game import CHANCE, Seal, apply, seal, to_act
from engine.games.tir_na_nog import GAME
from engine.games.tir_na_nog.rules.chance import DrawCard
from engine.games.tir_na_nog.rules.steps import EndTurn
from engine.playout import roll_chance
from engine.words import LOCALES
from tests.engine.tir_na_nog.tables import after, asked, card, cards, colours, lines, playing, refusal, table, turn


def test_the_banshee_is_asked_at_once_and_out_of_turn() -> None:
    grid, banshee = ". R2 . B1 B3 G1 G2 G3", ("", "keening-banshee")
    state = table(*turn(0), grid=grid, out=("a2a3", "a1a2 b3c3"), sagas=banshee, hands=("R1", "R1"))
    state = after(state, "0 take a2 a2a3")
    assert asked(state) == 1
    ends = "a1b1 b1c1 c1c2 c2c3 a3b3".split()
    assert lines(state, 1) == sorted(["stay", *(f"wander a1a2 {end}" for end in ends)])
    moved = after(state, "1 wander a1a2 a3b3")
    assert moved.out[1] == ("a3b3", "b3c3")
    assert lines(moved, 0, "play")
    stayed = after(state, "1 stay")
    assert stayed.out[1] == ("a1a2", "b3c3")
    assert lines(stayed, 0, "play")


def test_the_banshee_is_asked_again_and_again_and_by_the_owners_own_take() -> None:
    state = table(
        *turn(0),
        grid=". R2 . . B3 G1 G2 .",
        out=("a2a3 a1a2 a1a2",),
        sagas=("keening-banshee",),
        hands=("R1",),
    )
    state = after(state, "0 take a2 a2a3")
    assert lines(state, 0, "wander a1a2") == [
        "wander a1a2 a3b3",
        "wander a1a2 b1c1",
        "wander a1a2 b3c3",
        "wander a1a2 c1c2",
        "wander a1a2 c2c3",
    ]
    state = after(state, "0 wander a1a2 b3c3")
    assert "wander a1a2 b3c3" not in lines(state), "the second is asked with the first already moved"
    state = after(state, "0 wander a1a2 b1c1", "0 play ember-sprite top")
    assert lines(state) == ["take b3 b3c3", "take c1 b1c1"]
    state = after(state, "0 take b3 b3c3")
    assert lines(state, 0, "play"), "nobody was lost by this take"


def test_the_banshee_is_not_asked_without_a_target_or_for_one_lost_before() -> None:
    state = table(*turn(0), grid=". R2 . . . . . .", out=("a2a3", "a1a2"), sagas=("", "keening-banshee"), hands=("R1",))
    assert asked(after(state, "0 take a2 a2a3")) == 0
    lost_before = table(
        *turn(0), grid=". . R3 B1 B3 G1 G2 G3", out=("a3b3", "a1a2"), sagas=("", "keening-banshee"), hands=("R1",)
    )
    assert asked(after(lost_before, "0 take a3 a3b3")) == 0
    unharmed = table(*turn(0), out=("a2a3", "a1a2"), sagas=("", "keening-banshee"), hands=("R1",))
    assert asked(after(unharmed, "0 take a2 a2a3")) == 0
    nobodys = table(*turn(0), grid=". R2 R3 . . . . .", out=("a2a3", "a1a2"), hands=("R1", "keening-banshee"))
    assert asked(after(nobodys, "0 take a2 a2a3")) == 0, "effects work in the Saga, not in the hand"


def test_the_banshee_frees_a_storyteller_on_a_corner() -> None:
    state = table(
        *turn(0), grid=". R2 . . B3 G1 G2 G3", out=("a2a3", "a1a2b1b2"), sagas=("", "keening-banshee"), hands=("R1",)
    )
    state = after(state, "0 take a2 a2a3")
    assert lines(state, 1, "wander a1a2b1b2 a1a2") == []
    assert "wander a1a2b1b2 c1c2" in lines(state, 1)


def test_the_banshee_moves_its_owners_storyteller_from_a_shared_space() -> None:
    state = table(
        *turn(0), grid=". R2 . . B3 G1 G2 G3", out=("a2a3 a1a2", "a1a2"), sagas=("", "keening-banshee"), hands=("R1",)
    )
    state = after(state, "0 take a2 a2a3", "1 wander a1a2 c1c2")
    assert state.out == (("a1a2",), ("c1c2",))


def test_a_storyteller_saved_by_the_banshee_takes_its_turn() -> None:
    state = table(
        *turn(0), grid=". R2 . . B3 . . .", out=("a2a3", "a1a2"), sagas=("", "keening-banshee"), hands=("R1", "R3")
    )
    state = after(state, "0 take a2 a2a3", "1 wander a1a2 b3c3", "0 play ember-sprite top")
    assert lines(state, 1) == ["take b3 b3c3"]


def test_mag_mell_opens_the_whole_otherworld_to_one_take() -> None:
    state = table(*turn(0), grid=". . R3 B1 . . . .", out=("a1a2 a3b3", "c1c2"), hands=("mag-mell R1", "R1"))
    assert lines(state) == ["discard mag-mell", "take a3 a3b3"]
    state = after(state, "0 discard mag-mell")
    assert lines(state) == sorted(f"take {cell} {spot}" for cell in ("a3", "b1") for spot in ("a1a2", "a3b3"))
    state = after(state, "0 take b1 a1a2")
    assert state.discards == ("mag-mell",)
    assert lines(state, 0, "play")
    assert lines(state, 0, "discard") == []


def test_mag_mell_is_no_choice_on_an_echtra_turn_nor_in_the_turn_it_was_taken() -> None:
    state = table(EndTurn(1), grid=". . R3 . . . . .", out=("a1a2", "c1c2"), hands=("mag-mell R1", "R1"))
    assert lines(state) == ["take a3 a1a2"]
    taken = table(*turn(0), grid="mag-mell R2 R3 B1 B3 G1 G2 G3", out=("a1a2",), hands=("R1",))
    assert lines(after(taken, "0 take a1 a1a2"), 0, "discard") == []


def test_who_used_mag_mell_is_not_asked_at_cleanup() -> None:
    hands = ("R1 R2 R3 R4 mag-mell", "B1 B2 B3 B4 B5")
    state = table(*turn(0), grid="R5 R6 R7 B6 B7 G1 G2 G3", out=("a1a2", ""), hands=hands)
    state = after(state, "0 discard mag-mell", "0 take a1 a1a2", f"0 play {card('R1')} top")
    assert to_act(state) == {1}


def test_aengus_draws_first_on_every_echtra_turn_of_its_owner() -> None:
    steps = (EndTurn(1),)
    state = table(*steps, grid=". . R3 B1 . . . .", out=("a1a2 b3c3",), sagas=("aengus-bru",), hands=("R1 R2",))
    assert to_act(state) == {CHANCE}
    assert isinstance(state.agenda[0], DrawCard)
    assert refusal(state, "* draw 1 lugh")
    state = after(state, "* draw 0 lugh")
    assert lines(state) == ["discard lugh", "keep a1a2", "keep b3c3"]
    kept = after(state, "0 keep b3c3")
    assert kept.hands[0] == tuple(sorted((*cards("R1 R2"), "lugh")))
    assert kept.out[0] == ("a1a2",)
    assert kept.grid == state.grid
    again = after(kept, "0 play lugh top")
    assert to_act(again) == {CHANCE}, "for each Lost Storyteller"
    thrown = after(state, "0 discard lugh")
    assert thrown.discards == ("lugh",)
    assert lines(thrown) == ["take a3 a1a2", "take a3 b3c3", "take b1 a1a2", "take b1 b3c3"]
    thrown = after(thrown, "0 take a3 a1a2")
    assert lines(thrown, 0, "play")


def test_the_drawn_card_is_the_owners_secret() -> None:
    state = table(EndTurn(1), grid=". . R3 B1 . . . .", out=("a1a2", ""), sagas=("aengus-bru",), hands=("R1",))
    action = roll_chance(state, lambda n: n - 1)
    assert seal(state, action) is Seal.UNTIL_END
    assert action.seen_by(CHANCE, 1) == "draw 0 ?"
    assert action.seen_by(CHANCE, 0) == action.line
    state = apply(state, CHANCE, action)
    assert GAME.rules.view(state, 0).drawn
    assert not GAME.rules.view(state, 1).drawn
    assert not GAME.rules.view(state, None).drawn


def test_aengus_does_not_draw_on_an_ordinary_turn_nor_for_mag_mell() -> None:
    state = table(*turn(0), grid=". . R3 B1 . . . .", out=("a1a2 a3b3",), sagas=("aengus-bru",), hands=("mag-mell R1",))
    state = after(state, "0 discard mag-mell", "0 take b1 a1a2", "0 play ember-sprite top")
    assert lines(state) == ["take a3 a3b3"]


def test_the_cobblers_may_move_at_the_aengus_choice() -> None:
    text = "aengus-bru leipreachan-cobblers"
    state = table(EndTurn(1), grid=". . R3 . . . . .", out=("a1a2",), sagas=(text,), hands=("R1",))
    state = after(state, "* draw 0 lugh")
    assert lines(state) == ["discard lugh", "keep a1a2", "shift top2 bottom", "shift top2 middle"]
    state = after(state, "0 shift top2 middle")
    assert lines(state) == ["discard lugh", "keep a1a2"]


def test_the_cobblers_may_move_after_mag_mell() -> None:
    hand = "mag-mell R1"
    state = table(*turn(0), out=("a1a2",), sagas=("leipreachan-cobblers",), hands=(hand,))
    state = after(state, "0 discard mag-mell", "0 shift top1 middle")
    assert len(lines(state)) == 8
    assert all(line.startswith("take") for line in lines(state))


@pytest.mark.parametrize(
    ("text", "hand", "at", "offered"),
    [
        # Beside the take and the play, to the other rows; also to a row with five cards.
        ("leipreachan-cobblers", "R1", "take", "shift top1 middle, shift top1 bottom"),
        ("leipreachan-cobblers / R1 R2 R3 R4 R5", "R1", "play", "shift top1 middle, shift top1 bottom"),
        ("R1 / R2 leipreachan-cobblers", "R1", "play", "shift middle2 top, shift middle2 bottom"),
        ("R1", "leipreachan-cobblers", "take", ""),
    ],
)
def test_the_cobblers_move_themselves(text: str, hand: str, at: str, offered: str) -> None:
    steps = turn(0) if at == "take" else playing()
    state = table(*steps, sagas=(text,), hands=(hand,), out=("a1a2",))
    assert lines(state, 0, "shift") == sorted(filter(None, offered.split(", ")))


def test_the_cobblers_may_come_back_to_a_row_of_seven() -> None:
    # Five plays, the Valley's move and the Cobblers filled the row; then the Dock swapped the Cobblers out of it.
    text = "R1 R2 R3 R4 gancanaghs-valley G1 manannans-dock / B1 leipreachan-cobblers"
    state = after(table(*turn(0), out=("a1a2",), sagas=(text,), hands=("R5",)), "0 shift middle2 top")
    assert [placed.card for placed in state.sagas[0].rows[0] if placed][-1] == "leipreachan-cobblers"
    assert len(state.sagas[0].rows[0]) == 8
    assert lines(state.but(used=((), ())), 0, "shift") == ["shift top8 bottom", "shift top8 middle"]
    for locale in LOCALES:
        assert max(map(len, GAME.presentation.text(GAME.rules.view(state, 0), locale).splitlines())) <= 100


def test_the_cobblers_move_once_in_a_saga_phase() -> None:
    state = table(*turn(0), sagas=("leipreachan-cobblers R1",), hands=("R2",), out=("a1a2 b1c1",))
    state = after(state, "0 shift top1 bottom")
    assert colours(state) == ". R /  / G"
    assert lines(state, 0, "shift") == []
    state = after(state, "0 take a1 a1a2", "0 play raven-omen top")
    assert state.played == "top1", "the hole is filled first"
    assert lines(state, 0, "shift") == []
    assert [line.split()[0] for line in lines(state)] == ["take", "take"], "the next turn of the only seat that is out"


def test_the_cobblers_join_a_row_of_five_and_leave_it_at_six() -> None:
    state = table(*playing(), sagas=("leipreachan-cobblers / R1 R2 R3 R4 R5",), hands=("B1 B2",))
    state = after(state, "0 shift top1 middle")
    assert colours(state) == " / R R R R R G / "
    assert lines(state, 0, "play") == [f"play {card(each)} {row}" for each in ("B2", "B1") for row in ("bottom", "top")]


def test_the_cobblers_may_move_in_the_turn_they_are_played_or_stay() -> None:
    state = table(*playing(), sagas=("R1",), hands=("leipreachan-cobblers R2",), out=("", "a1a2"))
    state = after(state, "0 play leipreachan-cobblers top")
    assert lines(state) == ["shift top2 bottom", "shift top2 middle", "stay"]
    assert lines(after(state, "0 stay"), 1, "take")
    moved = after(state, "0 shift top2 middle")
    assert lines(moved, 1, "take")
    assert colours(moved) == "R / G / "


def test_the_cobblers_that_stayed_are_asked_again_next_turn() -> None:
    state = table(*playing(), sagas=("leipreachan-cobblers",), hands=("R1 R2",), out=("a1a2",))
    state = after(state, "0 play ember-sprite middle", "0 stay")
    assert lines(state, 0, "shift") == ["shift top1 bottom", "shift top1 middle"]


def test_the_cobblers_do_not_move_inside_the_question_of_another_card() -> None:
    state = table(*playing(), sagas=("leipreachan-cobblers",), hands=("dullaghan",))
    state = after(state, "0 play dullaghan top")
    assert lines(state) == ["paint top1 red", "stay"]
    assert lines(after(state, "0 stay")) == ["shift top1 bottom", "shift top1 middle", "stay"]


def test_cobblers_moved_by_the_valley_have_not_used_their_own_move() -> None:
    state = table(*playing(), sagas=("leipreachan-cobblers / R1",), hands=("gancanaghs-valley",))
    state = after(state, "0 play gancanaghs-valley middle", "0 shift top1 middle")
    assert lines(state) == ["shift middle3 bottom", "shift middle3 top", "stay"]


def test_cobblers_that_are_eaten_are_not_asked() -> None:
    state = table(*playing(), sagas=("leipreachan-cobblers",), hands=("hungry-oillipheist",), out=("", "a1a2"))
    state = after(state, "0 play hungry-oillipheist top", "0 eat top1")
    assert lines(state, 1, "take")

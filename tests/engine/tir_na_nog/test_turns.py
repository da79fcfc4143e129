"""Saga turns of Tír na nÓg: takes, the Echtra, and what may be played where."""

from __future__ import annotations

import pytest

from engine.games.tir_na_nog.rules.steps import EndTurn
from tests.engine.tir_na_nog.tables import after, asked, card, cards, colours, lines, playing, table, turn


@pytest.mark.parametrize(
    ("grid", "out", "offered"),
    [
        ("R1 R2 R3 B1 B3 G1 G2 G3", "a1a2 b1c1", "a1 a1a2, a2 a1a2, b1 b1c1, c1 b1c1"),
        ("R1 . R3 B1 B3 G1 G2 G3", "a1a2 a2a3", "a1 a1a2, a3 a2a3"),
        ("R1 R2 R3 B1 B3 G1 G2 G3", "a1a2 a2a3", "a1 a1a2, a2 a1a2, a2 a2a3, a3 a2a3"),
        ("R1 R2 R3 B1 B3 G1 G2 G3", "a1a2 a1a2", "a1 a1a2, a2 a1a2"),
        ("R1 R2 R3 B1 B3 G1 G2 G3", "a1a2b1b2", "a1 a1a2b1b2, a2 a1a2b1b2, b1 a1a2b1b2"),
        # One of two is Lost: only what the other touches.
        (". . R3 B1 B3 G1 G2 G3", "a1a2 a3b3", "a3 a3b3, b3 a3b3"),
    ],
)
def test_a_seat_takes_what_its_storytellers_touch(grid: str, out: str, offered: str) -> None:
    state = table(*turn(0), grid=grid, out=(out,), hands=("R1",))
    assert lines(state) == sorted(f"take {each}" for each in offered.split(", "))


def test_a_taken_card_goes_to_the_hand_and_the_storyteller_home() -> None:
    state = table(*turn(0), grid="R1 R2 R3 B1 B3 G1 G2 G3", out=("a1a2 a2a3",), hands=("Y1",))
    state = after(state, "0 take a2 a2a3")
    assert state.hands[0] == tuple(sorted(cards("Y1 R2")))
    assert state.out[0] == ("a1a2",)
    assert state.grid == (card("R1"), "", *cards("R3 B1 B3 G1 G2 G3"))


def test_a_seat_whose_storytellers_are_all_lost_is_passed_over_in_silence() -> None:
    state = table(EndTurn(1), grid=". . R3 B1 B3 G1 G2 G3", out=("a1a2", "a3b3"), hands=("mag-mell R1", "R1"))
    assert asked(state) == 1


def test_the_echtra_waits_until_only_lost_storytellers_are_out() -> None:
    grid = ". . . . B3 G1 . G3"
    state = table(EndTurn(0), seats=2, grid=grid, out=("a1a2 a1b1", "a2a3 b3c3"), hands=("R1 R2", "R1 R2"))
    state = after(state, "1 take b3 b3c3", "1 play ember-sprite top")
    assert asked(state) == 0, "the rotation goes on, it does not start afresh"
    assert lines(state) == sorted(f"take {cell} {spot}" for cell in ("c1", "c3") for spot in ("a1a2", "a1b1"))
    state = after(state, "0 take c1 a1b1", "0 play ember-sprite top")
    assert lines(state, 1) == ["take c3 a2a3"]
    state = after(state, "1 take c3 a2a3", "1 play raven-omen top")
    assert state.phase == "saga"
    assert asked(state) == 0


def test_the_loch_suspends_the_echtra() -> None:
    grid, out = "R1 R2 . . . G1 . G3", ("a3b3", "b3c3 c2c3")
    state = table(*playing(), grid=grid, out=out, hands=("dobhar-chu-loch", "R3 R4"))
    state = after(state, "0 play dobhar-chu-loch top", "0 wander a3b3 a1a2")
    assert asked(state) == 1, "seat 1 still touches c3"
    state = after(state, "1 take c3 c2c3", "1 play war-drum top")
    assert asked(state) == 0, "seat 0 touches cards again, seat 1 is Lost"
    assert lines(state, 0) == ["take a1 a1a2", "take a2 a1a2"]


@pytest.mark.parametrize(
    ("text", "hand", "geas", "offered"),
    [
        ("", "R1 R1 B2", "first", "R1 top, R1 middle, R1 bottom, B2 top, B2 middle, B2 bottom"),
        ("R1 R2 R3 R4 R5", "B2", "first", "B2 middle, B2 bottom"),
        # A hole does not help a row of five cards; one of four with a hole may be played to.
        ("R1 . R3 R4 R5 R6", "B2", "first", "B2 middle, B2 bottom"),
        ("R1 . R3 R4 R5", "B2", "first", "B2 top, B2 middle, B2 bottom"),
        # Diarmuid: printed colour against the current colour on the left.
        ("R1", "R2 B2", "diarmuid,fionn,cathbad", "B2 top, R2 middle, B2 middle, R2 bottom, B2 bottom"),
        ("R1=blue", "R2 B2", "diarmuid,fionn,cathbad", "R2 top, R2 middle, B2 middle, R2 bottom, B2 bottom"),
        ("R1 . R3", "B1", "diarmuid,fionn,cathbad", "B1 top, B1 middle, B1 bottom"),
        # A hole is filled by its left neighbour alone, and slot 1 is always allowed.
        ("R1 . B3", "B1", "diarmuid,fionn,cathbad", "B1 top, B1 middle, B1 bottom"),
        (". R3", "R1", "diarmuid,fionn,cathbad", "R1 top, R1 middle, R1 bottom"),
        # Deirdre: printed value against the current value on the left.
        (" / R4", "R4 R5", "oisin,deirdre,cathbad", "R4 top, R5 top, R4 middle, R4 bottom, R5 bottom"),
        (" / R4+2", "R6 R7", "oisin,deirdre,cathbad", "R6 top, R7 top, R6 middle, R6 bottom, R7 bottom"),
        (" / G1 water-kelpie", "R2 R3", "oisin,deirdre,cathbad", "R2 top, R3 top, R2 middle, R2 bottom, R3 bottom"),
        (
            " / R8",
            "water-kelpie",
            "oisin,deirdre,cathbad",
            "water-kelpie top, water-kelpie middle, water-kelpie bottom",
        ),
    ],
)
def test_what_may_be_played_where(text: str, hand: str, geas: str, offered: str) -> None:
    state = table(*playing(), sagas=(text,), hands=(hand,), geas=geas)
    expected = [each.split() for each in offered.split(", ")]
    assert lines(state) == sorted(f"play {card(name)} {row}" for name, row in expected)


def test_without_a_legal_play_a_card_is_discarded_without_effect() -> None:
    full = "B1 B2 B3 B4 B5 / G1 G2 G3 G4 G5"
    text = f"R1 / {full}"
    hands = ("R2 dullaghan",)
    state = table(*playing(), sagas=(text,), hands=hands, geas="diarmuid,fionn,cathbad")
    assert lines(state) == ["discard dullaghan", f"discard {card('R2')}"]
    state = after(state, "0 discard dullaghan")
    assert state.discards[:1] == ("dullaghan",)
    assert colours(state).startswith("R / ")


def test_the_cobblers_may_make_room_for_a_play() -> None:
    text = "R1 / leipreachan-cobblers B2 B3 B4 B5 / G1 G2 G3 G4 G5"
    state = table(*playing(), sagas=(text,), hands=("R2",), geas="diarmuid,fionn,cathbad")
    assert lines(state) == [f"discard {card('R2')}", "shift middle1 bottom", "shift middle1 top"]
    state = after(state, "0 shift middle1 bottom")
    assert lines(state) == [f"play {card('R2')} middle"]

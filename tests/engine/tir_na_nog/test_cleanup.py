"""Cleanup, deck and Scoring of Tír na nÓg, and what views show."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.chance import seeded_pick
from engine.game import CHANCE, Seal, apply, legal, seal, settle, to_act
from engine.games.tir_na_nog import GAME
from engine.games.tir_na_nog.rules.cards import DECK
from engine.games.tir_na_nog.rules.chance import LayOtherworld
from engine.games.tir_na_nog.rules.steps import Cleanup, EndTurn, Scoring
from engine.playout import roll_chance
from tests.engine.tir_na_nog.tables import after, asked, begun, card, cards, colours, lines, refusal, table


def test_cleanup_asks_all_at_once_and_shows_nothing_before_the_last_answer() -> None:
    hands = ("R1 R2 R3 R4 R5", "B1 B2 B3 B4 B5", "G1 G2 G3 G4 G5")
    state = table(LayOtherworld(), seats=3, hands=hands).but(agenda=(Cleanup(), LayOtherworld()), phase="cleanup")
    assert to_act(state) == {0, 1, 2}
    assert len(lines(state, 2)) == 5
    assert seal(state, next(iter(legal(state, 1)))) is Seal.UNTIL_REVEAL
    one = after(state, f"2 discard {card('G1')}")
    other = after(state, f"2 discard {card('G2')}")
    assert to_act(one) == {0, 1}
    assert GAME.rules.view(one, 0) == GAME.rules.view(other, 0)
    assert GAME.rules.view(one, 2).answer == card("G1")
    last = after(one, f"0 discard {card('R1')}", f"1 discard {card('B1')}")
    assert last.reveals == 1
    assert last.discards[:3] == cards("R1 B1 G1"), "in seat order, whoever answered first"
    assert [len(hand) for hand in last.hands] == [4, 4, 4]
    assert last.round == 2
    assert last.token == 1
    assert not last.grid


def test_the_last_card_leaves_by_itself_after_the_fifth_round() -> None:
    state = table(EndTurn(0), hands=("R1", "B1"), round=5)
    assert state.over
    assert state.hands == ((), ())
    assert state.discards[:2] == cards("R1 B1")
    assert state.reveals == 1


def test_an_empty_deck_is_made_anew_from_the_discards_even_while_the_otherworld_is_laid() -> None:
    left, thrown = cards("B1 B2 R1"), cards("Y8 G8 G7 G6 Y1 Y2")
    state = table(Cleanup()).but(agenda=(LayOtherworld(),), deck=tuple(sorted(left)), discards=thrown, grid=())
    asked_for: list[int] = []

    def first(n: int) -> int:
        asked_for.append(n)
        return 0

    action = roll_chance(state, first)
    assert asked_for == [3, 2, 1, 6, 5, 4, 3, 2]
    assert action.line == f"lay {' '.join([*sorted(left), *sorted(thrown)[:5]])}"
    assert action in legal(state, CHANCE)
    done = apply(state, CHANCE, action)
    assert done.deck == tuple(sorted(thrown)[5:])
    assert done.discards == ()
    mixed = " ".join([*sorted(thrown)[:1], *sorted(left), *sorted(thrown)[1:5]])
    assert refusal(state, f"* lay {mixed}"), "the rest of the old deck comes first"


def test_a_deck_that_is_just_enough_leaves_the_discards_alone() -> None:
    deck = tuple(sorted(cards("B1 B2 R1 R2 R3 R4 R5 R6")))
    state = table(Cleanup()).but(agenda=(LayOtherworld(), LayOtherworld()), deck=deck, discards=cards("Y1"), grid=())
    done = after(state, f"* lay {' '.join(deck)}")
    assert done.deck == ()
    assert done.discards == cards("Y1")


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_the_deck_runs_out_only_with_many_seats(seats: int) -> None:
    for seed in range(8):
        state, pick, before = GAME.rules.start(seats), seeded_pick(seed), 0
        remade, drawn = [], 0
        while seats_asked := to_act(state):
            seat = min(seats_asked)
            action = (
                roll_chance(state, pick) if seat == CHANCE else tuple(legal(state, seat))[pick(len(legal(state, seat)))]
            )
            drawn += action.verb == "draw"
            before, round_ = len(state.deck), state.round
            state = apply(state, seat, action)
            if len(state.deck) > before:
                remade.append(round_)
        if not drawn:
            assert remade == ([4] if seats == 5 else [])


def test_the_selkie_is_asked_in_scoring_order() -> None:
    sagas = ("selkie-cove", "B1 selkie-cove", "R1")
    state = settle(table(seats=3, sagas=sagas).but(agenda=(Scoring(),), token=1))
    assert asked(state) == 1
    assert lines(state, 1) == [f"paint top2 {colour}" for colour in ("blue", "green", "red", "yellow")]
    state = after(state, "1 paint top2 red")
    assert asked(state) == 0
    state = after(state, "0 paint top1 blue")
    assert state.over
    assert colours(state, 1) == "B R /  / "
    assert colours(state, 0) == "B /  / "


def test_the_token_passes_before_scoring() -> None:
    state = table(EndTurn(0), seats=3, token=2, round=5)
    assert state.over
    assert state.token == 0


def test_views_show_numbers_of_others_and_no_cards() -> None:
    state = begun(3)
    for viewer in (0, 1, 2, None):
        seen = GAME.rules.view(state, viewer)
        assert seen.held == (5, 5, 5)
        assert seen.hand == (state.hands[viewer] if viewer is not None else ())
        assert seen.deck == 96 - 15 - 12
        assert Counter(seen.grid) <= Counter(DECK)
        hidden = set(state.deck) | {each for seat, hand in enumerate(state.hands) for each in hand if seat != viewer}
        assert not (hidden - set(seen.hand) - set(seen.grid)) & set(repr(seen).split("'"))

"""The stand-in for an abandoned seat of Tír na nÓg."""

from __future__ import annotations

import pytest

from engine.chance import seeded_pick
from engine.game import CHANCE, apply, legal, to_act, winners
from engine.games.tir_na_nog import GAME
from engine.games.tir_na_nog.rules.state import TirNaNog
from engine.playout import answer, roll_chance
from engine.words import LOCALES
from tests.engine.conserved.tir_na_nog import conserved
from tests.engine.tir_na_nog.tables import after

LEAVER = 1


def on(state: TirNaNog, until: int, seed: int) -> TirNaNog:
    """The match up to the start of a round, or its end: bots of the house at their seats, chance for the others."""
    pick = seeded_pick(seed)
    while (asked := sorted(to_act(state))) and state.round < until:
        seat, bots = asked[0], dict(state.house.bots)
        if seat == CHANCE:
            action = roll_chance(state, pick)
        elif seat in bots:
            action = answer(GAME, state, seat, GAME.bots.by_name[bots[seat]], pick)
        else:
            options = tuple(legal(state, seat))
            action = options[pick(len(options))]
        state = apply(state, seat, action)
        conserved(state)
    return state


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_stand_in_goes_on_with_hand_saga_and_geas(seats: int) -> None:
    before = on(GAME.rules.start(seats), 3, seats)
    left = after(before, f"{LEAVER} resign", f"! bot {LEAVER} {GAME.bots.stand_in}")
    assert left.hands == before.hands
    assert left.sagas == before.sagas
    assert left.geas == before.geas
    assert left.out == before.out
    assert to_act(left) == to_act(before)
    end = on(left, 6, seats)
    assert end.over
    assert len(end.sagas[LEAVER].cards) >= 13
    assert LEAVER not in winners(GAME, end)
    assert winners(GAME, end)


def test_a_seat_that_ran_out_of_time_may_still_win() -> None:
    won = 0
    for seed in range(5):
        late = after(
            on(GAME.rules.start(3), 2, seed), "! timeout 1 1790000000000", f"! bot {LEAVER} {GAME.bots.stand_in}"
        )
        won += LEAVER in winners(GAME, on(late, 6, seed))
    assert won >= 4, "the stand-in plays in earnest, and its points count"


def test_a_player_may_take_the_seat_back() -> None:
    state = after(
        on(GAME.rules.start(3), 2, 1), f"! bot {LEAVER} {GAME.bots.stand_in}", f"! seat {LEAVER} abcdefghijkl -"
    )
    assert state.house.bots == ()


def test_players_are_told_in_both_languages() -> None:
    for locale in LOCALES:
        assert GAME.presentation.words.bot(GAME.bots.stand_in, locale) in GAME.presentation.rules_summary[locale]

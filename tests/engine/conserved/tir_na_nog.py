"""Invariants of Tír na nÓg: 96 cards, three Storytellers per seat, and the size of each hand at each moment."""

from __future__ import annotations

from collections import Counter

from engine.games.tir_na_nog.rules.cards import DECK
from engine.games.tir_na_nog.rules.chance import DealHand, LayOtherworld
from engine.games.tir_na_nog.rules.state import TirNaNog
from engine.games.tir_na_nog.rules.steps import Cleanup

ALL_CARDS = Counter(DECK)
LAID = {2: 8, 3: 12, 4: 15, 5: 18}


def conserved(state: TirNaNog) -> None:
    """Every card is somewhere, once."""
    assert ALL_CARDS.total() == 96
    found = Counter([*state.deck, *state.discards, *state.pile, *filter(None, [*state.grid, state.drawn])])
    for hand in state.hands:
        found.update(hand)
        assert hand == tuple(sorted(hand))
    for saga in state.sagas:
        found.update(placed.card for row in saga.rows for placed in row if placed)
        assert all(row[-1] for row in saga.rows if row), "a row ends with a hole"
        assert max(map(len, saga.rows)) <= 7
    assert found == ALL_CARDS
    assert state.deck == tuple(sorted(state.deck))
    _table(state)


def _table(state: TirNaNog) -> None:
    if state.house.ended:
        return
    step = state.agenda[0] if state.agenda else None
    people = [seat for seat in range(state.seats) if not (state.solo and seat == 1)]
    held = [len(state.hands[seat]) for seat in people]
    out = [len(spots) for spots in state.out]
    assert max(out) <= 3
    if isinstance(step, DealHand):
        assert held == [5] * people.index(step.seat) + [0] * (len(people) - people.index(step.seat))
    elif isinstance(step, LayOtherworld):
        assert not state.grid
        assert held == [6 - state.round] * len(people)
    elif state.phase == "journey":
        assert len(state.grid) == LAID[state.seats]
        assert all(state.grid)
        assert max(out) - min(out) <= 1
    elif isinstance(step, Cleanup):
        assert not any(out)
        assert all(count in {5 - state.round, 6 - state.round} for count in held)
    elif step is None:
        assert not any(held)
        assert not any(out)
    if state.solo:
        assert not state.hands[1]
        assert state.marker or state.phase == "setup"

"""Invariants of Keltis: 101 cards and nine stones, and the size of each hand at each moment."""

from __future__ import annotations

from collections import Counter

from engine.games.keltis.rules import Deal, Keltis, Last, Name, Play

COLOUR_CARDS = [f"{colour}{value}" for colour in "RYGBP" for value in (0, 1, 2, *(3, 4, 5, 6, 7) * 2, 8, 9, 10, *"EE")]
ALL_CARDS = Counter([*COLOUR_CARDS, *(f"N{value}" for value in range(11))])
SET_ASIDE = {2: 30, 3: 0, 4: 0}


def conserved(state: Keltis) -> None:
    """Every card and every stone is somewhere, once."""
    assert ALL_CARDS.total() == 101
    found = Counter(state.unseen)
    for hand in state.hands:
        found.update(hand)
    for rows in (*state.rows, state.piles):
        for row in rows:
            found.update(row)
    assert found == ALL_CARDS
    coming = bool(state.agenda) and isinstance(state.agenda[0], Name)
    assert len(state.unseen) == state.deck + SET_ASIDE[state.seats] + coming
    assert state.deck >= 0
    assert sorted([*state.line, *(stone for own in state.stones for stone in own)]) == list(range(1, 10))
    _hands(state)


def _hands(state: Keltis) -> None:
    held = [len(hand) for hand in state.hands]
    step = state.agenda[0] if state.agenda else None
    if isinstance(step, Deal):
        assert held == [8] * step.seat + [0] * (state.seats - step.seat)
    elif isinstance(step, Play):
        assert held == [8] * state.seats
    elif isinstance(step, Last):
        assert sorted(held) in ([8] * state.seats, [7] + [8] * (state.seats - 1))

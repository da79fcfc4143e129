"""Balor: his actions, and their reasons. He uses printed values only."""

from __future__ import annotations

from collections.abc import Iterable

from engine.game import Action, Options, Pick
from engine.games.tir_na_nog.rules.cards import CARDS
from engine.games.tir_na_nog.rules.otherworld import WALKS, occupied_spots, otherworld
from engine.games.tir_na_nog.rules.state import BALOR, HIGHEST, Gaze, TirNaNog
from engine.games.tir_na_nog.view import View

WORLD = otherworld(2)
DIFFICULTIES = {"gentle": 5, "easy": 3, "normal": 2, "hard": 1, "impossible": 0}
"""Number of cards of his pile that the person discards before the count. The rulebook has no `gentle`: it is ours."""


def choose_space(state: TirNaNog) -> Gaze:
    """Return his space for a Storyteller: the free one with the best sum, the first on the walk among equals."""
    sums = {space: sum(CARDS[state.grid[at]].value for at in WORLD.touched[space]) for space in WORLD.spaces}
    sign, walk, taken = (-1 if state.side == HIGHEST else 1), WALKS[state.marker], occupied_spots(state.out)
    liked = sorted(sums, key=lambda space: (sign * sums[space], walk[space]))
    free = [space for space in liked if space not in taken]
    best = sums[free[0]]
    tied = tuple(space for space in free if sums[space] == best)
    return Gaze(state.side, "place", best, tied, passed=tuple(liked[: liked.index(free[0])]))


def choose_card(state: TirNaNog) -> Gaze:
    """Return the card he takes: the best one his Storytellers touch, or any card once they are Lost.

    The walk breaks ties.
    """
    out = state.out[BALOR]
    near = {at for spot in out for at in WORLD.touched[spot] if state.grid[at]}
    cells = near or {at for at, card in enumerate(state.grid) if card}
    values = [CARDS[state.grid[at]].value for at in cells]
    best = max(values) if state.side == HIGHEST else min(values)
    tied = _in_walking_order(state.marker, [WORLD.cells[at] for at in cells if CARDS[state.grid[at]].value == best])
    chosen = WORLD.at[tied[0]]
    tellers = _in_walking_order(state.marker, [spot for spot in out if not near or chosen in WORLD.touched[spot]])
    return Gaze(state.side, "take", best, tied, tellers=tellers, echtra=not near)


def _in_walking_order(marker: str, places: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(places, key=WALKS[marker].__getitem__))


def bot(view: View, options: Options, pick: Pick) -> Action[TirNaNog]:  # noqa: ARG001  # he has no choice
    """Return the only line that Balor has."""
    return next(iter(options))

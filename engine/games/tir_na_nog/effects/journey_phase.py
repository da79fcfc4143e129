"""Journey Phase effects: further spots for a Storyteller."""

# ruff: noqa: ARG001  # effects of one timing share one signature, whether or not they need all of it

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Action, Seat
from engine.games.tir_na_nog.actions import PLACES
from engine.games.tir_na_nog.effects.registry import JOURNEY_PHASE, registered
from engine.games.tir_na_nog.otherworld import occupied, otherworld
from engine.games.tir_na_nog.saga import Here
from engine.games.tir_na_nog.state import TirNaNog

MOST_IN_A_SPACE = 2


@registered(JOURNEY_PHASE, "merrow-milliners")
def merrow_milliners(state: TirNaNog, seat: Seat, here: Here) -> Iterator[Action[TirNaNog]]:
    """Once in a Journey Phase, a Storyteller of yours may stand on a free corner and touches every card around it."""
    taken = occupied(state.out)
    yield from (PLACES[corner] for corner in otherworld(state.seats).corners if corner not in taken)


@registered(JOURNEY_PHASE, "bru-na-boinne")
def bru_na_boinne(state: TirNaNog, seat: Seat, here: Here) -> Iterator[Action[TirNaNog]]:
    """Once in a Journey Phase, a Storyteller of yours may join another one in its space, but not on a corner."""
    standing = [spot for spots in state.out for spot in spots]
    for space in otherworld(state.seats).spaces:
        if 0 < standing.count(space) < MOST_IN_A_SPACE:
            yield PLACES[space]

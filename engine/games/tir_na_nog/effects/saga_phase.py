"""Saga Phase effects: moving itself, opening the Otherworld, a draw for the lost, and the Banshee's interrupt."""

# ruff: noqa: ARG001  # effects of one timing share one signature, whether or not they need all of it

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Action, Seat
from engine.games.tir_na_nog.actions import DISCARDS, KEEPS, SHIFTS, STAY, wander
from engine.games.tir_na_nog.effects.registry import ECHTRA, FROM_HAND, LOST, SAGA_PHASE, registered
from engine.games.tir_na_nog.otherworld import otherworld
from engine.games.tir_na_nog.saga import ROWS, Here
from engine.games.tir_na_nog.state import TirNaNog

Offers = Iterator[Action[TirNaNog]]


@registered(SAGA_PHASE, "leipreachan-cobblers")
def leipreachan_cobblers(state: TirNaNog, seat: Seat, here: Here) -> Offers:
    """Once in a Saga Phase, in your turn, you may move this card to the first open slot of another row."""
    yield from (SHIFTS[here.point, row] for row in range(len(ROWS)) if row != here.point[0])


@registered(FROM_HAND, "mag-mell")
def mag_mell(state: TirNaNog, seat: Seat) -> Offers:
    """In your Saga turn, discard this card out of your hand: your take may then be any card of the Otherworld."""
    yield DISCARDS["mag-mell"]


@registered(ECHTRA, "aengus-bru")
def aengus_bru(state: TirNaNog, seat: Seat) -> Offers:
    """Before a Lost Storyteller of yours takes, draw a card: keep it as the card taken, or discard it and take one."""
    yield from (KEEPS[spot] for spot in dict.fromkeys(state.out[seat]))
    yield DISCARDS[state.drawn]


@registered(LOST, "keening-banshee")
def keening_banshee(state: TirNaNog, seat: Seat, spot: str) -> Offers:
    """As soon as a Storyteller of yours touches no card, you may move it to a free space that still has one or two."""
    world = otherworld(state.seats)
    ends = [space for space in world.free(state.out) if world.touches(space, state.grid)]
    if ends:
        yield from (wander(spot, end) for end in ends)
        yield STAY

"""Effects of the Journey Phase, the Saga Phase and Scoring: the offers of a card in a Saga."""

# ruff: noqa: ARG001  # effects of one timing share one signature, whether or not they need all of it

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Action, Seat
from engine.games.tir_na_nog.rules.actions import DISCARDS, KEEPS, PAINTS, PLACES, SHIFTS, STAY, wander
from engine.games.tir_na_nog.rules.cards import COLOURS
from engine.games.tir_na_nog.rules.effects import registry
from engine.games.tir_na_nog.rules.otherworld import occupied_spots, otherworld
from engine.games.tir_na_nog.rules.saga import ROWS, Here
from engine.games.tir_na_nog.rules.state import TirNaNog

Offers = Iterator[Action[TirNaNog]]


@registry.effect_of(registry.SAGA_PHASE, "leipreachan-cobblers")
def leipreachan_cobblers(state: TirNaNog, seat: Seat, here: Here) -> Offers:
    """Once in a Saga Phase, in your turn, you may move this card to the first open slot of another row."""
    yield from (SHIFTS[here.point, row] for row in range(len(ROWS)) if row != here.point[0])


@registry.effect_of(registry.FROM_HAND, "mag-mell")
def mag_mell(state: TirNaNog, seat: Seat) -> Offers:
    """In your Saga turn, discard this card out of your hand: your take may then be any card of the Otherworld."""
    yield DISCARDS["mag-mell"]


@registry.effect_of(registry.ECHTRA, "aengus-bru")
def aengus_bru(state: TirNaNog, seat: Seat) -> Offers:
    """Before a Lost Storyteller of yours takes, draw a card: keep it as the card taken, or discard it and take one."""
    yield from (KEEPS[spot] for spot in dict.fromkeys(state.out[seat]))
    yield DISCARDS[state.drawn]


@registry.effect_of(registry.LOST, "keening-banshee")
def keening_banshee(state: TirNaNog, seat: Seat, spot: str) -> Offers:
    """As soon as a Storyteller of yours touches no card, you may move it to a free space that still has one or two."""
    world = otherworld(state.seats)
    ends = [space for space in world.free(state.out) if world.touches(space, state.grid)]
    if ends:
        yield from (wander(spot, end) for end in ends)
        yield STAY


MOST_IN_A_SPACE = 2


@registry.effect_of(registry.JOURNEY_PHASE, "merrow-milliners")
def merrow_milliners(state: TirNaNog, seat: Seat, here: Here) -> Iterator[Action[TirNaNog]]:
    """Once in a Journey Phase, a Storyteller of yours may stand on a free corner and touches every card around it."""
    taken = occupied_spots(state.out)
    yield from (PLACES[corner] for corner in otherworld(state.seats).corners if corner not in taken)


@registry.effect_of(registry.JOURNEY_PHASE, "bru-na-boinne")
def bru_na_boinne(state: TirNaNog, seat: Seat, here: Here) -> Iterator[Action[TirNaNog]]:
    """Once in a Journey Phase, a Storyteller of yours may join another one in its space, but not on a corner."""
    standing = [spot for spots in state.out for spot in spots]
    for space in otherworld(state.seats).spaces:
        if 0 < standing.count(space) < MOST_IN_A_SPACE:
            yield PLACES[space]


@registry.effect_of(registry.SCORING, "selkie-cove")
def selkie_cove(state: TirNaNog, seat: Seat, here: Here) -> Iterator[Action[TirNaNog]]:
    """Choose any of the four colours: this card has it in the count."""
    yield from (PAINTS[here.point, colour] for colour in COLOURS)


@registry.effect_of(registry.POINTS, "tur-bhalair")
def tur_bhalair(here: Here) -> int:
    """1 point for each card of your Saga that is red now."""
    return sum(row.count("red") for row in here.saga.colours)

"""When Played effects: the offers of a card, made once, right after it was played."""

# ruff: noqa: ARG001  # effects of one timing share one signature, whether or not they need all of it

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.game import Action, Seat
from engine.games.tir_na_nog.rules.actions import ADJUSTS, EATS, PAINTS, SHIFTS, STAY, SWAPS, wander
from engine.games.tir_na_nog.rules.cards import CARDS
from engine.games.tir_na_nog.rules.effects.registry import WHEN_PLAYED, effect_of
from engine.games.tir_na_nog.rules.otherworld import occupied_spots, otherworld
from engine.games.tir_na_nog.rules.saga import Here
from engine.games.tir_na_nog.rules.state import TirNaNog

Offers = Iterator[Action[TirNaNog]]


def may(offers: list[Action[TirNaNog]]) -> Offers:
    """Return the offers and the choice to decline them; an empty list if there are none."""
    if offers:
        yield from offers
        yield STAY


@effect_of(WHEN_PLAYED, "fomoire-raiders", "wandering-puca", "dullaghan", "glastonbury-tor")
def painters(state: TirNaNog, seat: Seat, here: Here) -> Offers:
    """You may give one card beside this one the colour printed here, for good."""
    colour = CARDS[here.card].colour
    yield from may([PAINTS[point, colour] for point in here.near() if here.colour_at(point) != colour])


@effect_of(WHEN_PLAYED, "clurachan-brewery")
def clurachan_brewery(state: TirNaNog, seat: Seat, here: Here) -> Offers:
    """Takes the colour of a card beside it; it stays green only by a green one."""
    yield from (PAINTS[here.point, colour] for colour in here.near_colours())


@effect_of(WHEN_PLAYED, "manannans-dock")
def manannans_dock(state: TirNaNog, seat: Seat, here: Here) -> Offers:
    """You may let any two cards of your Saga change places, this one included."""
    yield from may([SWAPS[pair] for pair in combinations(here.saga.points, 2)])


@effect_of(WHEN_PLAYED, "gancanaghs-valley")
def gancanaghs_valley(state: TirNaNog, seat: Seat, here: Here) -> Offers:
    """If the slot to its right is empty, you may move any other card of your Saga into it."""
    row, slot = here.point
    if not here.saga.at((row, slot + 1)):
        yield from may([SHIFTS[point, row] for point in here.saga.points if point != here.point])


@effect_of(WHEN_PLAYED, "dobhar-chu-loch")
def dobhar_chu_loch(state: TirNaNog, seat: Seat, here: Here) -> Offers:
    """You may move anybody's Storyteller to a free space that still has both its cards."""
    world = otherworld(state.seats)
    ends = [space for space in world.free(state.out) if all(state.grid[at] for at in world.touched[space])]
    offers: list[Action[TirNaNog]] = []
    for spot in sorted(occupied_spots(state.out)):
        owners = [other for other in range(state.seats) if spot in state.out[other]]
        for whose in owners if len(owners) > 1 else [None]:
            offers += [wander(spot, end, whose) for end in ends]
    yield from may(offers)


@effect_of(WHEN_PLAYED, "hungry-oillipheist")
def hungry_oillipheist(state: TirNaNog, seat: Seat, here: Here) -> Offers:
    """You may discard a card beside it; it gains what that card was worth."""
    yield from may([EATS[point] for point in here.near()])


@effect_of(WHEN_PLAYED, "sly-bodach")
def sly_bodach(state: TirNaNog, seat: Seat, here: Here) -> Offers:
    """You may raise or lower a card beside it by 2, for good."""
    yield from may([adjust for point in here.near() for adjust in ADJUSTS[point]])

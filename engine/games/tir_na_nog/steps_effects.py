"""Questions that cards ask: the card just played, and the Banshee out of turn."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from engine.game import NOBODY, ONLY, Action, Seat, Step
from engine.games.tir_na_nog.effects.registry import LOST, WHEN_PLAYED
from engine.games.tir_na_nog.otherworld import otherworld
from engine.games.tir_na_nog.saga import POINT, Here
from engine.games.tir_na_nog.state import Asking, Asks, TirNaNog


@dataclass(frozen=True)
class Resolve(Asks, Step[TirNaNog]):
    """The card just played asks its owner."""

    seat: Seat
    place: str

    def asking(self, state: TirNaNog) -> Asking:
        return Asking("resolve", self.place, state.sagas[self.seat].card(POINT[self.place]).card)

    def actors(self, state: TirNaNog) -> frozenset[Seat]:
        return ONLY[self.seat]

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        here = Here(state.sagas[seat], POINT[self.place])
        return list(WHEN_PLAYED[here.card](state, seat, here))


@dataclass(frozen=True)
class Keen(Asks, Step[TirNaNog]):
    """A Storyteller has just lost its last card, and a card of its owner's Saga may move it."""

    seat: Seat
    spot: str
    card: str

    def asking(self, state: TirNaNog) -> Asking:
        return Asking("keen", self.spot, self.card)

    def actors(self, state: TirNaNog) -> frozenset[Seat]:
        return ONLY[self.seat] if self.options(state, self.seat) else NOBODY

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        return list(LOST[self.card](state, seat, self.spot))


def keened(state: TirNaNog, active: Seat, cell: str) -> TirNaNog:
    """The state after a card was taken: who can move a Storyteller just lost is asked, from the active seat on."""
    world = otherworld(state.seats)
    lost = [spot for spot in world.near[world.at[cell]] if not world.touches(spot, state.grid)]
    if not lost:
        return state
    asked = []
    for at in range(state.seats):
        seat = (active - at) % state.seats
        cards = [card for card in state.sagas[seat].cards if card in LOST]
        if cards:
            asked += [Keen(seat, spot, cards[0]) for spot in state.out[seat] if spot in lost]
    return state.first(*asked) if asked else state

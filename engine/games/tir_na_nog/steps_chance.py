"""The steps of chance: who begins, hands, the Otherworld, and single cards for Balor and for Aengus's Brú."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Action, Chance, Pick, Seat
from engine.games.tir_na_nog.actions_chance import Deal, Draw, Lay, Start, Turn
from engine.games.tir_na_nog.deck import draw, drawable
from engine.games.tir_na_nog.geas import BY_ROW, GEAS
from engine.games.tir_na_nog.otherworld import otherworld
from engine.games.tir_na_nog.saga import ROWS
from engine.games.tir_na_nog.state import BALOR, HAND, Asks, TirNaNog


@dataclass(frozen=True)
class Begin(Asks, Chance[TirNaNog]):
    """Chance names the seat with the first-player token, and the Geas if the option leaves them to it."""

    what = "start"

    def roll(self, state: TirNaNog, pick: Pick) -> Start:
        token = BALOR if state.solo else pick(state.seats)
        return Start(token, () if state.geas else tuple(slugs[pick(len(slugs))] for slugs in BY_ROW))

    def possible(self, state: TirNaNog, action: Action[TirNaNog]) -> bool:
        if not isinstance(action, Start) or not (action.token == BALOR if state.solo else action.token < state.seats):
            return False
        rows = tuple(GEAS[slug].row for slug in action.geas)
        return rows == (() if state.geas else ROWS)

    def picks(self, state: TirNaNog) -> int:
        return (0 if state.solo else 1) + (0 if state.geas else len(ROWS))


@dataclass(frozen=True)
class DealHand(Asks, Chance[TirNaNog]):
    """Chance deals five cards to a seat."""

    what = "deal"
    seat: Seat

    def roll(self, state: TirNaNog, pick: Pick) -> Deal:
        return Deal(self.seat, draw(state, pick, HAND))

    def possible(self, state: TirNaNog, action: Action[TirNaNog]) -> bool:
        return isinstance(action, Deal) and action.to == self.seat and drawable(state, action.cards, HAND)

    def picks(self, state: TirNaNog) -> int:
        return HAND


@dataclass(frozen=True)
class LayOtherworld(Asks, Chance[TirNaNog]):
    """Chance lays the cards of a round in reading order."""

    what = "lay"

    def roll(self, state: TirNaNog, pick: Pick) -> Lay:
        return Lay(draw(state, pick, self.picks(state)))

    def possible(self, state: TirNaNog, action: Action[TirNaNog]) -> bool:
        return isinstance(action, Lay) and drawable(state, action.cards, self.picks(state))

    def picks(self, state: TirNaNog) -> int:
        return len(otherworld(state.seats).cells)


@dataclass(frozen=True)
class TurnCard(Asks, Chance[TirNaNog]):
    """Chance turns a card before a line of Balor."""

    what = "turn"

    def roll(self, state: TirNaNog, pick: Pick) -> Turn:
        return Turn(*draw(state, pick, 1))

    def possible(self, state: TirNaNog, action: Action[TirNaNog]) -> bool:
        return isinstance(action, Turn) and drawable(state, (action.card,), 1)

    def picks(self, state: TirNaNog) -> int:
        return 1


@dataclass(frozen=True)
class DrawCard(Asks, Chance[TirNaNog]):
    """Chance draws a card for the owner of Aengus's Brú."""

    what = "draw"
    seat: Seat

    def roll(self, state: TirNaNog, pick: Pick) -> Draw:
        return Draw(self.seat, *draw(state, pick, 1))

    def possible(self, state: TirNaNog, action: Action[TirNaNog]) -> bool:
        return isinstance(action, Draw) and action.to == self.seat and drawable(state, (action.card,), 1)

    def picks(self, state: TirNaNog) -> int:
        return 1

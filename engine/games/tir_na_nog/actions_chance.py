"""What chance does in Tír na nÓg: who begins, hands, the Otherworld, and single cards."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Action, Seal, Seat
from engine.games.tir_na_nog.cards import CARDS
from engine.games.tir_na_nog.deck import drawn_from, held
from engine.games.tir_na_nog.geas import GEAS
from engine.games.tir_na_nog.state import OTHER_SIDE, TirNaNog
from engine.notation import SEAT, Hidden, word, words
from engine.tuples import put


@dataclass(frozen=True)
class Start(Action[TirNaNog]):
    """Chance names the seat that begins, and the Geas where they are left to chance."""

    verb = "start"
    token: int = word(SEAT)
    geas: tuple[str, ...] = words(GEAS)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        return state.but(token=self.token, geas=self.geas or state.geas)


@dataclass(frozen=True)
class Deal(Action[TirNaNog]):
    """Chance deals a hand."""

    verb, sealed = "deal", Seal.UNTIL_END
    to: int = word(SEAT)
    cards: tuple[str, ...] = words(CARDS, hidden=Hidden.EACH)

    def owner(self, seat: Seat) -> Seat:
        return self.to

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        deck, discards = drawn_from(state, self.cards)
        return state.but(deck=deck, discards=discards, hands=put(state.hands, self.to, held((), *self.cards)))


@dataclass(frozen=True)
class Lay(Action[TirNaNog]):
    """Chance lays the Otherworld; from the second round on Balor's card is flipped."""

    verb = "lay"
    cards: tuple[str, ...] = words(CARDS)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        deck, discards = drawn_from(state, self.cards)
        side = OTHER_SIDE[state.side] if state.solo and state.round > 1 else state.side
        return state.but(deck=deck, discards=discards, grid=self.cards, side=side)


@dataclass(frozen=True)
class Turn(Action[TirNaNog]):
    """Chance turns a card onto the discards for Balor; an Ailm flips his card."""

    verb = "turn"
    card: str = word(CARDS)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        deck, discards = drawn_from(state, (self.card,))
        ailm = CARDS[self.card].ailm
        side = OTHER_SIDE[state.side] if ailm else state.side
        return state.but(deck=deck, discards=(*discards, self.card), turned=self.card, flipped=ailm, side=side)


@dataclass(frozen=True)
class Draw(Action[TirNaNog]):
    """Chance draws a card for Aengus's Brú."""

    verb, sealed = "draw", Seal.UNTIL_END
    to: int = word(SEAT)
    card: str = word(CARDS, hidden=Hidden.EACH)

    def owner(self, seat: Seat) -> Seat:
        return self.to

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        deck, discards = drawn_from(state, (self.card,))
        return state.but(deck=deck, discards=discards, drawn=self.card, drawer=self.to)

"""Lines and steps of chance: the first seat, hands, the Otherworld, and single cards for Balor and Aengus's Brú."""

from __future__ import annotations

from engine.dealing import DealToSeat, OnePick
from engine.game import Action, Chance, Pick, Seat
from engine.games.tir_na_nog.rules.cards import CARDS
from engine.games.tir_na_nog.rules.geas import BY_ROW, GEAS
from engine.games.tir_na_nog.rules.otherworld import otherworld
from engine.games.tir_na_nog.rules.saga import ROWS
from engine.games.tir_na_nog.rules.state import (
    BALOR,
    HAND,
    OTHER_SIDE,
    Asks,
    TirNaNog,
    can_draw,
    draw_cards,
    hand_with,
    remove_drawn,
)
from engine.notation import SEAT, Hidden, word, words
from engine.tuples import put


class Start(Action[TirNaNog]):
    """Chance names the seat that begins, and the Geas if they are left to chance."""

    verb = "start"
    token: int = word(SEAT)
    geas: tuple[str, ...] = words(GEAS)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        return state.but(token=self.token, geas=self.geas or state.geas)


class Deal(DealToSeat[TirNaNog]):
    """Chance deals a hand."""

    verb = "deal"
    cards: tuple[str, ...] = words(CARDS, hidden=Hidden.EACH)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        deck, discards = remove_drawn(state, self.cards)
        return state.but(deck=deck, discards=discards, hands=put(state.hands, self.to, hand_with((), *self.cards)))


class Lay(Action[TirNaNog]):
    """Chance lays the Otherworld. From the second round on, Balor's card is flipped."""

    verb = "lay"
    cards: tuple[str, ...] = words(CARDS)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        deck, discards = remove_drawn(state, self.cards)
        side = OTHER_SIDE[state.side] if state.solo and state.round > 1 else state.side
        return state.but(deck=deck, discards=discards, grid=self.cards, side=side)


class Turn(Action[TirNaNog]):
    """Chance turns a card onto the discards for Balor. An Ailm flips his card."""

    verb = "turn"
    card: str = word(CARDS)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        deck, discards = remove_drawn(state, (self.card,))
        ailm = CARDS[self.card].ailm
        side = OTHER_SIDE[state.side] if ailm else state.side
        return state.but(deck=deck, discards=(*discards, self.card), turned=self.card, flipped=ailm, side=side)


class Draw(DealToSeat[TirNaNog]):
    """Chance draws a card for Aengus's Brú."""

    verb = "draw"
    card: str = word(CARDS, hidden=Hidden.EACH)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        deck, discards = remove_drawn(state, (self.card,))
        return state.but(deck=deck, discards=discards, drawn=self.card, drawer=self.to)


class Begin(Asks, Chance[TirNaNog]):
    """Chance names the seat with the first-player token, and the Geas if the option leaves them to chance."""

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


class DealHand(Asks, Chance[TirNaNog]):
    """Chance deals five cards to a seat."""

    what = "deal"
    seat: Seat

    def roll(self, state: TirNaNog, pick: Pick) -> Deal:
        return Deal(self.seat, draw_cards(state, pick, HAND))

    def possible(self, state: TirNaNog, action: Action[TirNaNog]) -> bool:
        return isinstance(action, Deal) and action.to == self.seat and can_draw(state, action.cards, HAND)

    def picks(self, state: TirNaNog) -> int:
        return HAND


class LayOtherworld(Asks, Chance[TirNaNog]):
    """Chance lays the cards of a round in reading order."""

    what = "lay"

    def roll(self, state: TirNaNog, pick: Pick) -> Lay:
        return Lay(draw_cards(state, pick, self.picks(state)))

    def possible(self, state: TirNaNog, action: Action[TirNaNog]) -> bool:
        return isinstance(action, Lay) and can_draw(state, action.cards, self.picks(state))

    def picks(self, state: TirNaNog) -> int:
        return len(otherworld(state.seats).cells)


class TurnCard(Asks, OnePick[TirNaNog]):
    """Chance turns a card before a line of Balor."""

    what = "turn"

    def roll(self, state: TirNaNog, pick: Pick) -> Turn:
        return Turn(*draw_cards(state, pick, 1))

    def possible(self, state: TirNaNog, action: Action[TirNaNog]) -> bool:
        return isinstance(action, Turn) and can_draw(state, (action.card,), 1)


class DrawCard(Asks, OnePick[TirNaNog]):
    """Chance draws a card for the owner of Aengus's Brú."""

    what = "draw"
    seat: Seat

    def roll(self, state: TirNaNog, pick: Pick) -> Draw:
        return Draw(self.seat, *draw_cards(state, pick, 1))

    def possible(self, state: TirNaNog, action: Action[TirNaNog]) -> bool:
        return isinstance(action, Draw) and action.to == self.seat and can_draw(state, (action.card,), 1)

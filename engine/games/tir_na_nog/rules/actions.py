"""All actions of seats in Tír na nÓg: each has one line and one effect on the table."""

from __future__ import annotations

from functools import cache
from itertools import combinations

from engine.game import Action, Seat
from engine.games.tir_na_nog.rules.cards import CARDS, COLOURS
from engine.games.tir_na_nog.rules.chance import Deal, Draw, Lay, Start, Turn
from engine.games.tir_na_nog.rules.otherworld import CELLS, LARGEST, SPOTS, otherworld
from engine.games.tir_na_nog.rules.saga import PLACE, POINT, ROWS, Placed, Saga
from engine.games.tir_na_nog.rules.state import BALOR, TirNaNog, hand_with
from engine.notation import SEAT, Hidden, maybe, word
from engine.tuples import put, without

STEPS_OF_VALUE = ("+2", "-2")
ROW_AT = {row: at for at, row in enumerate(ROWS)}
CORNERS = frozenset(LARGEST.corners)


def with_saga(state: TirNaNog, seat: Seat, saga: Saga) -> TirNaNog:
    """Return the state with another Saga for this seat."""
    return state.but(sagas=put(state.sagas, seat, saga))


def spend(state: TirNaNog, seat: Seat, card: str) -> tuple[tuple[str, ...], ...]:
    """Return the used effects with one more."""
    return put(state.used, seat, (*state.used[seat], card))


class Mark(Action[TirNaNog]):
    """The person puts Balor's marker on a space, where it stays for the whole match."""

    verb = "mark"
    spot: str = word(LARGEST.touched)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        return state.but(marker=self.spot)


class Place(Action[TirNaNog]):
    """A Storyteller goes to a spot. A corner uses Merrow Milliners, an occupied space uses Brú na Bóinne."""

    verb = "place"
    spot: str = word(LARGEST.touched)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        spot, out = self.spot, state.out
        used = state.used
        if spot in CORNERS:
            used = spend(state, seat, "merrow-milliners")
        elif any(spot in spots for spots in out):
            used = spend(state, seat, "bru-na-boinne")
        return state.but(out=put(out, seat, tuple(sorted((*out[seat], spot)))), used=used)


class Take(Action[TirNaNog]):
    """A card leaves the Otherworld with a Storyteller that goes home."""

    verb = "take"
    cell: str = word(LARGEST.at)
    spot: str = word(LARGEST.touched)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        at = otherworld(state.seats).at[self.cell]
        grid, out = state.grid, state.out
        card = grid[at]
        grid, out = put(grid, at, ""), put(out, seat, without(out[seat], self.spot))
        if state.solo and seat == BALOR:
            return state.but(grid=grid, out=out, pile=(*state.pile, card))
        return state.but(grid=grid, out=out, hands=put(state.hands, seat, hand_with(state.hands[seat], card)))


class Keep(Action[TirNaNog]):
    """The drawn card goes to the hand and a Lost Storyteller home."""

    verb = "keep"
    spot: str = word(LARGEST.touched)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        out = put(state.out, seat, without(state.out[seat], self.spot))
        return state.but(out=out, hands=put(state.hands, seat, hand_with(state.hands[seat], state.drawn)), drawn="")


class Play(Action[TirNaNog]):
    """A hand card fills the first open slot of a row."""

    verb = "play"
    card: str = word(CARDS)
    row: str = word(ROW_AT)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        at, saga = ROW_AT[self.row], state.sagas[seat]
        return state.but(
            hands=put(state.hands, seat, without(state.hands[seat], self.card)),
            sagas=put(state.sagas, seat, saga.play(at, self.card)),
            played=PLACE[at, saga.slot(at)],
        )


class Discard(Action[TirNaNog]):
    """A hand card goes to the discards. Steps that mean another card handle it themselves."""

    verb = "discard"
    card: str = word(CARDS, hidden=Hidden.EACH)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        hands = put(state.hands, seat, without(state.hands[seat], self.card))
        return state.but(hands=hands, discards=(*state.discards, self.card))


class Paint(Action[TirNaNog]):
    """A card of the seat's Saga takes a colour."""

    verb = "paint"
    place: str = word(POINT)
    colour: str = word(COLOURS)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        saga, point = state.sagas[seat], POINT[self.place]
        placed = saga.card(point)
        token = "" if CARDS[placed.card].colour == self.colour else self.colour
        return with_saga(state, seat, saga.put(point, Placed(placed.card, token, placed.extra)))


class Swap(Action[TirNaNog]):
    """Two cards of the seat's Saga change places."""

    verb = "swap"
    one: str = word(POINT)
    other: str = word(POINT)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        return with_saga(state, seat, state.sagas[seat].swap(POINT[self.one], POINT[self.other]))


class Shift(Action[TirNaNog]):
    """A card of the seat's Saga moves to a row's first open slot."""

    verb = "shift"
    place: str = word(POINT)
    row: str = word(ROW_AT)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        return with_saga(state, seat, state.sagas[seat].move(POINT[self.place], ROW_AT[self.row]))


class Wander(Action[TirNaNog]):
    """A Storyteller moves to another space. The seat is named where two seats share the spot."""

    verb = "wander"
    start: str = word(LARGEST.touched)
    end: str = word(LARGEST.touched)
    whose: int | None = maybe(SEAT)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        owners = [other for other in range(state.seats) if self.start in state.out[other]]
        whose = self.whose if self.whose is not None else seat if seat in owners else owners[0]
        spots = without(state.out[whose], self.start)
        return state.but(out=put(state.out, whose, tuple(sorted((*spots, self.end)))))


class Eat(Action[TirNaNog]):
    """A card of the seat's Saga is discarded. The card just played gains its value."""

    verb = "eat"
    place: str = word(POINT)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        saga, prey, eater = state.sagas[seat], POINT[self.place], POINT[state.played]
        gained = saga.values[prey[0]][prey[1]]
        placed = saga.card(eater)
        fed = saga.put(eater, Placed(placed.card, placed.colour, placed.extra + gained)).put(prey, None)
        return with_saga(state, seat, fed).but(discards=(*state.discards, saga.card(prey).card))


class Adjust(Action[TirNaNog]):
    """A card of the seat's Saga is worth 2 more or 2 less."""

    verb = "adjust"
    place: str = word(POINT)
    by: str = word(STEPS_OF_VALUE)

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        saga, point = state.sagas[seat], POINT[self.place]
        placed = saga.card(point)
        return with_saga(state, seat, saga.put(point, Placed(placed.card, placed.colour, placed.extra + int(self.by))))


class Stay(Action[TirNaNog]):
    """The seat declines an offer."""

    verb = "stay"

    def do(self, state: TirNaNog, seat: Seat) -> TirNaNog:
        return state


STAY = Stay()
PLACES = {spot: Place(spot) for spot in SPOTS}
TAKES = {(cell, spot): Take(cell, spot) for cell in CELLS for spot in SPOTS}
KEEPS = {spot: Keep(spot) for spot in SPOTS}
PLAYS = {card: tuple(Play(card, row) for row in ROWS) for card in CARDS}
DISCARDS = {card: Discard(card) for card in CARDS}
PAINTS = {(point, colour): Paint(place, colour) for place, point in POINT.items() for colour in COLOURS}
SWAPS = {(POINT[one], POINT[other]): Swap(one, other) for one, other in combinations(POINT, 2)}
SHIFTS = {(point, at): Shift(place, row) for place, point in POINT.items() for at, row in enumerate(ROWS)}
EATS = {point: Eat(place) for place, point in POINT.items()}
ADJUSTS = {point: tuple(Adjust(place, by) for by in STEPS_OF_VALUE) for place, point in POINT.items()}


@cache
def wander(start: str, end: str, whose: int | None = None) -> Wander:
    """Return the only action for this way."""
    return Wander(start, end, whose)


ALL: tuple[type[Action[TirNaNog]], ...] = (
    *(Start, Deal, Lay, Mark, Turn, Place, Take, Draw, Keep, Play),
    *(Discard, Paint, Swap, Shift, Wander, Eat, Adjust, Stay),
)

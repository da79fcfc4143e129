"""Keltis, the card game: deck, state, actions, steps and scores."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Self

from engine.dealing import DealToSeat, OnePick, can_deal, deal_cards
from engine.game import NOBODY, ONLY, Action, Chance, Pick, Seal, Seat, Step
from engine.games.keltis import cards as printed
from engine.games.keltis.cards import COLOURS, ENDS, LAYS, ORDER, PILE, PILES, VALUE, Card, Row, alike, lays
from engine.notation import Hidden, maybe, word, words
from engine.options import Settings
from engine.starting_seat import DRAWN, DrawStart, Start, StartedByLot
from engine.steps import SeatStep, StayingStep
from engine.tuples import put, without


@dataclass(frozen=True, kw_only=True)
class Keltis(StartedByLot):
    """State of a table: unseen cards, hands, rows and piles."""

    unseen: tuple[Card, ...] = printed.DECK
    deck: int
    hands: tuple[tuple[Card, ...], ...]
    rows: tuple[tuple[Row, ...], ...]  # by seat, then by pile: five colours and the Point row
    piles: tuple[Row, ...] = ((),) * len(PILES)
    stones: tuple[tuple[int, ...], ...]
    line: frozenset[int] = printed.STONES
    answers: tuple[tuple[str, ...] | None, ...]
    turn: int = 1
    cause: str = ""
    end_may_open: bool
    short_second_draw: bool
    all_at_once: bool

    def begin(self, seat: Seat) -> Self:
        return self.last(PLAYS[seat])


def setup(seats: int, settings: Settings, revision: int) -> Keltis:  # noqa: ARG001  # revision 2 only has another default
    """Return an empty table. Chance draws who begins, unless the option names the seat, and deals."""
    drawn, deals = settings["start"] == DRAWN, map(Deal, range(seats))
    return Keltis(
        seats=seats,
        agenda=(DrawStart(), *deals) if drawn else (*deals, Play(int(settings["start"]))),
        deck=len(printed.DECK) - printed.ASIDE[seats],
        hands=((),) * seats,
        rows=(((),) * len(PILES),) * seats,
        stones=((),) * seats,
        answers=(None,) * seats,
        end_may_open=bool(settings["end-may-open"]),
        short_second_draw=settings["short-second-draw"] == "from-discards",
        all_at_once=settings["last-cards"] == "simultaneous",
    )


def hand_with(hand: tuple[Card, ...], *cards: Card) -> tuple[Card, ...]:
    """Return the hand with these cards, in order."""
    return tuple(sorted(hand + cards, key=ORDER.__getitem__))


def lay_card(state: Keltis, seat: Seat, lay: str, **changes: object) -> Keltis:
    """Move a card from the hand to the end of its row."""
    card, _, colour = lay.partition(":")
    pile, own = PILES.index(colour) if colour else PILE[card], state.rows[seat]
    rows = put(state.rows, seat, put(own, pile, (*own[pile], card)))
    return state.but(rows=rows, hands=put(state.hands, seat, without(state.hands[seat], card)), **changes)


def discard_cards(state: Keltis, seat: Seat, *cards: Card) -> Keltis:
    """Move hand cards to their piles, and put the draws that follow on the agenda."""
    hand, piles, closed = state.hands[seat], state.piles, ""
    for card in cards:
        pile = PILE[card]
        hand, piles, closed = without(hand, card), put(piles, pile, (*piles[pile], card)), closed + card[0]
    return state.but(hands=put(state.hands, seat, hand), piles=piles, agenda=(draw_step(seat, len(cards), closed),))


def give_cards(state: Keltis, seat: Seat, *cards: Card) -> Keltis:
    """Move unseen cards to a hand."""
    unseen = state.unseen
    for card in cards:
        unseen = without(unseen, card)
    return state.but(unseen=unseen, hands=put(state.hands, seat, hand_with(state.hands[seat], *cards)))


class Dealt(DealToSeat[Keltis]):
    """Chance deals a hand."""

    verb = "deal"
    cards: tuple[Card, ...] = words(ORDER, hidden=Hidden.EACH)

    def do(self, state: Keltis, seat: Seat) -> Keltis:
        return give_cards(state, self.to, *self.cards).but(deck=state.deck - printed.HAND)


class Drawn(DealToSeat[Keltis]):
    """Chance names the card drawn from the deck."""

    verb = "draw"
    card: Card = word(ORDER, hidden=Hidden.EACH)

    def do(self, state: Keltis, seat: Seat) -> Keltis:
        return give_cards(state, self.to, self.card)


class Discard(Action[Keltis]):
    """One hand card goes on its pile. The draw that follows cannot come from there."""

    verb = "discard"
    card: Card = word(ORDER)

    def do(self, state: Keltis, seat: Seat) -> Keltis:
        return discard_cards(state, seat, self.card)


class Stone(Action[Keltis]):
    """Two hand cards of one value go on their piles for the wish stone of that value."""

    verb = "stone"
    one: Card = word(VALUE)
    two: Card = word(VALUE)

    def do(self, state: Keltis, seat: Seat) -> Keltis:
        stone = VALUE[self.one]
        stones = put(state.stones, seat, (*state.stones[seat], stone))
        return discard_cards(state, seat, self.one, self.two).but(stones=stones, line=state.line - {stone})


class Lay(Action[Keltis]):
    """One hand card lengthens a row. The fifth ended row stops the match before the draw."""

    verb = "lay"
    card: Card = word(ORDER)
    row: str | None = maybe(tuple(COLOURS))

    def do(self, state: Keltis, seat: Seat) -> Keltis:
        lay = f"{self.card}:{self.row}" if self.row else self.card
        state = lay_card(state, seat, lay, agenda=(draw_step(seat, 1, ""),))
        if self.card in ENDS and sum(row[-1] in ENDS for own in state.rows for row in own if row) >= printed.ENDED_ROWS:
            return state.but(agenda=(Last(),), cause="five-ends")
        return state


class DrawFrom(Action[Keltis]):
    """The seat says where its next card comes from. Chance names a card from the deck."""

    verb = "draw"
    source: str = word(("deck", *PILES))

    def do(self, state: Keltis, seat: Seat) -> Keltis:
        if self.source == "deck":
            return state.but(deck=state.deck - 1, agenda=(NAMES[seat], *state.agenda))
        pile = PILES.index(self.source)
        *rest, card = state.piles[pile]
        hands = put(state.hands, seat, hand_with(state.hands[seat], card))
        return state.but(piles=put(state.piles, pile, tuple(rest)), hands=hands)


class LastCards(Action[Keltis]):
    """Up to two last hand cards to lay. The answer is kept until all are in."""

    verb, sealed = "last", Seal.UNTIL_END
    lays: tuple[str, ...] = words(LAYS, empty="none", hidden=Hidden.WHOLE)

    def do(self, state: Keltis, seat: Seat) -> Keltis:
        return state.but(answers=put(state.answers, seat, self.lays))


DISCARDS = {card: Discard(card) for card in printed.CARDS}
LAYINGS = {lay: Lay(*lay.split(":")) for lay in LAYS}
SOURCES = {source: DrawFrom(source) for source in ("deck", *PILES)}
PAIRS = {pair: Stone(*pair) for pair in printed.EQUALS}


class Deal(Chance[Keltis]):
    """Chance deals eight cards to a seat."""

    seat: Seat

    def roll(self, state: Keltis, pick: Pick) -> Dealt:
        return Dealt(self.seat, deal_cards(list(state.unseen), printed.HAND, pick))

    def possible(self, state: Keltis, action: Action[Keltis]) -> bool:
        hand = action.cards if isinstance(action, Dealt) and action.to == self.seat else ()
        return can_deal(state.unseen, hand, printed.HAND)

    def picks(self, state: Keltis) -> int:
        return printed.HAND


class Play(StayingStep[Keltis], SeatStep[Keltis]):
    """A turn begins: the seat lays, discards, or takes a stone."""

    def options(self, state: Keltis, seat: Seat) -> Collection[Action[Keltis]]:
        hand = state.hands[seat]
        options: list[Action[Keltis]] = [LAYINGS[lay] for lay in lays(hand, state.rows[seat], state.end_may_open)]
        for cards in alike(hand).values():
            options += [PAIRS[pair] for pair in dict.fromkeys(combinations(cards, 2)) if VALUE[cards[0]] in state.line]
        return options + [DISCARDS[card] for card in dict.fromkeys(hand)]


class Draw(Step[Keltis]):
    """The seat draws `left` more cards, none from the closed piles.

    Then it is the next seat's turn, or the deck is empty.
    """

    seat: Seat
    left: int
    closed: str

    def actors(self, state: Keltis) -> frozenset[Seat]:
        goes_on = self.left and (state.deck or (state.short_second_draw and self.options(state, self.seat)))
        return ONLY[self.seat] if goes_on else NOBODY

    def options(self, state: Keltis, seat: Seat) -> Collection[Action[Keltis]]:
        piles = zip(PILES, state.piles, strict=True)
        options = [SOURCES[name] for name, pile in piles if pile and name not in self.closed]
        return [SOURCES["deck"], *options] if state.deck else options

    def take(self, state: Keltis, seat: Seat, action: Action[Keltis]) -> Keltis:
        return action.do(state.but(agenda=(draw_step(seat, self.left - 1, self.closed),)), seat)

    def run(self, state: Keltis) -> Keltis:
        if not state.deck:
            return state.but(agenda=(Last(),), cause="deck-out")
        return state.but(turn=state.turn + 1, agenda=(PLAYS[(self.seat + 1) % state.seats],))


class Name(OnePick[Keltis]):
    """Chance names the card a seat draws from the deck."""

    seat: Seat

    def roll(self, state: Keltis, pick: Pick) -> Drawn:
        return Drawn(self.seat, state.unseen[pick(len(state.unseen))])

    def possible(self, state: Keltis, action: Action[Keltis]) -> bool:
        return isinstance(action, Drawn) and action.to == self.seat and action.card in state.unseen


class Last(StayingStep[Keltis]):
    """Every seat says which last cards it lays. When all have answered, the cards are laid and the match is over."""

    def actors(self, state: Keltis) -> frozenset[Seat]:
        waiting = [seat for seat, answer in enumerate(state.answers) if answer is None]
        return frozenset(waiting if state.all_at_once else waiting[:1])

    def options(self, state: Keltis, seat: Seat) -> Collection[Action[Keltis]]:
        options = [LastCards()]
        for lay in lays(state.hands[seat], state.rows[seat], state.end_may_open):
            after = lay_card(state, seat, lay)
            more = lays(after.hands[seat], after.rows[seat], state.end_may_open)
            options += [LastCards((lay,)), *(LastCards((lay, other)) for other in more)]
        return options

    def run(self, state: Keltis) -> Keltis:
        for seat, answer in enumerate(state.answers):
            for lay in answer or ():
                state = lay_card(state, seat, lay)
        return state.but(reveals=state.reveals + 1)


ACTIONS: tuple[type[Action[Keltis]], ...] = (Start, Dealt, Drawn, Discard, Stone, Lay, DrawFrom, LastCards)
STEPS: tuple[type[Step[Keltis]], ...] = (DrawStart, Deal, Play, Draw, Name, Last)
PLAYS, NAMES, draw_step = tuple(map(Play, range(4))), tuple(map(Name, range(4))), cache(Draw)

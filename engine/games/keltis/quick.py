"""Policy for playouts of Keltis: much like `steady`, but the value of each row and hand is cached."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby

from engine.game import Action, Pick, Seat, legal
from engine.games.keltis import bots
from engine.games.keltis.cards import (
    COLOURS,
    COPIES,
    DECK,
    ENDED_ROWS,
    ENDS,
    ORDER,
    PILE,
    PILES,
    POINT,
    POINTS,
    VALUE,
    Card,
    Row,
    alike,
    fitting_cards,
)
from engine.games.keltis.rules import DISCARDS, LAYINGS, PAIRS, SOURCES, Draw, Keltis, Last
from engine.games.keltis.score import ROW_POINTS, STONE_POINTS, scores
from engine.sums import add_up
from engine.tuples import without

Held = tuple[Card, ...]
Bet = tuple[float, Action[Keltis]]  # the fields that an action changes, as far as one can tell
DRAWN = bots.UNSEEN_SHARE / 80
"""Probability that a seat draws a given unseen card in one turn and can use it."""
GIVEN = 0.3
"""Worth of any discard to the other seats."""


@lru_cache(maxsize=1 << 14)
def by_pile(hand: Held) -> tuple[Held, ...]:
    """Group the hand cards by colour, the Point cards last."""
    groups = {pile: tuple(cards) for pile, cards in groupby(hand, key=PILE.__getitem__)}
    return tuple(groups.get(pile, ()) for pile in range(len(PILES)))


@lru_cache(maxsize=1 << 16)
def promise(pile: int, row: Row, held: Held, turns: int) -> float:
    """Estimate the points of a colour row at the end, with these cards of its colour in hand and `turns` turns left."""
    values = [VALUE[card] for card in held if card in VALUE]
    seen = [*values, *(VALUE[card] for card in row if card[0] != POINT and card in VALUE)]
    more = 0.0
    for low, high in bots.spans(row):
        copies = sum(COPIES[f"{COLOURS[pile]}{value}"] for value in range(low, high + 1))
        unseen = copies - sum(low <= value <= high for value in seen)
        more = max(more, sum(low <= value <= high for value in values) + unseen * turns * DRAWN)
    shut = len(row) > 1 and row[-1] in ENDS and row[-2] in ENDS
    end = len(values) < len(held) and not shut and (row or more)
    length = min(len(row) + more + (bots.END_IN_HAND if end else 0.0), len(row) + turns + 2)
    return bots.worth(length) if row else max(0.0, bots.worth(length) * bots.OPENING - bots.OPENING_COST)


@lru_cache(maxsize=1 << 16)
def colour_bets(pile: int, row: Row, held: Held, turns: int, end_may_open: bool) -> tuple[Bet, ...]:
    """Return the lays and discards of one colour, each with its gain."""
    now, fits = promise(pile, row, held, turns), fitting_cards(row, pile, end_may_open)
    last = next((VALUE[card] for card in reversed(row) if card in VALUE), None)
    bets_here: list[Bet] = []
    for card in dict.fromkeys(held):
        rest = without(held, card)
        bets_here.append((promise(pile, row, rest, turns) - now - GIVEN, DISCARDS[card]))
        if card in fits:
            change = promise(pile, (*row, card), rest, turns) - now
            if card in ENDS:
                change -= bots.SHORT_END if len(row) < bots.LONG_ROW else 0.0
            elif last is not None:
                change -= bots.GAP * max(0, abs(VALUE[card] - last) - 1)
            bets_here.append((change, LAYINGS[card]))
    return tuple(bets_here)


@lru_cache(maxsize=1 << 14)
def pairs(hand: Held) -> tuple[tuple[Card, Card], ...]:
    """Return the first two hand cards of each value that has a wish stone."""
    return tuple((cards[0], cards[1]) for cards in alike(hand).values() if len(cards) > 1)


def turns_left(state: Keltis) -> int:
    """Return how many turns a seat may still have, rounded to even numbers so that the caches hit more often."""
    return (state.deck // state.seats + 1) & -2


def quick(state: Keltis, seat: Seat, pick: Pick) -> Action[Keltis]:  # noqa: ARG001  # it leaves nothing to chance
    """Choose a seat's action in a playout, from its own hand and the open cards."""
    step = state.agenda[0]
    if isinstance(step, Draw):
        return _draw(state, seat, step.closed)
    if isinstance(step, Last):
        return next(iter(legal(state, seat)))
    return max(bets(state, seat), key=lambda bet: bet[0])[1]


def bets(state: Keltis, seat: Seat) -> Iterator[Bet]:
    """Yield the plays worth a thought.

    The End card that ends the match is left out for a seat that would lose by it.
    """
    rows, turns, groups = state.rows[seat], turns_left(state), by_pile(state.hands[seat])
    for pile, held in enumerate(groups[:POINTS]):
        if held:
            colour = colour_bets(pile, rows[pile], held, turns, state.end_may_open)
            ends = any(card in ENDS for card in held) and _loses_by_ending(state, seat, rows[pile])
            yield from [bet for bet in colour if bet[1] not in ENDINGS] if ends else colour
    for card in groups[POINTS]:
        yield 1 - bots.POINT_IN_HAND, LAYINGS[card]
        yield -bots.POINT_IN_HAND - GIVEN, DISCARDS[card]
        for pile, row in enumerate(rows[:POINTS]):
            if row and card in fitting_cards(row, pile, state.end_may_open):
                held = groups[pile]
                longer = promise(pile, (*row, card), held, turns) - promise(pile, row, held, turns)
                yield longer - bots.POINT_IN_HAND, LAYINGS[f"{card}:{COLOURS[pile]}"]
    yield from _stone_bets(state, seat, groups, turns)


ENDINGS = frozenset(LAYINGS[card] for card in ENDS)


def _stone_bets(state: Keltis, seat: Seat, groups: tuple[Held, ...], turns: int) -> Iterator[Bet]:
    rows = state.rows[seat]
    for pair in pairs(state.hands[seat]):
        if VALUE[pair[0]] in state.line:
            change = (1 - bots.PAIR_SHARE) * bots.gain(len(state.stones[seat])) - 2 * GIVEN
            for card in pair:
                pile, held = PILE[card], groups[PILE[card]]
                if pile == POINTS:
                    change -= bots.POINT_IN_HAND
                else:
                    rest = without(held, card)
                    change += promise(pile, rows[pile], rest, turns) - promise(pile, rows[pile], held, turns)
            yield change, PAIRS[pair]


def _loses_by_ending(state: Keltis, seat: Seat, row: Row) -> bool:
    """Return True if an End card on this row would end the match while the seat is behind."""
    if row and row[-1] in ENDS:
        return False
    if sum(each[-1] in ENDS for rows in state.rows for each in rows if each) < ENDED_ROWS - 1:
        return False
    totals = [score.total for score in scores(state)]
    return totals[seat] < max(totals)


def _draw(state: Keltis, seat: Seat, closed: str) -> Action[Keltis]:
    if not state.deck or state.turn > bots.PATIENCE * len(DECK):
        return next(iter(legal(state, seat)))
    source, most = "deck", bots.WORTH_A_DRAW
    groups, rows, turns = by_pile(state.hands[seat]), state.rows[seat], turns_left(state)
    for pile, cards in enumerate(state.piles):
        if cards and PILES[pile] not in closed:
            held = groups[pile]
            better = bots.POINT_IN_HAND
            if pile != POINTS:
                better = promise(pile, rows[pile], _with(held, cards[-1]), turns)
                better -= promise(pile, rows[pile], held, turns)
            if better > most:
                source, most = PILES[pile], better
    return SOURCES[source]


@lru_cache(maxsize=1 << 14)
def _with(held: Held, card: Card) -> Held:
    return tuple(sorted((*held, card), key=ORDER.__getitem__))


def promised_total(state: Keltis, seat: Seat) -> float:
    """Estimate the total of a seat at the end."""
    rows, hand, turns = state.rows[seat], state.hands[seat], turns_left(state)
    groups, stones, paired = by_pile(hand), len(state.stones[seat]), 0.0
    promised = add_up([promise(pile, rows[pile], groups[pile], turns) for pile in range(POINTS)])
    for more, _ in enumerate(pair for pair in pairs(hand) if VALUE[pair[0]] in state.line):
        paired += bots.PAIR_SHARE * bots.gain(stones + more)
    return (
        promised + paired + len(rows[POINTS]) + bots.POINT_IN_HAND * len(groups[POINTS]) + STONE_POINTS[min(stones, 5)]
    )


@lru_cache(maxsize=1 << 15)
def last_gains(pile: int, row: Row, held: Held, end_may_open: bool) -> tuple[int, int]:
    """Return the most that one last card, and up to two, can add to a row."""
    fits = [card for card in held if card in fitting_cards(row, pile, end_may_open)]
    if not fits:
        return 0, 0
    now, once, twice = (ROW_POINTS[min(len(row) + more, len(ROW_POINTS) - 1)] for more in range(3))
    more = any(not fitting_cards((*row, card), pile, end_may_open).isdisjoint(without(held, card)) for card in fits)
    return max(0, once - now), max(0, once - now, twice - now if more else 0)


def final_total(state: Keltis, seat: Seat) -> int:
    """Return the total of a seat once its last cards are laid."""
    groups = by_pile(state.hands[seat])
    singles, double = [0, 0, *[1] * len(groups[POINTS])], 0
    for pile, held in enumerate(groups[:POINTS]):
        if held:
            one, two = last_gains(pile, state.rows[seat][pile], held, state.end_may_open)
            singles.append(one)
            double = max(double, two)
    singles.sort()
    return scores(state)[seat].total + max(double, singles[-1] + singles[-2])

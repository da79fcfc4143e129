"""Bots of Keltis: `random`, and `steady`, which looks one play ahead."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from math import inf

from engine.game import Action, Options, Pick
from engine.games.keltis import cards as printed
from engine.games.keltis.rules import Discard, DrawFrom, Keltis, Lay, Stone
from engine.games.keltis.score import ROW_POINTS, STONE_POINTS
from engine.games.keltis.short import best
from engine.games.keltis.view import KeltisView
from engine.sums import add_up
from engine.tuples import put, without

END_IN_HAND = 0.8
UNSEEN_SHARE = 0.55
GAP = 0.12
OPENING = 0.8
OPENING_COST = 1.0
PAIR_SHARE = 0.45
GIFT = 0.6
WORTH_A_DRAW = 0.55
SHORT_END = 0.5
LONG_ROW = 7
RUSH = 3.0
PLANNED_ENDS = 3
"""With this many rows or fewer left to end, the bot plans the end of the match."""
POINT_IN_HAND = 0.9
PATIENCE = 2
"""Turns per card of the deck after which bots draw only from the deck. Otherwise two could trade discards for ever."""


def random(view: KeltisView, options: Options, pick: Pick) -> Action[Keltis]:
    """Choose any play, draw from the deck at least every other time, and lay the best last cards."""
    listed = tuple(options)
    if view.phase == "last":
        return best(view, listed)
    if view.phase == "draw" and view.deck and pick(2):
        return listed[0]
    return listed[pick(len(listed))]


@lru_cache(maxsize=1 << 14)
def spans(row: printed.Row) -> tuple[tuple[int, int], ...]:
    """Return the ranges of values that may still follow on a row, one for each direction open to it."""
    values = [printed.VALUE[card] for card in row if card in printed.VALUE]
    if len(values) < len(row):
        return ()
    if not values:
        return ((0, 10),)
    rising = next((value > values[0] for value in values if value != values[0]), None)
    up, down = (values[-1], 10), (0, values[-1])
    return (up, down) if rising is None else (up,) if rising else (down,)


@dataclass(frozen=True)
class Hope:
    """Prospects of a seat: the turns left, and by colour the expected unseen cards up to each value."""

    turns: float
    coming: tuple[tuple[float, ...], ...]

    def rows(self, rows: tuple[printed.Row, ...], hand: tuple[printed.Card, ...]) -> float:
        """Estimate the points of the colour rows at the end."""
        held: list[list[int]] = [[] for _ in printed.COLOURS]
        ends = set()
        for card in hand:
            if card in printed.ENDS:
                ends.add(printed.PILE[card])
            elif printed.PILE[card] != printed.POINTS:
                held[printed.PILE[card]].append(printed.VALUE[card])
        return add_up(self._row(row, pile, held[pile], pile in ends) for pile, row in enumerate(rows[: printed.POINTS]))

    def _row(self, row: printed.Row, pile: int, held: list[int], end: bool) -> float:
        coming = self.coming[pile]
        more = 0.0
        for low, high in spans(row):
            fits = sum(low <= value <= high for value in held) + coming[high + 1] - coming[low]
            more = max(more, fits)
        shut = len(row) > 1 and row[-1] in printed.ENDS and row[-2] in printed.ENDS
        length = len(row) + more + (END_IN_HAND if end and not shut and (row or more) else 0.0)
        length = min(length, len(row) + self.turns + 2)
        return worth(length) if row else max(0.0, worth(length) * OPENING - OPENING_COST)


def worth(length: float) -> float:
    """Return the points of a row, interpolated between the lengths of the score table."""
    low = min(int(length), len(ROW_POINTS) - 1)
    high = min(low + 1, len(ROW_POINTS) - 1)
    return ROW_POINTS[low] + (ROW_POINTS[high] - ROW_POINTS[low]) * (length - int(length))


def hope(view: KeltisView) -> Hope:
    """Return the viewer's prospects."""
    unseen = Counter(printed.COPIES)
    unseen.subtract(view.hand)
    for rows in (*view.rows, view.piles):
        for row in rows:
            unseen.subtract(row)
    turns = view.deck / view.seats
    share = UNSEEN_SHARE * turns / max(1, unseen.total())
    by_colour = ((unseen[f"{colour}{number}"] * share for number in range(11)) for colour in printed.COLOURS)
    return Hope(turns, tuple(tuple(accumulate(weights, initial=0.0)) for weights in by_colour))


def value(
    hoped: Hope, rows: tuple[printed.Row, ...], hand: tuple[printed.Card, ...], stones: int, line: tuple[int, ...]
) -> float:
    """Estimate how good a seat's position is."""
    points = hoped.rows(rows, hand) + len(rows[printed.POINTS]) + STONE_POINTS[min(stones, 5)]
    held = Counter(printed.VALUE[card] for card in hand if card in printed.VALUE)
    pairs = sum(held[stone] > 1 for stone in line)
    points += PAIR_SHARE * sum(gain(stones + more) for more in range(pairs))
    return points + POINT_IN_HAND * sum(card[0] == printed.POINT for card in hand)


def gain(stones: int) -> int:
    """Return the value of the next stone."""
    return STONE_POINTS[min(stones + 1, 5)] - STONE_POINTS[min(stones, 5)]


def steady(view: KeltisView, options: Options, _pick: Pick) -> Action[Keltis]:
    """Choose the play, draw or last cards that leave the best position."""
    if view.phase == "last":
        return best(view, options)
    judge = draw_value if view.phase == "draw" else play_value
    hoped = hope(view)
    return max(options, key=lambda action: judge(view, hoped, action))


def draw_value(view: KeltisView, hoped: Hope, action: Action[Keltis]) -> float:
    """Estimate how good it is to draw from there.

    The deck has a small fixed value, and beats everything in a match that drags on.
    """
    assert isinstance(action, DrawFrom)  # noqa: S101  # nothing else is listed then
    if action.source == "deck":
        return inf if view.turn > PATIENCE * (len(printed.DECK) - view.aside) else WORTH_A_DRAW
    seat, card = view.seat or 0, view.piles[printed.PILES.index(action.source)][-1]
    own, stones = view.rows[seat], len(view.stones[seat])
    before = value(hoped, own, view.hand, stones, view.line)
    return value(hoped, own, (*view.hand, card), stones, view.line) - before


def play_value(view: KeltisView, hoped: Hope, action: Action[Keltis]) -> float:
    """Estimate how good the position is after the play, less the gain for others."""
    seat = view.seat or 0
    own, stones = view.rows[seat], len(view.stones[seat])
    match action:
        case Lay(card, row):
            pile = printed.COLOURS.index(row) if row else printed.PILE[card]
            rows = put(own, pile, (*own[pile], card))
            return value(hoped, rows, without(view.hand, card), stones, view.line) - lay_cost(view, own[pile], card)
        case Stone(one, two):
            line = tuple(stone for stone in view.line if stone != printed.VALUE[one])
            hand = without(without(view.hand, one), two)
            return value(hoped, own, hand, stones + 1, line) - gift(view, one) - gift(view, two)
        case Discard(card):
            return value(hoped, own, without(view.hand, card), stones, view.line) - gift(view, card)
    raise AssertionError(action)


def lay_cost(view: KeltisView, row: printed.Row, card: printed.Card) -> float:
    """Return the loss by a lay: skipped values, a closed short row, and a nearer end while behind."""
    if card not in printed.ENDS:
        values = [printed.VALUE[each] for each in row if each in printed.VALUE]
        return GAP * max(0, abs(printed.VALUE[card] - values[-1]) - 1) if values and card[0] != printed.POINT else 0.0
    cost = SHORT_END if len(row) < LONG_ROW else 0.0
    return cost if is_ended(row) else cost + rush_cost(view)


def is_ended(row: printed.Row) -> bool:
    """Return True if an End card is the last card of a row."""
    return bool(row) and row[-1] in printed.ENDS


def rush_cost(view: KeltisView) -> float:
    """Return the cost of one more ended row for a seat that is behind; negative for a leader who can end the match.

    The match ends with five ended rows, so the cost grows as they come near.
    """
    seat = view.seat or 0
    missing = printed.ENDED_ROWS - sum(is_ended(row) for rows in view.rows for row in rows)
    if not 0 < missing <= PLANNED_ENDS:
        return 0.0
    if view.scores[seat].total < max(score.total for at, score in enumerate(view.scores) if at != seat):
        return RUSH / missing
    own = {printed.PILE[card] for card in view.hand if card in printed.ENDS}
    return -RUSH / missing if sum(not is_ended(view.rows[seat][pile]) for pile in own) >= missing else 0.0


def gift(view: KeltisView, card: printed.Card) -> float:
    """Return the value of a discard to the next seat."""
    following = ((view.seat or 0) + 1) % view.seats
    rows = view.rows[following]
    pile = printed.PILE[card]
    wanted = (
        pile != printed.POINTS
        and bool(rows[pile])
        and card in printed.fitting_cards(rows[pile], pile, end_may_open=True)
    )
    return GIFT if wanted or pile == printed.POINTS else 0.0

"""Seating of tables of one to five: everybody sits where they have sat least.

The best order has the smallest sum of (n+1)^4 - n^4, where n is how often the entrant had that seat in this stage. The
fourth power makes one seat had too often worse than several had slightly too often. Of equal orders the best gives seat
0 to the entrant who is earlier in the draw, then seat 1, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import permutations
from typing import TypeAlias

from service.tournaments.formats.crosstable import Number, StageRound, list_pairings

SeatRow: TypeAlias = tuple[int, ...]
SeatCounts: TypeAlias = dict[Number, SeatRow]
SeatPrices: TypeAlias = dict[Number, SeatRow]
MOST_SEATS = 5
_BITS = 16


def count_seats(rounds: Iterable[StageRound], numbers: Iterable[Number]) -> SeatCounts:
    """Count how often each entrant had each seat."""
    # One integer holds the counts of all seats: the garbage collector would walk many thousands of small lists.
    packed = dict.fromkeys(numbers, 0)
    for pairing in list_pairings(rounds):
        if len(pairing.seats) > 1:
            for seat, number in enumerate(pairing.seats):
                if number in packed:
                    packed[number] += 1 << _BITS * seat
    return {number: _unpack_row(row) for number, row in packed.items()}


@cache
def _unpack_row(packed: int) -> SeatRow:
    return tuple(packed >> _BITS * seat & (1 << _BITS) - 1 for seat in range(MOST_SEATS))


def price_seats(counts: Mapping[Number, SeatRow]) -> SeatPrices:
    """Return the cost of giving each seat once more to each entrant."""
    return {number: _price_row(row) for number, row in counts.items()}


@cache
def _price_row(row: SeatRow) -> SeatRow:
    return tuple((times + 1) ** 4 - times**4 for times in row)


@cache
def _orders(seats: int) -> tuple[tuple[int, ...], ...]:
    return tuple(permutations(range(seats)))


def seat_table(people: Iterable[Number], prices: SeatPrices, place: Mapping[Number, int]) -> tuple[Number, ...]:
    """Return the people by seat, in the order of least cost. `place` is each one's place in the lot order."""
    order = sorted(people, key=place.__getitem__)
    rows = [prices[number] for number in order]
    # Permutations come in lexicographic order and `min` takes the first of equals, so the draw decides ties.
    best = min(_orders(len(order)), key=lambda seats: sum([rows[one][seat] for seat, one in enumerate(seats)]))
    return tuple([order[one] for one in best])

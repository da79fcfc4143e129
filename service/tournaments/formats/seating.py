"""Seats at a table: everybody sits where they have sat least, for tables of one to five.

Of all orders the one with the least sum of (n+1)^4 - n^4 is taken, n being how often the entrant had that seat in this
stage; where several cost the same, the one that gives seat 0 to the earlier in the draw, then seat 1, and so on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import permutations
from typing import TypeAlias

from service.tournaments.formats.crosstable import Number, StageRound

SeatRow: TypeAlias = tuple[int, ...]
SeatCounts: TypeAlias = dict[Number, SeatRow]
SeatPrices: TypeAlias = dict[Number, SeatRow]
MOST_SEATS = 5
_BITS = 16


def count_seats(rounds: Iterable[StageRound], numbers: Iterable[Number]) -> SeatCounts:
    """How often everybody had each seat."""
    # All seats in one integer: many thousands of small lists would keep the collector of garbage busy.
    packed = dict.fromkeys(numbers, 0)
    for each in rounds:
        for pairing in each.pairings:
            if len(pairing.seats) > 1:
                for seat, number in enumerate(pairing.seats):
                    if number in packed:
                        packed[number] += 1 << _BITS * seat
    return {number: _unpack_row(row) for number, row in packed.items()}


@cache
def _unpack_row(packed: int) -> SeatRow:
    return tuple(packed >> _BITS * seat & (1 << _BITS) - 1 for seat in range(MOST_SEATS))


def price_seats(counts: Mapping[Number, SeatRow]) -> SeatPrices:
    """What it costs to give each seat once more to everybody."""
    return {number: _price_row(row) for number, row in counts.items()}


@cache
def _price_row(row: SeatRow) -> SeatRow:
    return tuple((times + 1) ** 4 - times**4 for times in row)


@cache
def _orders(seats: int) -> tuple[tuple[int, ...], ...]:
    return tuple(permutations(range(seats)))


def seat_table(people: Iterable[Number], prices: SeatPrices, place: Mapping[Number, int]) -> tuple[Number, ...]:
    """Who takes which seat: the order of least cost; `place` is the place of each in the lot order."""
    order = sorted(people, key=place.__getitem__)
    rows = [prices[number] for number in order]
    best, found = -1, _orders(len(order))[0]
    for each in _orders(len(order)):
        total = 0
        for seat, one in enumerate(each):
            total += rows[one][seat]
        if total < best or best < 0:
            best, found = total, each
    return tuple([order[one] for one in found])

"""Pods: tables of three to five people with equal points, who meet again only if that cannot be avoided.

`pair_pods` takes the rounds so far, the entrants of the next round and the lot order of the draw. Tables are full or
one seat short. If the number of entrants allows neither, the lowest who have had the fewest byes get one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest

from service.tournaments.formats.crosstable import (
    Number,
    Pairing,
    StageRound,
    list_numbers,
    list_pairings,
    lot_places,
)
from service.tournaments.formats.pod_search import PodCosts, improve_pods
from service.tournaments.formats.points import Scoring, count_points
from service.tournaments.formats.seating import SeatPrices, count_seats, price_seats, seat_table

BY_RATING, BY_POINTS = "rating", "points"
_EXCHANGE_REACH = 8
"""Number of tables up and down the order in which an exchange is tried, so that a large field takes linear time."""


@dataclass(frozen=True, slots=True)
class PodRules:
    """Rules of a stage of pods. Pairs in `avoid` sit together only if that cannot be avoided."""

    seats: int
    group: str = BY_POINTS
    avoid: frozenset[tuple[Number, Number]] = frozenset()


@dataclass(frozen=True, slots=True)
class PodRound:
    """A paired round: the tables by seat, byes last, and the number of pairs of people who meet again."""

    pairings: tuple[Pairing, ...]
    repeats: int


def table_sizes(entrants: int, seats: int) -> tuple[int, int, int]:
    """Return the number of full tables, of tables one seat short, and of byes: fewest byes first, then fewest short."""
    for byes in range(entrants + 1):
        short = -(entrants - byes) % seats
        full, rest = divmod(entrants - byes - short * (seats - 1), seats)
        if full >= 0 and rest == 0:
            return full, short, byes
    return 0, 0, entrants


def pair_pods(
    scoring: Scoring,
    played: Sequence[StageRound],
    present: Iterable[Number],
    rules: PodRules,
    lots: Sequence[Number],
) -> PodRound:
    """Return the tables of the next round. Everybody who is present gets exactly one seat or bye."""
    people = sorted(set(present))
    place = lot_places(lots, people)
    points = dict.fromkeys(people, 0)
    if rules.group == BY_POINTS:
        table = count_points(scoring, played, list_numbers(played).union(people))
        points = {number: table.total(number) for number in people}
    order = people if rules.group == BY_RATING else sorted(people, key=lambda number: (-points[number], place[number]))
    full, short, byes = table_sizes(len(order), rules.seats)
    resting = _choose_byes(order, played, byes)
    order = [number for number in order if number not in resting]
    costs = PodCosts.build(played, order, points, rules.avoid, rules.seats)
    pods = improve_pods(_cut_blocks(order, full, short, rules.seats, costs.short), costs)
    prices = price_seats(count_seats(played, order))
    tables = [seat_table(pod, prices, place) for pod in pods]
    if rules.group != BY_RATING:
        for index in sorted(_exchange_equals(tables, costs, prices)):
            tables[index] = seat_table(tables[index], prices, place)
    return PodRound(
        (*(Pairing(table) for table in tables), *(Pairing((number,)) for number in sorted(resting))),
        sum(costs.count_repeats(table) for table in tables),
    )


def _choose_byes(order: Sequence[Number], played: Sequence[StageRound], count: int) -> frozenset[Number]:
    """Return the lowest of those who have had the fewest byes."""
    if not count:
        return frozenset()
    had = Counter(pairing.seats[0] for pairing in list_pairings(played) if pairing.is_bye)
    return frozenset(nsmallest(count, reversed(order), key=had.__getitem__))


def _cut_blocks(
    order: Sequence[Number], full: int, short: int, seats: int, had_short: Mapping[Number, int]
) -> list[list[Number]]:
    """Cut the order into tables. The short tables form one block, placed to hit the fewest who had one before."""
    width = short * (seats - 1)
    if not short:
        first = full
    else:
        had = [had_short.get(number, 0) for number in order]
        # Of equally good places the lowest is taken, as far from the top tables as possible.
        first = min(range(full, -1, -1), key=lambda table: sum(had[table * seats : table * seats + width]))
    sizes = [seats] * first + [seats - 1] * short + [seats] * (full - first)
    blocks, start = [], 0
    for size in sizes:
        blocks.append(list(order[start : start + size]))
        start += size
    return blocks


def _exchange_equals(tables: list[tuple[Number, ...]], costs: PodCosts, prices: SeatPrices) -> set[int]:
    """Exchange people with equal points between nearby tables if both then sit better. Return the changed tables.

    `seat_table` can only permute one table. If all its people have had seat 0 often, only somebody from another table
    can take it, so a player on a seat they have had too often looks there for one who can swap.
    """
    changed: set[int] = set()
    for here, table in enumerate(tables):
        for seat, one in enumerate(table):
            row = prices[one]
            if row[seat] == min(row[: len(table)]):
                continue
            exchange = _find_exchange(tables, here, seat, costs, prices)
            if exchange is not None:
                there, place = exchange
                two = tables[there][place]
                tables[here] = (*tables[here][:seat], two, *tables[here][seat + 1 :])
                tables[there] = (*tables[there][:place], one, *tables[there][place + 1 :])
                changed |= {here, there}
    return changed


def _find_exchange(
    tables: Sequence[tuple[Number, ...]], here: int, seat: int, costs: PodCosts, prices: SeatPrices
) -> tuple[int, int] | None:
    """Return the nearest table and the seat there for the exchange that saves most, or None if none does."""
    table, one = tables[here], tables[here][seat]
    row, points = prices[one], costs.points
    own, level, best, exchange = row[seat], points[one], 0, None
    for step in range(1, _EXCHANGE_REACH + 1):
        if exchange is not None:
            break
        for there in (here - step, here + step):
            if not 0 <= there < len(tables) or len(tables[there]) != len(table):
                continue
            for place, two in enumerate(tables[there]):
                if place == seat or points[two] != level:
                    continue
                theirs = prices[two]
                saved = own + theirs[place] - row[place] - theirs[seat]
                if saved > best and not _adds_fault(costs, table, tables[there], one, two):
                    best, exchange = saved, (there, place)
    return exchange


def _adds_fault(costs: PodCosts, table: Sequence[Number], there: Sequence[Number], one: Number, two: Number) -> bool:
    """Return True if an exchange would seat people together who should sit apart."""
    after = costs.faults(one, there, two) + costs.faults(two, table, one)
    return after > 0 and after > costs.faults(one, table) + costs.faults(two, there)

"""Pods: tables of three to five, those with equal points together, nobody twice with the same people if avoidable.

`pair_pods` takes the rounds so far, who is there for the next one and the lot order of the draw. Tables have all seats,
or one seat less where the number of entrants asks for it; where it allows neither, the lowest without a bye get one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from service.tournaments.formats.crosstable import BOT, Number, Pairing, StageRound
from service.tournaments.formats.pod_search import PodCosts, improve_pods
from service.tournaments.formats.points import Scoring, count_points
from service.tournaments.formats.seating import SeatPrices, count_seats, price_seats, seat_table

BY_RATING, BY_POINTS, AT_RANDOM = "rating", "points", "none"
_EXCHANGE_REACH = 8


@dataclass(frozen=True, slots=True)
class PodRules:
    """What a stage of pods fixes beforehand; `avoid` holds pairs who are not seated together if avoidable."""

    seats: int
    group: str = BY_POINTS
    avoid: frozenset[tuple[Number, Number]] = frozenset()


@dataclass(frozen=True, slots=True)
class PodRound:
    """A paired round: the tables by seat, byes last, and how many pairs of people meet again in it."""

    pairings: tuple[Pairing, ...]
    repeats: int


def table_sizes(entrants: int, seats: int) -> tuple[int, int, int]:
    """How many full tables, how many one seat short, and how many byes: the fewest byes, then the fewest short."""
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
    """The tables of the next round for everybody who is present, each exactly once."""
    people = sorted(set(present))
    place = {number: at for at, number in enumerate(lots)}
    place.update({number: len(place) + at for at, number in enumerate(n for n in people if n not in place)})
    points = _count_standings(scoring, played, people) if rules.group == BY_POINTS else dict.fromkeys(people, 0)
    order = _order_entrants(people, rules.group, points, place)
    full, short, byes = table_sizes(len(order), rules.seats)
    resting = _choose_byes(order, played, byes)
    order = [number for number in order if number not in resting]
    costs = PodCosts.build(played, order, points, rules.avoid, rules.seats)
    pods = improve_pods(_cut_blocks(order, full, short, rules.seats, costs.short), costs)
    prices = price_seats(count_seats(played, order))
    tables = [seat_table(pod, prices, place) for pod in pods]
    if rules.group != BY_RATING:
        for at in sorted(_exchange_equals(tables, costs, prices)):
            tables[at] = seat_table(tables[at], prices, place)
    return PodRound(
        (*(Pairing(table) for table in tables), *(Pairing((number,)) for number in sorted(resting))),
        sum(costs.count_repeats(table) for table in tables),
    )


def _count_standings(scoring: Scoring, played: Sequence[StageRound], people: Sequence[Number]) -> dict[Number, int]:
    known = set(people).union(*(each.half_byes for each in played))
    for each in played:
        known.update(*(pairing.seats for pairing in each.pairings))
    known.discard(BOT)
    table = count_points(scoring, played, known)
    return {number: table.total(number) for number in people}


def _order_entrants(
    people: Sequence[Number], group: str, points: dict[Number, int], place: dict[Number, int]
) -> list[Number]:
    if group == BY_RATING:
        return list(people)
    return sorted(people, key=lambda number: (-points[number], place[number]))


def _choose_byes(order: Sequence[Number], played: Sequence[StageRound], count: int) -> frozenset[Number]:
    """The lowest who had the fewest byes."""
    if not count:
        return frozenset()
    had: dict[Number, int] = dict.fromkeys(order, 0)
    for each in played:
        for pairing in each.pairings:
            if pairing.is_bye and pairing.seats[0] in had:
                had[pairing.seats[0]] += 1
    rank = {number: at for at, number in enumerate(order)}
    return frozenset(sorted(order, key=lambda number: (had[number], -rank[number]))[:count])


def _cut_blocks(
    order: Sequence[Number], full: int, short: int, seats: int, had_short: Mapping[Number, int]
) -> list[list[Number]]:
    """The order cut into tables; the short ones stand together, as low as they spare most from a second one."""
    width = short * (seats - 1)
    if not short:
        first = full
    else:
        had = [had_short.get(number, 0) for number in order]
        first = min(range(full, -1, -1), key=lambda at: sum(had[at * seats : at * seats + width]))
    sizes = [seats] * first + [seats - 1] * short + [seats] * (full - first)
    blocks, start = [], 0
    for size in sizes:
        blocks.append(list(order[start : start + size]))
        start += size
    return blocks


def _exchange_equals(tables: list[tuple[Number, ...]], costs: PodCosts, prices: SeatPrices) -> set[int]:
    """Exchange people with equal points between tables near by where both sit better then; which tables changed.

    Whoever has to take a seat once too often looks for somebody who sits on one they need, and gives theirs for it.
    """
    changed: set[int] = set()
    for at in range(len(tables)):
        for seat in range(len(tables[at])):
            one = tables[at][seat]
            row = prices[one]
            if row[seat] == min(row[: len(tables[at])]):
                continue
            found = _find_exchange(tables, at, seat, costs, prices)
            if found is not None:
                other, place = found
                two = tables[other][place]
                tables[at] = (*tables[at][:seat], two, *tables[at][seat + 1 :])
                tables[other] = (*tables[other][:place], one, *tables[other][place + 1 :])
                changed |= {at, other}
    return changed


def _find_exchange(
    tables: Sequence[tuple[Number, ...]], at: int, seat: int, costs: PodCosts, prices: SeatPrices
) -> tuple[int, int] | None:
    """The nearest table and the seat there with whose holder an exchange makes seats cheapest, if any does."""
    table, one = tables[at], tables[at][seat]
    row, points = prices[one], costs.points
    own, level, best, found = row[seat], points[one], 0, None
    for step in range(1, _EXCHANGE_REACH + 1):
        if found is not None:
            break
        for other in (at - step, at + step):
            if not 0 <= other < len(tables) or len(tables[other]) != len(table):
                continue
            for place, two in enumerate(tables[other]):
                if place == seat or points[two] != level:
                    continue
                theirs = prices[two]
                saved = own + theirs[place] - row[place] - theirs[seat]
                if saved > best and not _adds_fault(costs, table, tables[other], one, two):
                    best, found = saved, (other, place)
    return found


def _adds_fault(costs: PodCosts, table: Sequence[Number], there: Sequence[Number], one: Number, two: Number) -> bool:
    """Whether an exchange would seat people together who sit better apart."""
    after = costs.faults(one, there, two) + costs.faults(two, table, one)
    return after > 0 and after > costs.faults(one, table) + costs.faults(two, there)

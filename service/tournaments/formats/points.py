"""Points of a tournament, from the results of a table to the total of each entrant, in integers of 1/10,000.

A seat that its entrant did not finish scores as the last place. The other seats keep the points of their places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import repeat
from typing import TypeAlias

from service.tournaments.formats.crosstable import (
    BOT,
    TWO_SEATS,
    UNFINISHED,
    How,
    Number,
    Pairing,
    SeatResult,
    StageRound,
    list_pairings,
)
from service.tournaments.formats.faults import FormatFault

UNIT = 10_000


class BadPoints(FormatFault):
    """A number of points that cannot be written in 1/10,000."""


@dataclass(frozen=True, slots=True)
class WinPoints:
    """Points for a win and for a shared first place, and 0 for everybody else."""

    win: int = UNIT
    draw: int = UNIT // 2


@dataclass(frozen=True, slots=True)
class PlacePoints:
    """Points for each place. `short` is for tables one seat short; without it their places are evenly spaced."""

    places: tuple[int, ...]
    short: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SharePoints:
    """A player's score as a share of all scores at the table."""


@dataclass(frozen=True, slots=True)
class ScorePoints:
    """The score of the game."""


@dataclass(frozen=True, slots=True)
class DealPoints:
    """The share of the others with the same seat of the same deal who ranked lower, with ties counted half."""


PointsRule: TypeAlias = WinPoints | PlacePoints | SharePoints | ScorePoints | DealPoints


@dataclass(frozen=True, slots=True)
class Scoring:
    """Scoring of a stage: its rule, the seats of a full table, and the points for byes.

    `bye` is for a bye given by the pairing, `asked` for a requested one. If `bye` is None, byes score as in pods: the
    mean of the entrant's own tables, or half the mean of all places for a requested bye.
    """

    rule: PointsRule = WinPoints()
    seats: int = TWO_SEATS
    bye: int | None = UNIT
    asked: int = UNIT // 2


def read_points(text: str | int) -> int:
    """Parse a decimal number of points with at most four decimals, and return it in units."""
    try:
        units = Decimal(text) * UNIT
    except InvalidOperation:
        raise BadPoints("points_form", text=text) from None
    if not units.is_finite() or units != units.to_integral_value():
        raise BadPoints("points_digits", text=text)
    return int(units)


def show_points(units: int, digits: int = 0) -> str:
    """Return units as a decimal number with at least `digits` decimals."""
    sign, units = "-" if units < 0 else "", abs(units)
    decimals = f"{units % UNIT:04d}".rstrip("0").ljust(digits, "0")
    return f"{sign}{units // UNIT}{'.' if decimals else ''}{decimals}"


def table_places(rule: PlacePoints, seats: int) -> tuple[int, ...]:
    """Return the points of each place at a table with this number of seats."""
    if seats == len(rule.places):
        return rule.places
    if rule.short and seats == len(rule.short):
        return rule.short
    first, last = rule.places[0], rule.places[-1]
    return tuple(first + (last - first) * place // max(1, seats - 1) for place in range(seats))


def share_of_scores(results: Sequence[SeatResult]) -> tuple[int, ...]:
    """Return the share of each seat in all scores of its table. Negative scores and unfinished seats have none."""
    scores = [result.score for result in results]
    if min(scores) < 0:
        scores = [max(0, score) for score in scores]
    total = sum(scores)
    parts = [UNIT * score // total for score in scores] if total else [UNIT // len(scores)] * len(scores)
    return tuple([0 if result.how in UNFINISHED else part for part, result in zip(parts, results, strict=True)])


def _pair_points(rule: WinPoints, one: SeatResult, other: SeatResult) -> tuple[int, int]:
    """Return the points of a match of two, by far the most frequent case."""
    if one.place == other.place:
        points = (rule.draw, rule.draw)
    else:
        points = (rule.win, 0) if one.place < other.place else (0, rule.win)
    if one.how is How.PLAYED and other.how is How.PLAYED:
        return points
    return points[0] if one.finished else 0, points[1] if other.finished else 0


def seat_points(rule: PointsRule, results: Sequence[SeatResult]) -> tuple[int, ...]:
    """Return the points of each seat of a table."""
    if isinstance(rule, SharePoints):
        return share_of_scores(results)
    if isinstance(rule, DealPoints):
        raise TypeError("the points of a shared deal depend on all tables of the round")
    if isinstance(rule, ScorePoints):
        least = min(result.score for result in results)
        return tuple(UNIT * (result.score if result.finished else least) for result in results)
    if isinstance(rule, WinPoints) and len(results) == TWO_SEATS:
        return _pair_points(rule, *results)
    taken = [result.place for result in results]
    if isinstance(rule, PlacePoints):
        places = table_places(rule, len(taken))
        if len(set(taken)) == len(taken):
            return tuple([places[-1] if one.how in UNFINISHED else places[one.place - 1] for one in results])
        # Players who share places share their points equally.
        shared = {place: sum(places[place - 1 :][: taken.count(place)]) // taken.count(place) for place in taken}
    else:
        places = (0,)
        shared = dict.fromkeys(taken, 0) | {1: rule.win if taken.count(1) == 1 else rule.draw}
    return tuple(shared[result.place] if result.finished else places[-1] for result in results)


def round_points(rule: PointsRule, pairings: Sequence[Pairing]) -> list[tuple[int, ...]]:
    """Return the points of each seat of each table of a round. A table without a result has an empty tuple."""
    if isinstance(rule, DealPoints):
        return deal_points(pairings)
    return [seat_points(rule, pairing.results) if pairing.results else () for pairing in pairings]


def deal_points(pairings: Sequence[Pairing]) -> list[tuple[int, ...]]:
    """Return the points of each seat if all tables share one deal: each is compared with the same seat elsewhere.

    Bots are not compared. A seat without anybody to compare with gets half a point, an unfinished seat none.
    """
    places: dict[int, list[int]] = {}
    for pairing in pairings:
        for seat, (number, result) in enumerate(zip(pairing.seats, pairing.results, strict=False)):
            if number != BOT:
                places.setdefault(seat, []).append(result.place)

    def points_of(seat: int, number: Number, result: SeatResult) -> int:
        held = places.get(seat, [])
        if number == BOT or not result.finished:
            return 0
        if len(held) == 1:
            return UNIT // 2
        behind = sum(place > result.place for place in held)
        level = held.count(result.place) - 1
        return UNIT * (2 * behind + level) // (2 * (len(held) - 1))

    return [
        tuple(
            points_of(seat, number, result)
            for seat, (number, result) in enumerate(zip(pairing.seats, pairing.results, strict=False))
        )
        for pairing in pairings
    ]


def mean_of_places(scoring: Scoring) -> int:
    """Return the mean points of a seat, for entrants without a table of their own yet."""
    if isinstance(scoring.rule, PlacePoints):
        return sum(scoring.rule.places) // len(scoring.rule.places)
    if isinstance(scoring.rule, WinPoints):
        return scoring.rule.win // scoring.seats
    if isinstance(scoring.rule, DealPoints):
        return UNIT // 2
    return UNIT // scoring.seats if isinstance(scoring.rule, SharePoints) else 0


@dataclass(frozen=True, slots=True)
class PointsTable:
    """Points of each entrant by round. A round without a result counts 0."""

    by_round: Mapping[Number, tuple[int, ...]]

    def total(self, number: Number) -> int:
        """Return the total of an entrant."""
        return sum(self.by_round[number])


def count_points(
    scoring: Scoring, rounds: Sequence[StageRound], numbers: Iterable[Number], *, cancelled: Iterable[Number] = ()
) -> PointsTable:
    """Return the points of every entrant by round. Pairings of `cancelled` entrants count for nobody."""
    void, members = frozenset(cancelled), sorted(numbers)
    # One dict per round instead of one list per entrant: the garbage collector would walk thousands of small lists.
    columns: list[dict[Number, int]] = []
    played = dict.fromkeys(members, 0)
    byes: list[tuple[Number, dict[Number, int]]] = []
    for each in rounds:
        column = dict.fromkeys(members, 0)
        columns.append(column)
        dealt = deal_points(each.pairings) if isinstance(scoring.rule, DealPoints) else repeat(())
        for pairing, compared in zip(each.pairings, dealt, strict=False):
            if pairing.is_bye:
                byes.append((pairing.seats[0], column))
            elif pairing.results and not (void and void.intersection(pairing.seats)):
                gained = compared or seat_points(scoring.rule, pairing.results)
                for number, points in zip(pairing.seats, gained, strict=True):
                    if number != BOT:
                        column[number] = points
                        played[number] += 1
        for number in each.half_byes:
            column[number] = scoring.asked if scoring.bye is not None else mean_of_places(scoring) // 2
        for number in each.full_byes:
            column[number] = scoring.rule.win if isinstance(scoring.rule, WinPoints) else UNIT
    tables = list(zip(rounds, columns, strict=True))
    means = {
        number: sum(column[number] for each, column in tables if number not in each.half_byes) // played[number]
        if played[number]
        else mean_of_places(scoring)
        for number, _ in byes
    }
    for number, column in byes:
        column[number] = means[number] if scoring.bye is None else scoring.bye
    rows = zip(*(column.values() for column in columns), strict=True) if columns else repeat(())
    return PointsTable(dict(zip(members, rows, strict=False)))


def cancelled_entrants(rounds: Iterable[StageRound], withdrawn: Iterable[Number]) -> frozenset[Number]:
    """Return those who withdrew from a round robin with fewer than half of their pairings played."""
    planned, played = Counter[Number](), Counter[Number]()
    for pairing in list_pairings(rounds):
        if not pairing.is_bye:
            planned.update(pairing.seats)
            played.update(pairing.seats if pairing.is_played else ())
    return frozenset(number for number in withdrawn if 2 * played[number] < planned[number])

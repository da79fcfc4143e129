"""Points of a tournament: from the results of a table to what each entrant gets, in integers of 1/10,000.

A seat that its entrant did not finish scores as the last place, each of several too; the others keep what they made.
"""

from __future__ import annotations

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
)
from service.tournaments.formats.faults import FormatFault

UNIT = 10_000


class BadPoints(FormatFault):
    """A number of points that cannot be written in 1/10,000."""


@dataclass(frozen=True, slots=True)
class WinPoints:
    """So much for a win, so much for a shared first place, nothing for the others."""

    win: int = UNIT
    draw: int = UNIT // 2


@dataclass(frozen=True, slots=True)
class PlacePoints:
    """So much for each place; `short` is for tables one seat short, else places are evenly spaced there."""

    places: tuple[int, ...]
    short: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class SharePoints:
    """The own score as a part of all scores at the table."""


@dataclass(frozen=True, slots=True)
class ScorePoints:
    """The game's own score."""


@dataclass(frozen=True, slots=True)
class DealPoints:
    """The part of all others who held the same seat of the same deal whom one left behind, those level counted half."""


PointsRule: TypeAlias = WinPoints | PlacePoints | SharePoints | ScorePoints | DealPoints


@dataclass(frozen=True, slots=True)
class Scoring:
    """How a stage counts: its rule, the seats of a full table, and what byes are worth.

    `bye` is for a bye by pairing, `asked` for one that was asked for. Where `bye` is None, byes are worth what pods
    give: the mean of the entrant's own tables, and half the mean of all places for one that was asked for.
    """

    rule: PointsRule = WinPoints()
    seats: int = TWO_SEATS
    bye: int | None = UNIT
    asked: int = UNIT // 2


def read_points(text: str | int) -> int:
    """A decimal number of points, at most four digits behind the point, in units."""
    try:
        units = Decimal(text) * UNIT
    except InvalidOperation:
        raise BadPoints("points_form", text=text) from None
    if not units.is_finite() or units != units.to_integral_value():
        raise BadPoints("points_digits", text=text)
    return int(units)


def show_points(units: int, digits: int = 0) -> str:
    """Units as a decimal number, with at least so many digits behind the point."""
    sign, units = "-" if units < 0 else "", abs(units)
    behind = f"{units % UNIT:04d}".rstrip("0").ljust(digits, "0")
    return f"{sign}{units // UNIT}{'.' if behind else ''}{behind}"


def table_places(rule: PlacePoints, seats: int) -> tuple[int, ...]:
    """The points of each place at a table with so many seats."""
    if seats == len(rule.places):
        return rule.places
    if rule.short and seats == len(rule.short):
        return rule.short
    first, last = rule.places[0], rule.places[-1]
    return tuple(first + (last - first) * at // max(1, seats - 1) for at in range(seats))


def share_of_scores(results: Sequence[SeatResult]) -> tuple[int, ...]:
    """Each seat's part of all scores at its table; negatives count 0, a seat that was not finished has none."""
    scores = [result.score for result in results]
    if min(scores) < 0:
        scores = [max(0, score) for score in scores]
    total = sum(scores)
    parts = [UNIT * score // total for score in scores] if total else [UNIT // len(scores)] * len(scores)
    return tuple([0 if result.how in UNFINISHED else part for part, result in zip(parts, results, strict=True)])


def _pair_points(rule: WinPoints, one: SeatResult, other: SeatResult) -> tuple[int, int]:
    """What a match of two gives, which is asked for most often."""
    if one.place == other.place:
        made = (rule.draw, rule.draw)
    else:
        made = (rule.win, 0) if one.place < other.place else (0, rule.win)
    if one.how is How.PLAYED and other.how is How.PLAYED:
        return made
    return made[0] if one.finished else 0, made[1] if other.finished else 0


def seat_points(rule: PointsRule, results: Sequence[SeatResult]) -> tuple[int, ...]:
    """What each seat of a table gets."""
    if isinstance(rule, SharePoints):
        return share_of_scores(results)
    if isinstance(rule, DealPoints):
        raise TypeError("one table does not say what its seats get: others held them too")
    if isinstance(rule, ScorePoints):
        least = min(result.score for result in results)
        return tuple(UNIT * (result.score if result.finished else least) for result in results)
    if isinstance(rule, WinPoints) and len(results) == TWO_SEATS:
        return _pair_points(rule, *results)
    found = [result.place for result in results]
    if isinstance(rule, PlacePoints) and len(set(found)) == len(found):
        places = table_places(rule, len(found))
        return tuple([places[-1] if one.how in UNFINISHED else places[one.place - 1] for one in results])
    level = [found.count(place) for place in found]
    if isinstance(rule, WinPoints):
        made = [
            0 if result.place > 1 else rule.win if shared == 1 else rule.draw
            for result, shared in zip(results, level, strict=True)
        ]
        last = 0
    else:
        places = table_places(rule, len(results))
        made = [
            sum(places[result.place - 1 : result.place - 1 + shared]) // shared
            for result, shared in zip(results, level, strict=True)
        ]
        last = places[-1]
    return tuple(each if result.finished else last for each, result in zip(made, results, strict=True))


def round_points(rule: PointsRule, pairings: Sequence[Pairing]) -> list[tuple[int, ...]]:
    """What each seat of each table of a round gets; nothing for tables without a result."""
    if isinstance(rule, DealPoints):
        return deal_points(pairings)
    return [seat_points(rule, pairing.results) if pairing.results else () for pairing in pairings]


def deal_points(pairings: Sequence[Pairing]) -> list[tuple[int, ...]]:
    """What each seat gets where all tables have one deal: compared with who held the same seat, bots left out.

    Whoever nobody can be compared with gets half; a seat that was not finished gets nothing.
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
    """What a seat gets on average, for who has no table of their own yet."""
    if isinstance(scoring.rule, PlacePoints):
        return sum(scoring.rule.places) // len(scoring.rule.places)
    if isinstance(scoring.rule, WinPoints):
        return scoring.rule.win // scoring.seats
    if isinstance(scoring.rule, DealPoints):
        return UNIT // 2
    return UNIT // scoring.seats if isinstance(scoring.rule, SharePoints) else 0


@dataclass(frozen=True, slots=True)
class PointsTable:
    """What each entrant got in each round, in the order of the rounds; a round without a result yet counts 0."""

    by_round: Mapping[Number, tuple[int, ...]]

    def total(self, number: Number) -> int:
        """All points of an entrant."""
        return sum(self.by_round[number])


def count_points(
    scoring: Scoring, rounds: Sequence[StageRound], numbers: Iterable[Number], *, cancelled: Iterable[Number] = ()
) -> PointsTable:
    """The points of every entrant, round by round; pairings of who is `cancelled` count for nobody."""
    void, members = frozenset(cancelled), sorted(numbers)
    # A dictionary a round, not a list an entrant: many thousands of lists keep the collector of garbage busy.
    columns: list[dict[Number, int]] = []
    played = dict.fromkeys(members, 0)
    byes: list[tuple[Number, int]] = []
    shared = isinstance(scoring.rule, DealPoints)
    for at, each in enumerate(rounds):
        column = dict.fromkeys(members, 0)
        columns.append(column)
        dealt = iter(deal_points(each.pairings)) if shared else repeat(())
        for pairing, made in zip(each.pairings, dealt, strict=False):
            if pairing.is_bye:
                byes.append((pairing.seats[0], at))
            elif pairing.results and not (void and void.intersection(pairing.seats)):
                gained = made if shared else seat_points(scoring.rule, pairing.results)
                for number, points in zip(pairing.seats, gained, strict=True):
                    if number != BOT:
                        column[number] = points
                        played[number] += 1
        for number in each.half_byes:
            column[number] = scoring.asked if scoring.bye is not None else mean_of_places(scoring) // 2
    asked = {(number, at) for at, each in enumerate(rounds) for number in each.half_byes}
    means = {
        number: sum(column[number] for at, column in enumerate(columns) if (number, at) not in asked) // played[number]
        if played[number]
        else mean_of_places(scoring)
        for number, _ in byes
    }
    for number, at in byes:
        columns[at][number] = means[number] if scoring.bye is None else scoring.bye
    rows = zip(*(column.values() for column in columns), strict=True) if columns else repeat(())
    return PointsTable(dict(zip(members, rows, strict=False)))


def cancelled_entrants(rounds: Iterable[StageRound], withdrawn: Iterable[Number]) -> frozenset[Number]:
    """Who withdrew from a round robin with under half of the own pairings played, and so counts for nobody."""
    played: dict[Number, int] = {}
    planned: dict[Number, int] = {}
    for each in rounds:
        for pairing in each.pairings:
            if pairing.is_bye:
                continue
            for number in pairing.seats:
                planned[number] = planned.get(number, 0) + 1
                played[number] = played.get(number, 0) + pairing.is_played
    return frozenset(each for each in withdrawn if 2 * played.get(each, 0) < planned.get(each, 0))

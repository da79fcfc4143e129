"""Ties between entrants of tables for three and more: places, opposition, shares of scores, direct encounter.

Means are rounded down to 1/10,000; byes are no tables, and bots are no opponents. `…_values` gives what counts for
everybody, `…_parts` what one entrant's value was made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from service.tournaments.formats.crosstable import BOT, UNFINISHED, Number, StageRound
from service.tournaments.formats.fide_ties import NOBODY, RoundKind, TiePart
from service.tournaments.formats.points import UNIT, PointsTable, share_of_scores

PAIR = 2
FIGURES = 4


class SeatAtTable(NamedTuple):
    """One table of one entrant: all people there, the place if the seat was finished, points, share of all scores."""

    round: int
    people: tuple[Number, ...]
    place: int
    points: int
    share: int


@dataclass(frozen=True)
class PodTable:
    """Everything that ties between entrants of pods are computed from.

    `people` are those at each table of an entrant; `figures` has four numbers a table: round, place, points, share.
    Few long lists: hundreds of thousands of small values would keep the collector of garbage busy.
    """

    people: dict[Number, list[tuple[Number, ...]]]
    figures: dict[Number, list[int]]
    means: dict[Number, int]

    def list_rows(self, number: Number) -> list[SeatAtTable]:
        """The tables of one entrant."""
        figures = self.figures[number]
        return [
            SeatAtTable(figures[at], people, *figures[at + 1 : at + FIGURES])
            for at, people in zip(range(0, len(figures), FIGURES), self.people[number], strict=True)
        ]


def build_pod_table(rounds: Sequence[StageRound], points: PointsTable) -> PodTable:
    """The tables of every entrant, and the mean of points a table."""
    sat: dict[Number, list[tuple[Number, ...]]] = {number: [] for number in points.by_round}
    figures: dict[Number, list[int]] = {number: [] for number in points.by_round}
    for at, each in enumerate(rounds):
        for pairing in each.pairings:
            if pairing.is_bye or not pairing.results:
                continue
            people = pairing.seats if BOT not in pairing.seats else tuple(one for one in pairing.seats if one != BOT)
            shares = share_of_scores(pairing.results)
            for number, result, share in zip(pairing.seats, pairing.results, shares, strict=True):
                if number != BOT:
                    place, made = 0 if result.how in UNFINISHED else result.place, points.by_round[number][at]
                    sat[number].append(people)
                    figures[number] += (each.number, place, made, share)
    means = {number: sum(own[2::FIGURES]) * FIGURES // len(own) if own else 0 for number, own in figures.items()}
    return PodTable(sat, figures, means)


def place_values(table: PodTable, *, place: int) -> dict[Number, int]:
    """How often everybody came to this place, tied too, of seats finished."""
    return {number: UNIT * own[1::FIGURES].count(place) for number, own in table.figures.items()}


def place_parts(table: PodTable, number: Number, *, place: int) -> list[TiePart]:
    """The tables on which the entrant came to this place."""
    rows = table.list_rows(number)
    return [TiePart(each.round, NOBODY, UNIT, RoundKind.PLAYED) for each in rows if each.place == place]


def opposition_values(table: PodTable) -> dict[Number, int]:
    """The mean, over all opponents as often as met, of their mean points a table."""
    means, found = table.means, {}
    for number, own in table.people.items():
        met = [means[one] for people in own for one in people]
        total, count = sum(met) - len(own) * means[number], len(met) - len(own)
        found[number] = total // count if count else 0
    return found


def opposition_parts(table: PodTable, number: Number) -> list[TiePart]:
    """The mean points a table of every opponent, as often as met; the value is the mean of these."""
    return [
        TiePart(each.round, other, table.means[other], RoundKind.PLAYED)
        for each in table.list_rows(number)
        for other in each.people
        if other != number
    ]


def share_values(table: PodTable) -> dict[Number, int]:
    """Everybody's part of all scores, summed over the tables."""
    return {number: sum(own[3::FIGURES]) for number, own in table.figures.items()}


def share_parts(table: PodTable, number: Number) -> list[TiePart]:
    """The own part of all scores, table by table."""
    return [TiePart(each.round, NOBODY, each.share, RoundKind.PLAYED) for each in table.list_rows(number)]


def common_table_parts(table: PodTable, number: Number, group: Sequence[Number]) -> list[TiePart]:
    """Where exactly two are tied and have met: what the entrant made at their common tables."""
    if len(group) != PAIR:
        return []
    other = next(one for one in group if one != number)
    rows = table.list_rows(number)
    return [TiePart(each.round, other, each.points, RoundKind.PLAYED) for each in rows if other in each.people]

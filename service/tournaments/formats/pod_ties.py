"""Tie-breaks between entrants of tables for three and more: places, opposition, shares of scores, direct encounter.

Means are rounded down to 1/10,000. Byes do not count as tables, nor bots as opponents. `PodTable` and `…_values` have
the values of everybody, computed in one pass over all tables; `…_parts` returns the parts of one entrant's value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from service.tournaments.formats.crosstable import (
    BOT,
    UNFINISHED,
    Number,
    Pairing,
    StageRound,
    list_pairings,
    people_of,
)
from service.tournaments.formats.fide_ties import NOBODY, RoundKind, TiePart
from service.tournaments.formats.points import UNIT, PointsTable, share_of_scores

PAIR = SECOND = 2


class SeatAtTable(NamedTuple):
    """One table of one entrant: the people there, the place (0 for an unfinished seat), points, share of scores."""

    round: int
    people: tuple[Number, ...]
    place: int
    points: int
    share: int


@dataclass(frozen=True)
class PodTable:
    """Everything that tie-breaks of pods are computed from: the rounds, and sums over the tables of each entrant.

    The parts of one entrant's values are looked up only on request.
    """

    rounds: Sequence[StageRound]
    points: PointsTable
    counts: dict[Number, int]
    """Number of tables with a result."""
    firsts: dict[Number, int]
    """Number of first places, shared ones included, of finished seats; in units."""
    seconds: dict[Number, int]
    shares: dict[Number, int]
    """Sum of the shares of all scores at the tables."""
    means: dict[Number, int]
    """Mean points per table."""

    @cached_property
    def seated(self) -> dict[Number, list[tuple[int, Pairing]]]:
        """Return the tables of each entrant that have a result, each with the index of its round."""
        seated: dict[Number, list[tuple[int, Pairing]]] = {number: [] for number in self.counts}
        for index, each in enumerate(self.rounds):
            for pairing in list_tables([each]):
                for number in people_of(pairing.seats):
                    seated[number].append((index, pairing))
        return seated

    def list_rows(self, number: Number) -> list[SeatAtTable]:
        """Return the tables of one entrant."""
        rows = []
        for index, pairing in self.seated[number]:
            seat = pairing.seats.index(number)
            result, share = pairing.results[seat], share_of_scores(pairing.results)[seat]
            place = 0 if result.how in UNFINISHED else result.place
            points = self.points.by_round[number][index]
            rows.append(SeatAtTable(self.rounds[index].number, people_of(pairing.seats), place, points, share))
        return rows


def list_tables(rounds: Iterable[StageRound]) -> Iterator[Pairing]:
    """Return the tables of these rounds that have a result."""
    return (pairing for pairing in list_pairings(rounds) if pairing.results and len(pairing.seats) > 1)


def build_pod_table(rounds: Sequence[StageRound], points: PointsTable) -> PodTable:
    """Return the sums over the tables of every entrant, and the mean points per table."""
    # With 20,000 entrants, flat lists are much faster to update than dictionaries.
    index_of = {number: index for index, number in enumerate(points.by_round)}
    counts, firsts, seconds, shares = ([0] * len(index_of) for _ in range(4))
    for pairing in list_tables(rounds):
        results = pairing.results
        for number, result, share in zip(pairing.seats, results, share_of_scores(results), strict=True):
            if number == BOT:
                continue
            index = index_of[number]
            counts[index] += 1
            shares[index] += share
            if result.place <= SECOND and result.how not in UNFINISHED:
                (firsts if result.place == 1 else seconds)[index] += UNIT
    totals = _sum_tables(rounds, points)
    means = [totals[number] // count if count else 0 for number, count in zip(index_of, counts, strict=True)]
    columns = (dict(zip(index_of, column, strict=True)) for column in (counts, firsts, seconds, shares, means))
    return PodTable(rounds, points, *columns)


def _sum_tables(rounds: Sequence[StageRound], points: PointsTable) -> dict[Number, int]:
    """Return the points of everybody at tables: all points without those of byes."""
    totals = {number: sum(row) for number, row in points.by_round.items()}
    for index, each in enumerate(rounds):
        resting = {pairing.seats[0] for pairing in each.pairings if len(pairing.seats) == 1}
        if each.half_byes:
            seated = {number for pairing in list_tables([each]) for number in pairing.seats}
            resting |= each.half_byes - seated
        for number in resting:
            totals[number] -= points.by_round[number][index]
    return totals


def place_parts(table: PodTable, number: Number, *, place: int) -> list[TiePart]:
    """Return the tables at which the entrant took this place."""
    rows = table.list_rows(number)
    return [TiePart(each.round, NOBODY, UNIT, RoundKind.PLAYED) for each in rows if each.place == place]


def opposition_values(table: PodTable) -> dict[Number, int]:
    """Return the mean of the opponents' mean points per table. An opponent counts as often as met."""
    index_of = {number: index for index, number in enumerate(table.counts)}
    means = list(table.means.values())
    totals, met = [0] * len(index_of), [0] * len(index_of)
    for pairing in list_tables(table.rounds):
        people = [index_of[number] for number in pairing.seats if number != BOT]
        total, size = sum([means[index] for index in people]), len(people)
        for index in people:
            totals[index] += total
            met[index] += size
    # Everybody was counted among their own opponents, once per table.
    values = {}
    for (number, count), total, size, mean in zip(table.counts.items(), totals, met, means, strict=True):
        values[number] = (total - count * mean) // (size - count) if size > count else 0
    return values


def opposition_parts(table: PodTable, number: Number) -> list[TiePart]:
    """Return the mean points per table of every opponent, as often as met. The value is the mean of these."""
    return [
        TiePart(each.round, other, table.means[other], RoundKind.PLAYED)
        for each in table.list_rows(number)
        for other in each.people
        if other != number
    ]


def share_parts(table: PodTable, number: Number) -> list[TiePart]:
    """Return the entrant's share of all scores at each table."""
    return [TiePart(each.round, NOBODY, each.share, RoundKind.PLAYED) for each in table.list_rows(number)]


def common_table_values(table: PodTable, groups: Iterable[Sequence[Number]]) -> dict[Number, int]:
    """Return the points at common tables of exactly two who are tied, and 0 for all others."""
    values, rival = dict.fromkeys(table.counts, 0), dict[Number, Number]()
    for group in groups:
        if len(group) == PAIR:
            one, other = group
            rival |= {one: other, other: one}
    for index, each in enumerate(table.rounds if rival else ()):
        for pairing in list_tables([each]):
            for number in pairing.seats:
                if number in rival and rival[number] in pairing.seats:
                    values[number] += table.points.by_round[number][index]
    return values


def common_table_parts(table: PodTable, number: Number, group: Sequence[Number]) -> list[TiePart]:
    """Return the points at common tables if exactly two are tied."""
    if len(group) != PAIR:
        return []
    other = next(one for one in group if one != number)
    rows = table.list_rows(number)
    return [TiePart(each.round, other, each.points, RoundKind.PLAYED) for each in rows if other in each.people]

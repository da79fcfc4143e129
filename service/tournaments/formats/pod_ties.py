"""Ties between entrants of tables for three and more: places, opposition, shares of scores, direct encounter.

Means are rounded down to 1/10,000; byes are no tables, and bots are no opponents. `…_values` gives what counts for
everybody, `…_parts` what one entrant's value was made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from service.tournaments.formats.crosstable import BOT, UNFINISHED, Number, Pairing, StageRound
from service.tournaments.formats.fide_ties import NOBODY, RoundKind, TiePart
from service.tournaments.formats.points import UNIT, PointsTable, share_of_scores

PAIR = SECOND = 2
_FIELD = 1 << 16
_COUNTED = (1, 1 + _FIELD, 1 + _FIELD**2)
"""What a table adds by the place there: one table, and one first or second."""


class SeatAtTable(NamedTuple):
    """One table of one entrant: all people there, the place if the seat was finished, points, share of all scores."""

    round: int
    people: tuple[Number, ...]
    place: int
    points: int
    share: int


@dataclass(frozen=True)
class PodTable:
    """Everything that ties between entrants of pods are computed from: the rounds, and sums over everybody's tables.

    What one entrant's values were made of is looked up when somebody asks why.
    """

    rounds: Sequence[StageRound]
    points: PointsTable
    counts: dict[Number, int]
    """At how many tables with a result everybody sat."""
    firsts: dict[Number, int]
    seconds: dict[Number, int]
    shares: dict[Number, int]
    means: dict[Number, int]

    @cached_property
    def seated(self) -> dict[Number, list[tuple[int, Pairing]]]:
        """The tables of everybody with a result, each with the place of its round among the rounds."""
        found: dict[Number, list[tuple[int, Pairing]]] = {number: [] for number in self.counts}
        for at, each in enumerate(self.rounds):
            for pairing in list_tables(each):
                for number in people_at(pairing):
                    found[number].append((at, pairing))
        return found

    def list_rows(self, number: Number) -> list[SeatAtTable]:
        """The tables of one entrant."""
        rows = []
        for at, pairing in self.seated[number]:
            seat = pairing.seats.index(number)
            result, share = pairing.results[seat], share_of_scores(pairing.results)[seat]
            place = 0 if result.how in UNFINISHED else result.place
            made = self.points.by_round[number][at]
            rows.append(SeatAtTable(self.rounds[at].number, people_at(pairing), place, made, share))
        return rows


def list_tables(each: StageRound) -> Iterator[Pairing]:
    """The tables of a round that have a result."""
    return (pairing for pairing in each.pairings if pairing.results and len(pairing.seats) > 1)


def people_at(pairing: Pairing) -> tuple[Number, ...]:
    """The entrants at a table, bots left out."""
    return pairing.seats if BOT not in pairing.seats else tuple(one for one in pairing.seats if one != BOT)


def build_pod_table(rounds: Sequence[StageRound], points: PointsTable) -> PodTable:
    """The sums over the tables of every entrant, and the mean of points a table."""
    place = {number: at for at, number in enumerate(points.by_round)}
    # Tables, firsts and seconds of an entrant in one integer, and lists: large dictionaries would be slow to reach.
    packed, shares = [0] * len(place), [0] * len(place)
    for each in rounds:
        for pairing in list_tables(each):
            results = pairing.results
            for number, result, share in zip(pairing.seats, results, share_of_scores(results), strict=True):
                if number == BOT:
                    continue
                at, rank = place[number], result.place
                shares[at] += share
                packed[at] += 1 if rank > SECOND or result.how in UNFINISHED else _COUNTED[rank]
    made = _sum_tables(rounds, points)
    counts = {number: packed[at] % _FIELD for number, at in place.items()}
    return PodTable(
        rounds,
        points,
        counts,
        {number: UNIT * (packed[at] // _FIELD % _FIELD) for number, at in place.items()},
        {number: UNIT * (packed[at] // _FIELD**2) for number, at in place.items()},
        {number: shares[at] for number, at in place.items()},
        {number: made[number] // count if count else 0 for number, count in counts.items()},
    )


def _sum_tables(rounds: Sequence[StageRound], points: PointsTable) -> dict[Number, int]:
    """What everybody made at tables: all points without those of byes."""
    made = {number: sum(row) for number, row in points.by_round.items()}
    for at, each in enumerate(rounds):
        resting = {pairing.seats[0] for pairing in each.pairings if len(pairing.seats) == 1}
        if each.half_byes:
            seated = {number for pairing in list_tables(each) for number in pairing.seats}
            resting |= each.half_byes - seated
        for number in resting:
            made[number] -= points.by_round[number][at]
    return made


def first_values(table: PodTable) -> dict[Number, int]:
    """How often everybody came first, tied too, of seats finished."""
    return table.firsts


def second_values(table: PodTable) -> dict[Number, int]:
    """How often everybody came second, tied too, of seats finished."""
    return table.seconds


def place_parts(table: PodTable, number: Number, *, place: int) -> list[TiePart]:
    """The tables on which the entrant came to this place."""
    rows = table.list_rows(number)
    return [TiePart(each.round, NOBODY, UNIT, RoundKind.PLAYED) for each in rows if each.place == place]


def opposition_values(table: PodTable) -> dict[Number, int]:
    """The mean, over all opponents as often as met, of their mean points a table."""
    place = {number: at for at, number in enumerate(table.counts)}
    means = list(table.means.values())
    totals, met = [0] * len(place), [0] * len(place)
    for each in table.rounds:
        for pairing in list_tables(each):
            places = [place[one] for one in pairing.seats if one != BOT]
            total, size = sum([means[at] for at in places]), len(places)
            for at in places:
                totals[at] += total
                met[at] += size
    found = {}
    for number, at in place.items():
        count = table.counts[number]
        opponents = met[at] - count
        found[number] = (totals[at] - count * means[at]) // opponents if opponents else 0
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
    return table.shares


def share_parts(table: PodTable, number: Number) -> list[TiePart]:
    """The own part of all scores, table by table."""
    return [TiePart(each.round, NOBODY, each.share, RoundKind.PLAYED) for each in table.list_rows(number)]


def common_table_values(table: PodTable, groups: Iterable[Sequence[Number]]) -> dict[Number, int]:
    """Where exactly two are tied and have met, what each made at their common tables; nothing for all others."""
    found, rival = dict.fromkeys(table.counts, 0), dict[Number, Number]()
    for group in groups:
        if len(group) == PAIR:
            one, other = group
            rival |= {one: other, other: one}
    for at, each in enumerate(table.rounds if rival else ()):
        for pairing in list_tables(each):
            for number in pairing.seats:
                if number in rival and rival[number] in pairing.seats:
                    found[number] += table.points.by_round[number][at]
    return found


def common_table_parts(table: PodTable, number: Number, group: Sequence[Number]) -> list[TiePart]:
    """Where exactly two are tied and have met: what the entrant made at their common tables."""
    if len(group) != PAIR:
        return []
    other = next(one for one in group if one != number)
    rows = table.list_rows(number)
    return [TiePart(each.round, other, each.points, RoundKind.PLAYED) for each in rows if other in each.people]

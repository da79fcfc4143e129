"""Ties between entrants of tables for three and more: places, opposition, shares of scores, direct encounter.

Means are rounded down to 1/10,000; byes are no tables, and bots are no opponents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from service.tournaments.formats.crosstable import BOT, Number, StageRound
from service.tournaments.formats.fide_ties import NOBODY, RoundKind, TiePart
from service.tournaments.formats.points import UNIT, Scoring, seat_points, share_of_scores

PAIR = 2


class SeatAtTable(NamedTuple):
    """One table of one entrant: the others, the place if the seat was finished, points, and the share of all scores."""

    round: int
    others: tuple[Number, ...]
    place: int
    points: int
    share: int


@dataclass(frozen=True)
class PodTable:
    """Everything that ties between entrants of pods are computed from."""

    rows: dict[Number, tuple[SeatAtTable, ...]]
    means: dict[Number, int]


def build_pod_table(scoring: Scoring, rounds: Sequence[StageRound], numbers: Sequence[Number]) -> PodTable:
    """The tables of every entrant, and the mean of points a table."""
    rows: dict[Number, list[SeatAtTable]] = {number: [] for number in numbers}
    for each in rounds:
        for pairing in each.pairings:
            if pairing.is_bye or not pairing.results:
                continue
            shares, points = share_of_scores(pairing.results), seat_points(scoring.rule, pairing.results)
            people = tuple(number for number in pairing.seats if number != BOT)
            for number, result, made, share in zip(pairing.seats, pairing.results, points, shares, strict=True):
                if number != BOT:
                    others = tuple(one for one in people if one != number)
                    place = result.place if result.finished else 0
                    rows[number].append(SeatAtTable(each.number, others, place, made, share))
    means = {number: sum(row.points for row in own) // len(own) if own else 0 for number, own in rows.items()}
    return PodTable({number: tuple(own) for number, own in rows.items()}, means)


def place_parts(table: PodTable, number: Number, place: int) -> list[TiePart]:
    """The tables on which the entrant came to this place, tied too, of seats finished."""
    return [TiePart(each.round, NOBODY, UNIT, RoundKind.PLAYED) for each in table.rows[number] if each.place == place]


def opposition_parts(table: PodTable, number: Number) -> list[TiePart]:
    """The mean points a table of every opponent, as often as met; the value is the mean of these."""
    return [
        TiePart(each.round, other, table.means[other], RoundKind.PLAYED)
        for each in table.rows[number]
        for other in each.others
    ]


def share_parts(table: PodTable, number: Number) -> list[TiePart]:
    """The own part of all scores, table by table."""
    return [TiePart(each.round, NOBODY, each.share, RoundKind.PLAYED) for each in table.rows[number]]


def direct_table_parts(table: PodTable, number: Number, group: Sequence[Number]) -> list[TiePart]:
    """Where exactly two are tied and have met: what the entrant made at their common tables."""
    if len(group) != PAIR:
        return []
    other = next(one for one in group if one != number)
    return [
        TiePart(each.round, other, each.points, RoundKind.PLAYED) for each in table.rows[number] if other in each.others
    ]

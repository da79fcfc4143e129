"""Duplicate: every table of a round has the same opening deal, and each seat is compared with the same seat elsewhere.

Every table is full: bots fill empty seats, and nobody is compared with them. The place of a seat is its rank among all
who held that seat; its points are the share of them who ranked lower, with ties counted half.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from service.tournaments.formats.crosstable import BOT, Number, Pairing, SeatResult, StageRound
from service.tournaments.formats.pods import PodRound, PodRules, pair_pods
from service.tournaments.formats.points import Scoring

_FIRST_FILLER = 1_000_000_000
"""First of the numbers that mark seats of bots while tables are paired; larger than any entrant's."""


def pair_duplicate(
    scoring: Scoring,
    played: Sequence[StageRound],
    present: Iterable[Number],
    rules: PodRules,
    lots: Sequence[Number],
) -> PodRound:
    """Return the tables of the next round as in pods, all of them full. Bots fill the empty seats."""
    people = sorted(set(present))
    fillers = [_FIRST_FILLER + index for index in range(-len(people) % rules.seats)]
    paired = pair_pods(scoring, played, [*people, *fillers], rules, lots)
    tables = (tuple(BOT if one >= _FIRST_FILLER else one for one in table.seats) for table in paired.pairings)
    return PodRound(tuple(map(Pairing, tables)), paired.repeats)


def rank_deal(tables: Sequence[tuple[Sequence[Number], Sequence[SeatResult]]]) -> list[tuple[SeatResult, ...]]:
    """Return the results of a round with places by seat: finished seats by score, then the unfinished ones.

    A bot gets the place that its score would have, without moving anybody else down.
    """
    finished: dict[int, list[int]] = {}
    for seats, results in tables:
        for seat, (number, result) in enumerate(zip(seats, results, strict=True)):
            if number != BOT and result.finished:
                finished.setdefault(seat, []).append(result.score)

    def place_of(seat: int, result: SeatResult, number: Number) -> int:
        scores = finished.get(seat, [])
        if number != BOT and not result.finished:
            return 1 + len(scores)
        return 1 + sum(score > result.score for score in scores)

    return [
        tuple(
            replace(result, place=place_of(seat, result, number))
            for seat, (number, result) in enumerate(zip(seats, results, strict=True))
        )
        for seats, results in tables
    ]

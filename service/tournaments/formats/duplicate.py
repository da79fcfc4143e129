"""Duplicate: the same opening deal at every table of a round, and each seat is compared with the same seat elsewhere.

Every table is full: where people are missing, bots sit, and nobody is compared with them. A seat's place is its rank
among all who held that seat, its points the part of these whom it left behind, those level with it counted half.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from service.tournaments.formats.crosstable import BOT, Number, Pairing, SeatResult, StageRound
from service.tournaments.formats.pods import PodRound, PodRules, pair_pods
from service.tournaments.formats.points import Scoring

_FIRST_FILLER = 1_000_000_000
"""Numbers beyond all entrants, for seats that bots will take while tables are made."""


def pair_duplicate(
    scoring: Scoring,
    played: Sequence[StageRound],
    present: Iterable[Number],
    rules: PodRules,
    lots: Sequence[Number],
) -> PodRound:
    """The tables of the next round as in pods, all of them full; bots sit where people are missing."""
    people = sorted(set(present))
    fillers = [_FIRST_FILLER + at for at in range(-len(people) % rules.seats)]
    found = pair_pods(scoring, played, [*people, *fillers], rules, lots)
    tables = (tuple(BOT if one >= _FIRST_FILLER else one for one in each.seats) for each in found.pairings)
    return PodRound(tuple(map(Pairing, tables)), found.repeats)


def rank_deal(tables: Sequence[tuple[Sequence[Number], Sequence[SeatResult]]]) -> list[tuple[SeatResult, ...]]:
    """The results of a round with places by seat: who finished by score, behind them all who did not finish.

    A bot gets the place that its score would have, and is in nobody's way.
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

"""Repeat pairings: certain ones beforehand, compared with every order of tables, and their counts by round."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from random import Random

import pytest

from service.tournaments.formats import pods, swiss
from service.tournaments.formats.crosstable import How, Pairing, SeatResult, StageRound, rank_scores
from service.tournaments.formats.pods import PodRules
from service.tournaments.formats.points import PlacePoints, Scoring, WinPoints
from service.tournaments.formats.repeat_pairings import count_certain_repeats, count_repeats
from service.tournaments.formats.swiss import SwissRules

Table = tuple[int, ...]


@pytest.mark.parametrize(
    ("format_", "entrants", "seats", "certain"),
    [
        ("swiss", 4, 2, (0, 0, 0, 2, 2)),
        ("swiss", 3, 2, (0, 0, 0, 1, 1)),
        ("swiss", 2, 2, (0, 1, 1)),
        ("swiss", 1, 2, (0, 0)),
        ("swiss", 8, 2, (0,) * 7),
        ("pods", 5, 4, (0, 3, 5, 6)),  # one rests: three of the four who sat together sit together again
        ("pods", 6, 4, (0, 2, 2, 5, 6)),
        ("pods", 7, 4, (0, 3, 3, 9)),
        ("pods", 8, 4, (0, 4, 4, 12)),
        ("pods", 16, 4, (0, 0, 0, 0, 0, 24)),
        ("pods", 4, 4, (0, 6, 6)),
        ("duplicate", 5, 4, (0, 1, 1)),
        ("duplicate", 8, 4, (0, 4, 4)),
    ],
)
def test_what_is_certain_follows_from_entrants_seats_and_rounds(
    format_: str, entrants: int, seats: int, certain: tuple[int, ...]
) -> None:
    assert count_certain_repeats(format_, entrants, seats, len(certain)) == certain


def list_rounds(people: frozenset[int], sizes: list[int]) -> Iterator[tuple[Table, ...]]:
    """Every way to seat these people at tables of these sizes; who is left has a bye."""
    if not sizes:
        yield ()
        return
    for table in combinations(sorted(people), sizes[0]):
        for rest in list_rounds(people - set(table), sizes[1:]):
            if not rest or len(rest[0]) != len(table) or table < rest[0]:
                yield (table, *rest)


def fewest_repeats(entrants: int, sizes: list[int], rounds: int) -> int:
    """Return the fewest repeats of this many rounds, by trying all from the first on, which is as good as any other."""
    every = [
        {pair for table in each for pair in combinations(table, 2)}
        for each in list_rounds(frozenset(range(entrants)), sizes)
    ]
    known = {(frozenset(every[0])): 0}
    for _ in range(rounds - 1):
        after: dict[frozenset[tuple[int, int]], int] = {}
        for met, cost in known.items():
            for pairs in every:
                total, seen = cost + len(pairs & met), met | pairs
                after[seen] = min(after.get(seen, total), total)
        known = after
    return min(known.values())


@pytest.mark.parametrize(
    ("format_", "entrants", "seats", "rounds"),
    [
        ("swiss", 3, 2, 5),
        ("swiss", 4, 2, 5),
        ("swiss", 5, 2, 4),
        ("pods", 5, 4, 4),
        ("pods", 6, 4, 3),
        ("pods", 6, 3, 3),
        ("pods", 7, 4, 3),
        ("pods", 8, 4, 3),
    ],
)
def test_nothing_is_certain_that_some_order_of_tables_avoids(
    format_: str, entrants: int, seats: int, rounds: int
) -> None:
    full, short, _ = pods.table_sizes(entrants, seats) if seats > 2 else (entrants // 2, 0, entrants % 2)
    sizes = [seats] * full + [seats - 1] * short
    certain = sum(count_certain_repeats(format_, entrants, seats, rounds))
    assert 0 <= certain <= fewest_repeats(entrants, sizes, rounds)


@pytest.mark.parametrize(("entrants", "rounds"), [(4, 5), (3, 6), (2, 4), (6, 7), (7, 9)])
@pytest.mark.parametrize("system", ["dutch", "brackets"])
def test_rounds_of_a_swiss_count_as_many_repeats_as_their_pairing_says(entrants: int, rounds: int, system: str) -> None:
    random, played, said = Random(entrants), list[StageRound](), {}
    for number in range(1, rounds + 1):
        found = swiss.pair_swiss(
            Scoring(WinPoints(), 2, 10_000, 5_000), played, range(1, entrants + 1), SwissRules(rounds, system)
        )
        said[number] = found.repeats
        tables = [
            pair if pair.is_bye else Pairing(pair.seats, rank_scores(random.sample(range(9), 2)))
            for pair in found.pairings
        ]
        played.append(StageRound(number, tuple(tables)))
    certain = count_certain_repeats("swiss", entrants, 2, rounds)
    assert count_repeats(played) == said
    assert sum(said.values()) >= sum(certain) > 0


@pytest.mark.parametrize("entrants", [5, 6, 7, 8])
def test_rounds_of_pods_count_as_many_repeats_as_their_pairing_says(entrants: int) -> None:
    random, played, said = Random(entrants), list[StageRound](), {}
    scoring = Scoring(PlacePoints((60_000, 40_000, 20_000, 0)), 4, None)
    for number in range(1, 5):
        lots = random.sample(range(1, entrants + 1), entrants)
        found = pods.pair_pods(scoring, played, range(1, entrants + 1), PodRules(4), lots)
        said[number] = found.repeats
        tables = [
            pair if pair.is_bye else Pairing(pair.seats, rank_scores(random.sample(range(9), len(pair.seats))))
            for pair in found.pairings
        ]
        played.append(StageRound(number, tuple(tables)))
    assert count_repeats(played) == said
    assert sum(said.values()) >= sum(count_certain_repeats("pods", entrants, 4, 4)) > 0


def test_a_match_that_a_forfeit_prevented_is_no_meeting() -> None:
    forfeit = (SeatResult(1, 0), SeatResult(2, 0, How.FORFEIT))
    rounds = [
        StageRound(number, (Pairing((1, 2), forfeit if number < 3 else rank_scores([2, 1])),))
        for number in (1, 2, 3, 4)
    ]
    assert count_repeats(rounds) == {1: 0, 2: 0, 3: 0, 4: 1}

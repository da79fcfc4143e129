"""Duplicate: full tables with bots where people are missing, places by seat, points by whom one left behind."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.tournaments.formats.crosstable import BOT, How, Pairing, SeatResult, StageRound, rank_scores
from service.tournaments.formats.duplicate import pair_duplicate, rank_deal
from service.tournaments.formats.pods import PodRules
from service.tournaments.formats.points import UNIT, DealPoints, Scoring, count_points, deal_points


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 23), st.integers(2, 5), st.integers(1, 4), st.sampled_from(["points", "rating", "none"]))
def test_every_table_is_full_and_everybody_sits_once(entrants: int, seats: int, rounds: int, group: str) -> None:
    people = list(range(1, entrants + 1))
    scoring, played = Scoring(DealPoints(), seats, bye=None), list[StageRound]()
    for number in range(1, rounds + 1):
        lots = people[number % entrants :] + people[: number % entrants]
        found = pair_duplicate(scoring, played, people, PodRules(seats, group), lots).pairings
        assert {len(each.seats) for each in found} == {seats}
        assert sorted(one for each in found for one in each.seats if one != BOT) == people
        assert sum(each.seats.count(BOT) for each in found) == -entrants % seats
        raw = [(each.seats, rank_scores([7 * one % 11 for one in each.seats])) for each in found]
        results = rank_deal(raw)
        played.append(
            StageRound(number, tuple(Pairing(seats_, made) for (seats_, _), made in zip(raw, results, strict=True)))
        )
    assert all(0 <= total <= UNIT * rounds for total in map(count_points(scoring, played, people).total, people))


def result(score: int, how: How = How.PLAYED) -> SeatResult:
    """A seat that ended so, whatever its place at the table."""
    return SeatResult(1, score, how)


def test_a_seat_is_ranked_among_all_who_held_it_and_bots_are_in_nobodys_way() -> None:
    tables = [
        ((1, 2), [result(30), result(5)]),
        ((3, 4), [result(30), result(9)]),
        ((5, BOT), [result(20), result(99)]),
        ((6, 7), [result(70, How.STAND_IN), result(1)]),
    ]
    ranked = rank_deal(tables)
    assert [one.place for one, _ in ranked] == [1, 1, 3, 4]
    assert [other.place for _, other in ranked] == [2, 1, 1, 3]
    points = deal_points([Pairing(seats, made) for (seats, _), made in zip(tables, ranked, strict=True)])
    # Two behind and one level of three others; one behind of three; nothing for a seat that was not finished.
    assert [row[0] for row in points] == [UNIT * 5 // 6, UNIT * 5 // 6, UNIT // 3, 0]
    assert [row[1] for row in points] == [UNIT // 2, UNIT, 0, 0]


def test_whoever_held_a_seat_alone_gets_half() -> None:
    tables = [((1, 2), [result(3), result(4)]), ((3, BOT), [result(5), result(0)])]
    points = deal_points([Pairing(seats, made) for (seats, _), made in zip(tables, rank_deal(tables), strict=True)])
    assert points == [(0, UNIT // 2), (UNIT, 0)]


@pytest.mark.parametrize("seats", [2, 4])
def test_points_of_a_seat_sum_to_half_of_who_held_it(seats: int) -> None:
    tables = [
        (tuple(range(first, first + seats)), [result(first * 31 % 7 + at) for at in range(seats)])
        for first in range(1, 10 * seats, seats)
    ]
    ranked = rank_deal(tables)
    points = deal_points([Pairing(seats_, made) for (seats_, _), made in zip(tables, ranked, strict=True)])
    for at in range(seats):
        assert abs(sum(row[at] for row in points) - 5 * UNIT) <= len(tables)

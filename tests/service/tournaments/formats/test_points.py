"""Points: every rule, ties, seats that were not finished, byes, and whom a withdrawal cancels."""

from __future__ import annotations

import pytest

from service.tournaments.formats import points
from service.tournaments.formats.crosstable import (
    BadResultText,
    How,
    Pairing,
    SeatResult,
    StageRound,
    rank_scores,
    read_seat_result,
)
from service.tournaments.formats.points import (
    UNIT,
    BadPoints,
    PlacePoints,
    PointsRule,
    ScorePoints,
    Scoring,
    SharePoints,
    WinPoints,
)

PLACES = PlacePoints((60000, 40000, 20000, 0), (60000, 30000, 0))
P, F, S, X = How.PLAYED, How.FORFEIT, How.STAND_IN, How.SUBSTITUTE


@pytest.mark.parametrize(
    ("rule", "scores", "hows", "wanted"),
    [
        (WinPoints(), (3, 1), (P, P), (10000, 0)),
        (WinPoints(), (2, 2), (P, P), (5000, 5000)),
        (WinPoints(30000, 10000), (2, 2), (P, P), (10000, 10000)),
        (WinPoints(), (0, 0), (F, F), (0, 0)),
        (WinPoints(), (0, 5), (P, F), (0, 0)),
        (PLACES, (9, 7, 5, 1), (P,) * 4, (60000, 40000, 20000, 0)),
        (PLACES, (9, 9, 5, 1), (P,) * 4, (50000, 50000, 20000, 0)),
        (PLACES, (9, 5, 5, 5), (P,) * 4, (60000, 20000, 20000, 20000)),
        (PLACES, (4, 4, 4, 4), (P,) * 4, (30000,) * 4),
        (PLACES, (9, 7, 5), (P,) * 3, (60000, 30000, 0)),
        (PlacePoints((60000, 40000, 20000, 0)), (9, 7, 5), (P,) * 3, (60000, 30000, 0)),
        (PlacePoints((100000, 70000, 40000, 20000, 10000)), (9, 8, 7, 6), (P,) * 4, (100000, 70000, 40000, 10000)),
        # Two who leave each get the last place's points, not a share; the others keep what they made.
        (PLACES, (9, 7, 5, 1), (S, P, X, P), (0, 40000, 0, 0)),
        (SharePoints(), (30, 20, 10, 0), (P,) * 4, (5000, 3333, 1666, 0)),
        (SharePoints(), (30, -20, 10, 0), (P,) * 4, (7500, 0, 2500, 0)),
        (SharePoints(), (0, -1, 0), (P,) * 3, (3333, 3333, 3333)),
        (SharePoints(), (30, 20, 10, 0), (S, P, P, P), (0, 3333, 1666, 0)),
        (ScorePoints(), (12, -3), (P, P), (120000, -30000)),
        (ScorePoints(), (12, -3, 4), (S, P, P), (-30000, -30000, 40000)),
    ],
)
def test_a_table_gives_what_its_rule_says(
    rule: PointsRule, scores: tuple[int, ...], hows: tuple[How, ...], wanted: tuple[int, ...]
) -> None:
    assert points.seat_points(rule, rank_scores(scores, hows)) == wanted


def test_byes_in_pods_are_worth_the_mean_of_the_own_tables() -> None:
    rounds = [
        StageRound(1, (Pairing((1, 2, 3, 4), rank_scores([9, 7, 5, 1])), Pairing((5,)))),
        StageRound(2, (Pairing((5, 2, 3, 4), rank_scores([9, 7, 7, 1])), Pairing((1,)))),
        StageRound(3, (Pairing((2, 3, 4), rank_scores([1, 2, 3])), Pairing((1,))), frozenset({5})),
        StageRound(4, (Pairing((6,)),), frozenset({7})),
    ]
    table = points.count_points(Scoring(PLACES, 4, None), rounds, range(1, 9))
    assert table.by_round[1] == (60000, 60000, 60000, 0)
    # One table of their own after the bye counts for the bye before it; one that was asked for is half of all places.
    assert table.by_round[5] == (60000, 60000, 15000, 0)
    assert table.by_round[2] == (40000, 30000, 0, 0)
    # Without a table of their own: the mean of all places.
    assert (table.by_round[6], table.by_round[7], table.total(8)) == ((0, 0, 0, 30000), (0, 0, 0, 15000), 0)


def test_bots_get_no_points_and_open_matches_count_nothing() -> None:
    rounds = [StageRound(1, (Pairing((1, 0), rank_scores([1, 2])), Pairing((2, 3))))]
    table = points.count_points(Scoring(), rounds, [1, 2, 3])
    assert table.by_round == {1: (0,), 2: (0,), 3: (0,)}


def test_who_withdraws_early_from_a_round_robin_counts_for_nobody() -> None:
    gone = rank_scores([1, 0], [P, F])
    rounds = [
        StageRound(1, (Pairing((1, 4), rank_scores([0, 1])), Pairing((2, 3), rank_scores([1, 0])))),
        StageRound(2, (Pairing((2, 4), gone), Pairing((1, 3), rank_scores([1, 0])))),
        StageRound(3, (Pairing((3, 4), gone), Pairing((1, 2), rank_scores([0, 0])))),
    ]
    assert points.cancelled_entrants(rounds, [4]) == {4}
    assert points.cancelled_entrants(rounds, [1]) == frozenset()
    table = points.count_points(Scoring(bye=0), rounds, range(1, 5), cancelled=[4])
    assert {number: table.total(number) for number in range(1, 5)} == {1: 15000, 2: 15000, 3: 0, 4: 0}
    kept = points.count_points(Scoring(bye=0), rounds, range(1, 5))
    assert {number: kept.total(number) for number in range(1, 5)} == {1: 15000, 2: 25000, 3: 10000, 4: 10000}


@pytest.mark.parametrize(
    ("text", "units", "shown"),
    [("1", 10000, "1"), ("0.5", 5000, "0.5"), ("-2.25", -22500, "-2.25"), ("0.0001", 1, "0.0001")],
)
def test_points_are_written_as_decimals(text: str, units: int, shown: str) -> None:
    assert points.read_points(text) == units
    assert points.show_points(units) == shown
    assert points.show_points(35000, 2) == "3.50"


@pytest.mark.parametrize("text", ["0.00001", "one", "NaN", "Infinity", ""])
def test_points_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(BadPoints):
        points.read_points(text)


@pytest.mark.parametrize("how", list(How))
def test_a_result_is_written_and_read(how: How) -> None:
    result = SeatResult(2, -17, how)
    assert str(result) == f"2:-17:{how.value}"
    assert read_seat_result(str(result)) == result


@pytest.mark.parametrize(
    "text", ["1:2", "0:1:played", "1:-0:played", "1:2:won", "a:1:played", "1:1:played:x", "01:1:bye"]
)
def test_what_is_no_result_is_refused(text: str) -> None:
    with pytest.raises(BadResultText, match="PLACE:SCORE:HOW"):
        read_seat_result(text)


def test_scores_become_places_with_ties_as_1_1_3() -> None:
    assert [result.place for result in rank_scores([5, 7, 7, 1])] == [3, 1, 1, 4]
    assert UNIT == 10_000

"""Round robin: the handbook's tables cell by cell, cycles, odd fields and sections."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.tournaments.formats import berger
from service.tournaments.formats.berger import Section

# The Berger tables of the FIDE handbook (C.05, annex), a row a round, white first.
HANDBOOK = {
    4: """
        1-4 2-3
        4-3 1-2
        2-4 3-1
    """,
    6: """
        1-6 2-5 3-4
        6-4 5-3 1-2
        2-6 3-1 4-5
        6-5 1-4 2-3
        3-6 4-2 5-1
    """,
    8: """
        1-8 2-7 3-6 4-5
        8-5 6-4 7-3 1-2
        2-8 3-1 4-7 5-6
        8-6 7-5 1-4 2-3
        3-8 4-2 5-1 6-7
        8-7 1-6 2-5 3-4
        4-8 5-3 6-2 7-1
    """,
    10: """
        1-10 2-9 3-8 4-7 5-6
        10-6 7-5 8-4 9-3 1-2
        2-10 3-1 4-9 5-8 6-7
        10-7 8-6 9-5 1-4 2-3
        3-10 4-2 5-1 6-9 7-8
        10-8 9-7 1-6 2-5 3-4
        4-10 5-3 6-2 7-1 8-9
        10-9 1-8 2-7 3-6 4-5
        5-10 6-4 7-3 8-2 9-1
    """,
    12: """
        1-12 2-11 3-10 4-9 5-8 6-7
        12-7 8-6 9-5 10-4 11-3 1-2
        2-12 3-1 4-11 5-10 6-9 7-8
        12-8 9-7 10-6 11-5 1-4 2-3
        3-12 4-2 5-1 6-11 7-10 8-9
        12-9 10-8 11-7 1-6 2-5 3-4
        4-12 5-3 6-2 7-1 8-11 9-10
        12-10 11-9 1-8 2-7 3-6 4-5
        5-12 6-4 7-3 8-2 9-1 10-11
        12-11 1-10 2-9 3-8 4-7 5-6
        6-12 7-5 8-4 9-3 10-2 11-1
    """,
    14: """
        1-14 2-13 3-12 4-11 5-10 6-9 7-8
        14-8 9-7 10-6 11-5 12-4 13-3 1-2
        2-14 3-1 4-13 5-12 6-11 7-10 8-9
        14-9 10-8 11-7 12-6 13-5 1-4 2-3
        3-14 4-2 5-1 6-13 7-12 8-11 9-10
        14-10 11-9 12-8 13-7 1-6 2-5 3-4
        4-14 5-3 6-2 7-1 8-13 9-12 10-11
        14-11 12-10 13-9 1-8 2-7 3-6 4-5
        5-14 6-4 7-3 8-2 9-1 10-13 11-12
        14-12 13-11 1-10 2-9 3-8 4-7 5-6
        6-14 7-5 8-4 9-3 10-2 11-1 12-13
        14-13 1-12 2-11 3-10 4-9 5-8 6-7
        7-14 8-6 9-5 10-4 11-3 12-2 13-1
    """,
    16: """
        1-16 2-15 3-14 4-13 5-12 6-11 7-10 8-9
        16-9 10-8 11-7 12-6 13-5 14-4 15-3 1-2
        2-16 3-1 4-15 5-14 6-13 7-12 8-11 9-10
        16-10 11-9 12-8 13-7 14-6 15-5 1-4 2-3
        3-16 4-2 5-1 6-15 7-14 8-13 9-12 10-11
        16-11 12-10 13-9 14-8 15-7 1-6 2-5 3-4
        4-16 5-3 6-2 7-1 8-15 9-14 10-13 11-12
        16-12 13-11 14-10 15-9 1-8 2-7 3-6 4-5
        5-16 6-4 7-3 8-2 9-1 10-15 11-14 12-13
        16-13 14-12 15-11 1-10 2-9 3-8 4-7 5-6
        6-16 7-5 8-4 9-3 10-2 11-1 12-15 13-14
        16-14 15-13 1-12 2-11 3-10 4-9 5-8 6-7
        7-16 8-6 9-5 10-4 11-3 12-2 13-1 14-15
        16-15 1-14 2-13 3-12 4-11 5-10 6-9 7-8
        8-16 9-7 10-6 11-5 12-4 13-3 14-2 15-1
    """,
}


def handbook_rounds(players: int) -> list[list[tuple[int, ...]]]:
    """A table of the handbook as numbers; of an odd field the absent number is left out."""
    even = players + players % 2
    rows = [row.split() for row in HANDBOOK[even].strip().splitlines()]
    return [[tuple(one for one in map(int, cell.split("-")) if one <= players) for cell in row] for row in rows]


@pytest.mark.parametrize("players", range(3, 17))
def test_the_tables_are_the_handbooks(players: int) -> None:
    assert [list(each) for each in berger.berger_rounds(players)] == handbook_rounds(players)


@settings(deadline=None, derandomize=True)
@given(st.integers(2, 60), st.integers(1, 4))
def test_everybody_meets_everybody_once_a_cycle_with_seats_exchanged(players: int, cycles: int) -> None:
    rounds = berger.berger_rounds(players, cycles)
    for each in rounds:
        assert sorted(one for pair in each for one in pair) == list(range(1, players + 1))
    met = Counter(pair for each in rounds for pair in each if len(pair) == 2)
    for one in range(1, players + 1):
        for other in range(one + 1, players + 1):
            assert met[one, other] + met[other, one] == cycles
            assert abs(met[one, other] - met[other, one]) == cycles % 2


@pytest.mark.parametrize("players", [0, 1])
def test_a_field_of_one_has_no_rounds(players: int) -> None:
    assert berger.berger_rounds(players) == ()


@pytest.mark.parametrize(
    ("entrants", "size", "sizes"),
    [
        (16, 8, [8, 8]),
        (17, 8, [6, 6, 5]),
        (7, 8, [7]),
        (9, 8, [5, 4]),
        (400, 8, [8] * 50),
        (0, 8, []),
        (22, 4, [4, 4, 4, 4, 3, 3]),
    ],
)
def test_sections_are_few_even_and_the_larger_come_first(entrants: int, size: int, sizes: list[int]) -> None:
    order = range(entrants, 0, -1)
    sections = berger.cut_sections(order, size)
    assert [len(each.entrants) for each in sections] == sizes
    assert [one for each in sections for one in each.entrants] == list(order)
    assert [each.number for each in sections] == list(range(1, len(sizes) + 1))


def test_start_numbers_in_a_section_follow_the_draw() -> None:
    sections = berger.cut_sections([3, 1, 4, 2, 5], 3)
    ordered = berger.order_sections(sections, [5, 4, 3, 2, 1])
    assert ordered == (Section(1, (4, 3, 1)), Section(2, (5, 2)))


def test_sections_play_side_by_side_and_short_ones_end_sooner() -> None:
    rounds = berger.pair_round_robin([Section(1, (7, 8, 9)), Section(2, (4, 6))], cycles=2)
    assert [each.number for each in rounds] == [1, 2, 3, 4, 5, 6]
    assert [[(pair.section, pair.seats) for pair in each.pairings] for each in rounds[:2]] == [
        [(1, (7,)), (1, (8, 9)), (2, (4, 6))],
        [(1, (9,)), (1, (7, 8)), (2, (6, 4))],
    ]
    assert all(pair.section == 1 for each in rounds[2:] for pair in each.pairings)


@given(least=st.integers(2, 40), more=st.integers(0, 60), size=st.integers(2, 31), cycles=st.integers(1, 2))
def test_there_are_never_fewer_rounds_than_the_certain_ones(least: int, more: int, size: int, cycles: int) -> None:
    sections = berger.cut_sections(range(1, least + more + 1), size)
    played = len(berger.pair_round_robin(sections, cycles))
    assert played >= berger.count_certain_rounds(least, size, cycles)
    assert berger.count_certain_rounds(least, 0, cycles) == berger.count_rounds(least, cycles)

"""Swiss: whole events re-paired, criteria of the Dutch system, brackets against exhaustive search, hard cases."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import combinations, pairwise
from random import Random

import pytest
import rustworkx
from hypothesis import given, settings
from hypothesis import strategies as st

from service.tournaments.formats import swiss
from service.tournaments.formats.colours import allocate_white, find_preference, first_colour
from service.tournaments.formats.crosstable import How, Pairing, StageRound, rank_scores
from service.tournaments.formats.points import Scoring, WinPoints
from service.tournaments.formats.swiss import SwissRound, SwissRules, TooManyForDutch
from service.tournaments.formats.swiss_matching import SwissEntrant, pair_brackets
from tests.service.tournaments.formats import fide_events
from tests.service.tournaments.formats.fide_events import read_event

CHESS = Scoring()


def present_in(each: StageRound) -> list[int]:
    """Return the entrants who could be paired."""
    return [number for pairing in each.pairings for number in pairing.seats]


def seats_of(found: SwissRound | StageRound) -> list[tuple[int, ...]]:
    """The seats of a round, in an order that compares."""
    return sorted(pairing.seats for pairing in found.pairings)


@pytest.mark.parametrize("name", ["DUTCH_7", "DUTCH_12", "DUTCH_21", "DUTCH_40"])
def test_every_round_of_a_dutch_event_is_paired_as_it_was(name: str) -> None:
    event = read_event(getattr(fide_events, name))
    first = next(pair for pair in event.rounds[0].pairings if 1 in pair.seats)
    rules = SwissRules(len(event.rounds), odd_begin_white=first.seats[0] == 1)
    for at, each in enumerate(event.rounds):
        found = swiss.pair_swiss(CHESS, event.rounds[:at], present_in(each), rules)
        assert seats_of(found) == seats_of(each), at + 1
        assert (found.system, found.repeats) == ("dutch", 0)


@pytest.mark.parametrize(
    ("name", "absent", "wanted"),
    [("DUTCH_C5", {4}, [(1, 5), (3, 2), (6,)]), ("DUTCH_C9", set(), [(2, 1), (3, 5), (4,)])],
)
def test_the_criteria_of_2026_decide_who_has_the_bye(
    name: str, absent: set[int], wanted: list[tuple[int, ...]]
) -> None:
    event = read_event(getattr(fide_events, name))
    played = [each for each in event.rounds if each.pairings]
    found = swiss.pair_swiss(CHESS, played, set(event.numbers) - absent, SwissRules(3))
    assert seats_of(found) == sorted(wanted)


def test_the_order_of_input_changes_nothing() -> None:
    event = read_event(fide_events.DUTCH_21)
    rules = SwissRules(7)
    mixed = [replace(each, pairings=tuple(Random(each.number).sample(each.pairings, 11))) for each in event.rounds[:4]]
    for system in ("dutch", "brackets"):
        plain = swiss.pair_swiss(CHESS, event.rounds[:4], event.numbers, replace(rules, system=system))
        assert swiss.pair_swiss(CHESS, mixed, list(reversed(event.numbers)), replace(rules, system=system)) == plain


def test_other_points_for_a_win_pair_the_same() -> None:
    event = read_event(fide_events.DUTCH_12)
    # Nobody drew in the first four rounds, so three points a win change no order.
    three = Scoring(WinPoints(30000, 10000), bye=30000, asked=10000)
    for at in range(5):
        wanted = swiss.pair_swiss(CHESS, event.rounds[:at], event.numbers, SwissRules(5))
        assert swiss.pair_swiss(three, event.rounds[:at], event.numbers, SwissRules(5)) == wanted


@pytest.mark.parametrize(
    ("higher", "lower", "wanted"),
    [
        ("bw", "wb", "lower"),  # 5.2.1: both preferences are granted
        ("", "w", "higher"),  # only one has any
        ("wbw", "wbwbw", "lower"),  # equal strength: back to where colours differed, else the higher one's
        ("ww", "w", "lower"),  # 5.2.2: the stronger is granted
        ("w", "bww", "higher"),
        ("wbww", "wwbww", "higher"),  # both absolute: the wider difference gets its colour
        ("wbbw", "bwbw", "higher"),  # 5.2.3: two rounds back they had different colours
        ("wb", "wb", "higher"),  # 5.2.4: the higher ranked gets white
        ("", "", "higher"),  # 5.2.5: number 1 is odd
    ],
)
def test_colours_follow_article_5(higher: str, lower: str, wanted: str) -> None:
    white, black = allocate_white((1, higher), (2, lower), first_colour(1, odd_begin_white=True))
    assert {white, black} == {1, 2}
    assert ("higher" if white == 1 else "lower") == wanted


def test_the_initial_colour_comes_from_the_draw() -> None:
    assert [swiss.begin_white(lots) for lots in ([3, 2, 1], [2, 1, 3], [])] == [True, False, True]
    first = swiss.pair_swiss(CHESS, [], range(1, 9), SwissRules(5, odd_begin_white=True))
    other = swiss.pair_swiss(CHESS, [], range(1, 9), SwissRules(5, odd_begin_white=False))
    assert [pair.seats for pair in first.pairings] == [(1, 5), (6, 2), (3, 7), (8, 4)]
    assert [pair.seats for pair in other.pairings] == [pair.seats[::-1] for pair in first.pairings]


def test_first_colours_skip_players_who_have_not_come_yet() -> None:
    rules = SwissRules(5)
    there = [1, 3, 4, 5, 6, 7, 8]
    first = swiss.pair_swiss(CHESS, [], there, rules)
    assert [pair.seats for pair in first.pairings] == [(1, 5), (6, 3), (4, 7), (8,)]
    own = swiss.pair_swiss(CHESS, [], there, replace(rules, endorsed=False))
    assert [pair.seats for pair in own.pairings] == [(1, 5), (3, 6), (7, 4), (8,)]
    # Once 2 has come, or was paired and did not come, its number counts again for late entrants.
    won = tuple(replace(pair, results=() if pair.is_bye else rank_scores([1, 0])) for pair in first.pairings)
    assert swiss.effective_numbers([StageRound(1, won)], [4, 5, 9])[9] == 8
    assert swiss.effective_numbers([StageRound(1, (Pairing((2,)), *won))], [4, 5, 9])[9] == 9
    # A requested bye is not a pairing, whatever it is worth.
    assert 2 not in swiss.effective_numbers([StageRound(1, won, frozenset({2}), frozenset({3}))], [4])


def test_sixty_five_are_refused_with_the_way_out() -> None:
    assert len(swiss.pair_swiss(CHESS, [], range(1, 65), SwissRules(7)).pairings) == 32
    with pytest.raises(TooManyForDutch, match=r"at most 64 entrants, but there are 65\. Write `system: brackets`"):
        swiss.pair_swiss(CHESS, [], range(1, 66), SwissRules(7))


@pytest.mark.parametrize("system", ["dutch", "brackets"])
@pytest.mark.parametrize("entrants", range(1, 9))
def test_small_fields_play_more_rounds_than_they_have_opponents(entrants: int, system: str) -> None:
    played: list[StageRound] = []
    for number in range(1, 10):
        found = swiss.pair_swiss(CHESS, played, range(1, entrants + 1), SwissRules(9, system))
        assert sorted(one for pair in found.pairings for one in pair.seats) == list(range(1, entrants + 1))
        met = Counter(frozenset(pair.seats) for each in played for pair in each.pairings if len(pair.seats) > 1)
        repeats = sum(met[frozenset(pair.seats)] > 0 for pair in found.pairings if not pair.is_bye)
        assert found.repeats == repeats
        if entrants > 1 and number <= entrants // 2:
            assert repeats == 0
        random = Random(number)
        results = tuple(
            pair if pair.is_bye else replace(pair, results=rank_scores([random.randrange(3), random.randrange(3)]))
            for pair in found.pairings
        )
        played.append(StageRound(number, results))


def test_pairs_to_be_avoided_meet_only_if_nothing_else_is_left() -> None:
    avoid = frozenset({(1, 3), (4, 2)})
    first = swiss.pair_swiss(CHESS, [], [1, 2, 3, 4], SwissRules(3, avoid=avoid))
    assert {frozenset(pair.seats) for pair in first.pairings} == {frozenset({1, 4}), frozenset({2, 3})}
    everybody = frozenset((one, other) for one in range(1, 5) for other in range(1, one))
    forced = swiss.pair_swiss(CHESS, [], [1, 2, 3, 4], SwissRules(3, avoid=everybody))
    assert (forced.system, len(forced.pairings)) == ("brackets", 2)


def test_a_forfeit_win_and_a_bye_bar_from_the_next_bye_and_half_a_point_does_not() -> None:
    came = rank_scores([1, 0], [How.PLAYED, How.FORFEIT])
    played = [StageRound(1, (Pairing((1, 2), came), Pairing((3,))), frozenset({4, 5}))]
    entrants = {each.number: each for each in swiss.build_entrants(CHESS, played, range(1, 6))}
    assert {number for number, each in entrants.items() if each.had_bye} == {1, 3}
    assert {number: each.floats for number, each in entrants.items()} == {
        1: ("down",),
        2: ("none",),
        3: ("down",),
        4: ("down",),
        5: ("down",),
    }
    # A match that never was may be paired again, and gave nobody a colour.
    assert entrants[1] == SwissEntrant(1, 10000, "", (), ("down",), had_bye=True)


def test_a_bye_worth_nothing_is_a_downfloat_and_the_last_all_the_same() -> None:
    played = [StageRound(1, (Pairing((1, 2), rank_scores([1, 0])), Pairing((3,))))]
    entrants = {each.number: each for each in swiss.build_entrants(replace(CHESS, bye=0), played, [1, 2, 3, 4])}
    assert (entrants[3].points, entrants[3].floats, entrants[3].had_bye) == (0, ("down",), True)
    # A player who missed a round without points has no float (1.4.4).
    assert (entrants[4].floats, entrants[4].had_bye) == (("none",), False)


def least_repeats(entrants: list[SwissEntrant]) -> int:
    """The fewest repeats there can be, by trying everything; a second bye counts more than any repeat."""
    many = 1_000
    opponents = [[each.opponents.count(other.number) for other in entrants] for each in entrants]

    @cache
    def search(left: frozenset[int], bye: bool) -> int:
        if not left:
            return 0
        one, *others = sorted(left)
        best = min((opponents[one][other] + search(left - {one, other}, bye) for other in others), default=many * many)
        if bye:
            best = min(best, entrants[one].had_bye + search(left - {one}, bye=False))
        return best

    return search(frozenset(range(len(entrants))), len(entrants) % 2 == 1)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(3, 12), st.integers(1, 9), st.integers(0, 2**32))
def test_brackets_repeat_no_more_than_exhaustive_search(entrants: int, rounds: int, seed: int) -> None:
    random = Random(seed)
    played: list[StageRound] = []
    for number in range(1, rounds + 1):
        there = [one for one in range(1, entrants + 1) if random.random() < 0.9]
        known = list(swiss.build_entrants(CHESS, played, there))
        pairs = pair_brackets(known)
        assert sorted(one for pair in pairs for one in pair) == sorted(there)
        by_number = {each.number: each for each in known}
        cost = sum(
            by_number[pair[0]].opponents.count(pair[1]) if len(pair) == 2 else by_number[pair[0]].had_bye
            for pair in pairs
        )
        repeats = [pair for pair in pairs if len(pair) == 2 and pair[1] in by_number[pair[0]].opponents]
        if not any(each.had_bye for each in known) or len(known) % 2 == 0:
            assert cost == least_repeats(known)
        assert not repeats or least_repeats(known) > 0
        results = (rank_scores([1, 0]), rank_scores([0, 0]), rank_scores([0, 1]))
        played.append(
            StageRound(
                number,
                tuple(Pairing(pair, random.choice(results) if len(pair) == 2 else ()) for pair in pairs),
            )
        )


@pytest.mark.parametrize(("entrants", "rounds"), [(65, 9), (257, 7), (2001, 3)])
def test_brackets_of_a_large_field_never_repeat_and_stay_close_in_points(entrants: int, rounds: int) -> None:
    random = Random(entrants)
    played: list[StageRound] = []
    byes: list[int] = []
    for number in range(1, rounds + 1):
        found = swiss.pair_swiss(CHESS, played, range(1, entrants + 1), SwissRules(rounds, "brackets"))
        assert sorted(one for pair in found.pairings for one in pair.seats) == list(range(1, entrants + 1))
        assert (found.system, found.repeats) == ("brackets", 0)
        byes += [pair.seats[0] for pair in found.pairings if pair.is_bye]
        points = {each.number: each.points for each in swiss.build_entrants(CHESS, played, range(1, entrants + 1))}
        gaps = [abs(points[pair.seats[0]] - points[pair.seats[1]]) for pair in found.pairings if not pair.is_bye]
        assert sum(gap > 0 for gap in gaps) <= 2 * number + 1
        assert max(gaps) <= 10000
        played.append(
            StageRound(
                number,
                tuple(
                    pair if pair.is_bye else replace(pair, results=rank_scores(random.choice([(1, 0), (0, 1)])))
                    for pair in found.pairings
                ),
            )
        )
    assert len(set(byes)) == rounds
    colours = [each.colours for each in swiss.build_entrants(CHESS, played, range(1, entrants + 1))]
    assert max(abs(find_preference(each).difference) for each in colours) <= 2
    assert sum("www" in each or "bbb" in each for each in colours) <= entrants // 50


@settings(max_examples=16, deadline=None, derandomize=True)
@given(
    st.one_of(st.integers(3, 64), st.integers(65, 2000)),
    st.integers(1, 9),
    st.sampled_from(["dutch", "brackets"]),
    st.integers(0, 2**32),
)
def test_everybody_is_paired_once_with_somebody_new_whoever_leaves_rests_or_forfeits(
    entrants: int, rounds: int, system: str, seed: int
) -> None:
    rules = SwissRules(rounds, system if entrants <= swiss.MOST_DUTCH else "brackets")
    random, played, present = Random(seed), list[StageRound](), set(range(1, entrants + 1))
    byes, met = Counter[int](), set[frozenset[int]]()
    for number in range(1, min(rounds, 3 if entrants > 500 else 9) + 1):
        present -= set(random.sample(sorted(present), random.randrange(2))) if len(present) > 3 else set()
        resting = frozenset(random.sample(sorted(present), random.randrange(2))) if len(present) > 3 else frozenset()
        found = swiss.pair_swiss(CHESS, played, present - resting, rules)
        assert sorted(one for pair in found.pairings for one in pair.seats) == sorted(present - resting)
        pairs = [frozenset(pair.seats) for pair in found.pairings if not pair.is_bye]
        assert found.repeats == sum(pair in met for pair in pairs)
        byes.update(pair.seats[0] for pair in found.pairings if pair.is_bye)
        if len(present) > 2 * rounds + 4:
            assert found.repeats == 0
            assert max(byes.values(), default=0) <= 1
        tables = []
        for pair in found.pairings:
            hows = [How.FORFEIT if random.random() < 0.02 else How.PLAYED for _ in pair.seats]
            results = () if pair.is_bye else rank_scores([random.randrange(3) for _ in pair.seats], hows)
            tables.append(replace(pair, results=results))
        played.append(StageRound(number, tuple(tables), resting))
        met |= {frozenset(pair.seats) for pair in tables if pair.is_played}


def test_round_one_of_brackets_is_the_fold() -> None:
    pairs = pair_brackets([SwissEntrant(number, 0) for number in range(1, 101)])
    assert sorted(pairs) == [(number, number + 50) for number in range(1, 51)]
    assert all(one < other for one, other in pairwise(sorted(pairs)))


@pytest.mark.parametrize("entrants", [14, 16, 18, 20, 22, 24])
def test_brackets_up_to_24_repeat_only_where_no_perfect_matching_is_left(entrants: int) -> None:
    random, played = Random(entrants), list[StageRound]()
    for number in range(1, entrants + 2):
        rules = SwissRules(entrants + 1, "brackets")
        found = swiss.pair_swiss(CHESS, played, range(1, entrants + 1), rules)
        met = {frozenset(pair.seats) for each in played for pair in each.pairings}
        fresh = [pair for pair in combinations(range(entrants), 2) if frozenset(one + 1 for one in pair) not in met]
        graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph()
        graph.add_nodes_from(list(range(entrants)))
        graph.add_edges_from([(one, other, 1) for one, other in fresh])
        free = len(rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=lambda _: 1))
        assert found.repeats == entrants // 2 - free
        played.append(
            StageRound(
                number,
                tuple(replace(pair, results=rank_scores(random.choice([(1, 0), (0, 1)]))) for pair in found.pairings),
            )
        )

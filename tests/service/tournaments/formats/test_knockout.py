"""Knockout and double elimination: brackets, byes, tables of 2 to 5, ties, withdrawals, places."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.tournaments.formats import knockout
from service.tournaments.formats import stage_replay as stages
from service.tournaments.formats.crosstable import How, Pairing, StageRound, rank_scores
from service.tournaments.formats.knockout import KnockoutRules, TableOutcome
from service.tournaments.formats.rulesets import Ruleset
from service.tournaments.formats.stage_replay import PairedTable, StageReplay
from service.tournaments.formats.stage_rules import read_stages
from service.tournaments.formats.tiebreaks import Standing


def by_seed(pairings: tuple[Pairing, ...], number: int) -> StageRound:
    """The round in which the smaller number always wins."""
    return StageRound(number, tuple(
        pair if pair.is_bye else replace(pair, results=rank_scores([-one for one in pair.seats])) for pair in pairings
    ))  # fmt: skip


def by_chance(pairings: tuple[Pairing, ...], number: int, random: Random) -> StageRound:
    """The round with any results, level ones and forfeits too."""
    played = []
    for pair in pairings:
        hows = [How.FORFEIT if random.random() < 0.05 else How.PLAYED for _ in pair.seats]
        scores = [random.randrange(6) for _ in pair.seats]
        played.append(pair if pair.is_bye else replace(pair, results=rank_scores(scores, hows)))
    return StageRound(number, tuple(played))


def tables_of(pairings: tuple[Pairing, ...]) -> list[list[int]]:
    """Return the players of each table."""
    return [sorted(pair.seats) for pair in pairings]


def test_a_bracket_of_sixteen_is_the_usual_one() -> None:
    assert knockout.bracket_order(16) == (1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11)


def test_sixteen_play_to_the_final_along_the_bracket() -> None:
    seeds, rounds = list(range(1, 17)), []
    played: list[StageRound] = []
    while pairings := knockout.pair_knockout(played, seeds, KnockoutRules(), seeds):
        rounds.append(tables_of(pairings))
        played.append(by_seed(pairings, len(played) + 1))
    assert rounds == [
        [[1, 16], [8, 9], [4, 13], [5, 12], [2, 15], [7, 10], [3, 14], [6, 11]],
        [[1, 8], [4, 5], [2, 7], [3, 6]],
        [[1, 4], [2, 3]],
        [[1, 2]],
    ]
    places = {number: place for place, number in knockout.rank_knockout(played, seeds, KnockoutRules())}
    assert [places[number] for number in seeds] == [1, 2, 3, 3, 5, 5, 5, 5, *[9] * 8]


def test_sixteen_wanted_of_thirteen_are_three_byes_or_tables_of_4_3_3_3() -> None:
    seeds = list(range(1, 14))
    two = knockout.pair_knockout([], seeds, KnockoutRules(), seeds)
    assert [pair.seats[0] for pair in two if pair.is_bye] == [1, 2, 3]
    four = knockout.pair_knockout([], seeds, KnockoutRules(4), seeds)
    assert sorted(len(pair.seats) for pair in four) == [3, 3, 3, 4]
    assert tables_of(four) == [[1, 8, 9], [2, 7, 10], [3, 6, 11], [4, 5, 12, 13]]
    second = knockout.pair_knockout([by_seed(four, 1)], seeds, KnockoutRules(4), seeds)
    assert tables_of(second) == [[1, 2, 3, 4]]


@pytest.mark.parametrize(
    ("entrants", "seats", "tables"),
    [
        (5, 4, [[2, 3, 4, 5], [1]]),  # four play, the best rests
        (6, 4, [[1, 4, 5], [2, 3, 6]]),
        (3, 4, [[1, 2, 3]]),  # the last table may be smaller
        (2, 5, [[1, 2]]),
        (1, 4, []),
        (0, 2, []),
        (1, 2, []),
        (2, 2, [[1, 2]]),
        (3, 2, [[1], [2, 3]]),
    ],
)
def test_small_fields(entrants: int, seats: int, tables: list[list[int]]) -> None:
    seeds = list(range(1, entrants + 1))
    assert tables_of(knockout.pair_knockout([], seeds, KnockoutRules(seats), seeds)) == tables


def test_a_tied_table_advances_the_better_seed_and_says_so() -> None:
    tied = Pairing((7, 3, 5, 1), rank_scores([9, 9, 2, 1]))
    assert knockout.decide_table(tied, [1, 3, 5, 7]) == TableOutcome((3,), (7, 5, 1), by_seed=True)
    assert knockout.needs_replay(tied, [1, 3, 5, 7])
    assert not knockout.needs_replay(tied, [1, 3, 5, 7], 2)
    assert knockout.decide_table(tied, [1, 3, 5, 7], 2) == TableOutcome((3, 7), (5, 1))


def test_a_seat_that_was_left_does_not_advance() -> None:
    left = Pairing((1, 2, 3), rank_scores([9, 5, 1], [How.STAND_IN, How.PLAYED, How.PLAYED]))
    assert knockout.decide_table(left, [1, 2, 3]).advancing == (2,)
    nobody = Pairing((1, 2), rank_scores([0, 0], [How.FORFEIT, How.FORFEIT]))
    assert knockout.decide_table(nobody, [1, 2]) == TableOutcome((), (1, 2))


def rank_final(scores: list[int], hows: list[How], rules: KnockoutRules, seeds: list[int]) -> dict[int, int]:
    """The places of a stage that is one table, with seats in the order of the numbers."""
    table = Pairing(tuple(range(1, len(scores) + 1)), rank_scores(scores, hows))
    return {number: place for place, number in knockout.rank_knockout([StageRound(1, (table,))], seeds, rules)}


@pytest.mark.parametrize("left", [How.STAND_IN, How.SUBSTITUTE, How.FORFEIT])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_nobody_who_left_a_final_ranks_above_those_who_finished(seats: int, left: How) -> None:
    rules, seeds = KnockoutRules(seats), list(range(1, seats + 1))
    scores = list(range(9, 9 - seats, -1))
    places = rank_final(scores, [left, *[How.PLAYED] * (seats - 1)], rules, seeds)
    assert places == {1: seats, **{number: number - 1 for number in range(2, seats + 1)}}
    all_but_last = rank_final(scores, [*[left] * (seats - 1), How.PLAYED], rules, seeds)
    assert all_but_last == {seats: 1, **dict.fromkeys(range(1, seats), 2)}
    old = rank_final(scores, [left, *[How.PLAYED] * (seats - 1)], replace(rules, ruleset=Ruleset.FIRST), seeds)
    assert old == {number: number for number in seeds}


@pytest.mark.parametrize("advance", [1, 2])
def test_the_better_seed_wins_a_tied_final_unless_it_is_replayed(advance: int) -> None:
    rules, hows = KnockoutRules(4, advance), [How.PLAYED] * 4
    assert rank_final([9, 9, 9, 1], hows, rules, [3, 1, 2, 4]) == {3: 1, 1: 2, 2: 2, 4: 4}
    assert rank_final([9, 9, 9, 1], hows, replace(rules, ruleset=Ruleset.FIRST), [3, 1, 2, 4]) == {
        **dict.fromkeys([1, 2, 3], 1),
        4: 4,
    }
    stage = {"name": "cup", "format": "knockout", "seats": 4, "advance": advance, "replay": 1}
    for document, replays in (({"stages": [stage], "ruleset": "2026-11"}, 1), ({"stages": [stage]}, advance == 1)):
        cup = StageReplay(read_stages(document)[0], [3, 1, 2, 4])
        cup.round(1).add_pair(PairedTable("final", 0, (1, 2, 3, 4)), replays=True)
        cup.round(1).results["final"] = rank_scores([9, 9, 2, 1])
        assert len(cup.list_next_matches(1, ())) == replays


def test_whoever_withdraws_before_the_final_leaves_it_to_the_other_for_good() -> None:
    seeds, rules = [1, 2, 3, 4], KnockoutRules()
    semifinals = [by_seed(knockout.pair_knockout([], seeds, rules, seeds), 1)]
    both = [(1, 1), (1, 2), (3, 3), (3, 4)]
    assert sorted(knockout.rank_knockout(semifinals, seeds, rules)) == both
    walkover = [(1, 2), (2, 1), (3, 3), (3, 4)]
    assert sorted(knockout.rank_knockout(semifinals, seeds, rules, [1])) == walkover
    # Leaving a later stage does not cost the place in this one.
    assert sorted(knockout.rank_knockout(semifinals, seeds, rules, [1, 2])) == walkover
    assert sorted(knockout.rank_knockout(semifinals, seeds, replace(rules, ruleset=Ruleset.FIRST), [1])) == both
    assert sorted(knockout.rank_knockout(semifinals, seeds, replace(rules, rounds=1), [1])) == both


def test_who_withdraws_leaves_a_bye_to_the_other() -> None:
    seeds = list(range(1, 9))
    first = by_seed(knockout.pair_knockout([], seeds, KnockoutRules(), seeds), 1)
    second = knockout.pair_knockout([first], seeds, KnockoutRules(), seeds, withdrawn=[1])
    assert tables_of(second) == [[4], [2, 3]]
    # A player who withdraws after winning a later round does not hand the place to somebody they have beaten.
    played = [first, by_seed(knockout.pair_knockout([first], seeds, KnockoutRules(), seeds), 2)]
    assert tables_of(played[1].pairings) == [[1, 4], [2, 3]]
    assert knockout.pair_knockout(played, seeds, KnockoutRules(), seeds, withdrawn=[1]) == ()
    four = by_seed(knockout.pair_knockout([], seeds, KnockoutRules(4), seeds), 1)
    assert knockout.survivors([four], seeds, KnockoutRules(4), [2]) == (1,)


def test_a_stage_of_one_round_ends_after_it_and_its_winners_go_on_by_seed() -> None:
    seeds = [5, 9, 1, 7, 3, 2, 8, 4]
    rules = KnockoutRules(4, rounds=1)
    pairings = knockout.pair_knockout([], seeds, rules, sorted(seeds))
    played = by_seed(pairings, 1)
    assert knockout.pair_knockout([played], seeds, rules, seeds) == ()
    # 5, 7, 3, 4 and 9, 1, 2, 8 sat together; of their winners 1 has the better seed.
    assert stages.take_advancers(played, seeds, 1) == (1, 3)
    assert stages.take_advancers(played, seeds, 2, withdrawn=[1]) == tuple(
        seed for seed in seeds if seed in knockout.survivors([played], seeds, KnockoutRules(4, 2)) and seed != 1
    )


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(1, 70), st.integers(2, 5), st.integers(0, 2**32))
def test_every_knockout_ends_with_everybody_placed(entrants: int, seats: int, seed: int) -> None:
    random = Random(seed)
    seeds = random.sample(range(1, entrants + 1), entrants)
    rules, gone = KnockoutRules(seats), set[int]()
    played: list[StageRound] = []
    while pairings := knockout.pair_knockout(played, seeds, rules, sorted(seeds), gone):
        people = [number for pair in pairings for number in pair.seats]
        assert len(set(people)) == len(people)
        assert not gone & set(people)
        played.append(by_chance(pairings, len(played) + 1, random))
        assert len(played) < 12
        gone |= set(random.sample(people, random.random() < 0.1))
    places = knockout.rank_knockout(played, seeds, rules)
    assert sorted(number for _, number in places) == sorted(seeds)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(2, 40), st.booleans(), st.integers(0, 2**32))
def test_double_elimination_forgives_one_loss(entrants: int, reset: bool, seed: int) -> None:
    random, rules = Random(seed), KnockoutRules(double=True, reset=reset)
    seeds = list(range(1, entrants + 1))
    played: list[StageRound] = []
    while pairings := knockout.pair_double_elimination(played, seeds, rules, seeds):
        before = knockout.count_losses(played, seeds)
        people = [number for pair in pairings for number in pair.seats]
        assert sorted(people) == [number for number in seeds if before[number] < 2]
        scores = [random.sample(range(9), 2) for _ in pairings]
        played.append(StageRound(len(played) + 1, tuple(
            pair if pair.is_bye else replace(pair, results=rank_scores(score))
            for pair, score in zip(pairings, scores, strict=True)
        )))  # fmt: skip
        assert len(played) < 40
    losses = Counter(knockout.count_losses(played, seeds).values())
    final = played[-1].pairings[0]
    assert len(played[-1].pairings) == 1
    assert len(final.seats) == 2
    # All but the champion lost twice; without a reset the undefeated one may lose the final alone.
    assert losses[2] == entrants - 1 or (not reset and losses[1] == 2 and losses[2] == entrants - 2)


def test_losers_meet_nobody_twice_while_that_can_be_avoided() -> None:
    seeds = list(range(1, 17))
    played: list[StageRound] = []
    random = Random(4)
    for number in range(1, 5):
        pairings = knockout.pair_double_elimination(played, seeds, KnockoutRules(double=True), seeds)
        met = Counter(frozenset(pair.seats) for each in played for pair in each.pairings)
        assert not any(met[frozenset(pair.seats)] for pair in pairings if not pair.is_bye)
        played.append(by_chance(pairings, number, random))


def test_qualifiers_come_by_place_or_by_section_passing_over_who_withdrew() -> None:
    lines = [Standing(number, rank, 0, (), (), ()) for number, rank in ((4, 1), (2, 2), (7, 2), (9, 4), (5, 5))]
    order = stages.order_standings(lines, [7, 9, 2])
    assert order == (4, 7, 2, 9, 5)
    assert stages.take_places([order], 1, 3) == (4, 7, 2)
    assert stages.take_places([order], 1, 3, withdrawn=[7]) == (4, 2, 9)
    assert stages.take_places([order], 2, 3) == (7, 2)
    assert stages.take_places([(1, 2, 3), (4, 5), (6, 8)], 1, 3, each_section=True, withdrawn=[4]) == (1, 5, 6, 2, 8, 3)


@pytest.mark.parametrize("seats", [2, 4])
def test_the_order_of_input_changes_nothing(seats: int) -> None:
    random, rules, seeds = Random(seats), KnockoutRules(seats), list(range(1, 18))
    lots, played = random.sample(seeds, 17), list[StageRound]()
    while pairings := knockout.pair_knockout(played, seeds, rules, lots):
        mixed = [replace(each, pairings=tuple(reversed(each.pairings))) for each in played]
        assert knockout.pair_knockout(mixed, seeds, rules, lots) == pairings
        played.append(by_chance(pairings, len(played) + 1, random))
    twice: list[StageRound] = []
    rules = KnockoutRules(double=True, reset=True)
    while pairings := knockout.pair_double_elimination(twice, seeds, rules, lots):
        mixed = [replace(each, pairings=tuple(reversed(each.pairings))) for each in twice]
        assert knockout.pair_double_elimination(mixed, seeds, rules, lots) == pairings
        twice.append(by_chance(pairings, len(twice) + 1, random))

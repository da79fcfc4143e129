"""Standings: published tables cell by cell, derivations that add up, and the ties of pods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.tournaments.formats import tiebreaks
from service.tournaments.formats.crosstable import How, Pairing, StageRound, rank_scores
from service.tournaments.formats.fide_ties import RoundKind
from service.tournaments.formats.points import UNIT, PlacePoints, Scoring, read_points
from service.tournaments.formats.tiebreaks import FIDE_CODES, Standing, TieRules, UnknownTie
from tests.service.tournaments.formats import fide_events
from tests.service.tournaments.formats.fide_events import read_event, read_values

NAMES = {code: name for name, code in FIDE_CODES.items()}
CHESS = Scoring()
PODS = Scoring(PlacePoints((6 * UNIT, 4 * UNIT, 2 * UNIT, 0), (6 * UNIT, 3 * UNIT, 0)), 4, None)
POD_RULES = TieRules(("firsts", "seconds", "opposition", "share", "direct", "lots"))


def ranked(
    scoring: Scoring,
    rounds: Sequence[StageRound],
    numbers: Iterable[int],
    rules: TieRules,
    lots: Sequence[int] = (),
) -> tuple[Standing, ...]:
    """The lines of a ranking."""
    return tiebreaks.rank_entrants(scoring, rounds, numbers, rules, lots=lots).standings


@pytest.mark.parametrize(
    ("event", "values", "rules"),
    [
        (fide_events.DUTCH_7, fide_events.DUTCH_7_TIES, "2026"),
        (fide_events.DUTCH_12, fide_events.DUTCH_12_TIES, "2026"),
        (fide_events.DUTCH_21, fide_events.DUTCH_21_TIES, "2026"),
        (fide_events.DUTCH_40, fide_events.DUTCH_40_TIES, "2026"),
        (fide_events.HELD_SWISS, fide_events.HELD_SWISS_2024, "2024"),
        (fide_events.HELD_SWISS, fide_events.HELD_SWISS_2026, "2026"),
    ],
    ids=["7", "12", "21", "40", "held-2024", "held-2026"],
)
def test_swiss_ties_are_those_of_fide_cell_by_cell(event: str, values: str, rules: str) -> None:
    wanted = read_values(values)
    codes = [code for code in wanted[1] if code not in {"rank", "points"}]
    held = read_event(event)
    standings = ranked(CHESS, held.rounds, held.numbers, TieRules(tuple(NAMES[code] for code in codes), rules))
    for line in standings:
        cells = wanted[line.number]
        assert (line.rank, line.points) == (int(cells["rank"]), read_points(cells["points"])), line.number
        for code in codes:
            assert line.values[NAMES[code]] == read_points(cells[code]), (line.number, code)


@pytest.mark.parametrize("rules", ["2024", "2026"])
def test_a_round_robin_is_that_of_the_exercises(rules: str) -> None:
    held = read_event(fide_events.HELD_ROUND_ROBIN)
    wanted = read_values(fide_events.HELD_ROUND_ROBIN_TIES)
    order = TieRules(("sonneborn-berger", "koya", "wins"), rules, robin=True)
    for line in ranked(replace(CHESS, bye=0), held.rounds, held.numbers, order):
        cells = wanted[line.number]
        assert (line.rank, line.points) == (int(cells["rank"]), read_points(cells["points"]))
        assert [line.values[name] for name in order.ties] == [read_points(cells[code]) for code in ("SB", "KS", "WIN")]
    direct = ranked(CHESS, held.rounds, held.numbers, TieRules(("direct",), rules, robin=True))
    assert {line.number: line.rank for line in direct} == {
        number: int(cells["direct-rank"]) for number, cells in wanted.items()
    }


def test_a_derivation_says_what_was_cut_and_why() -> None:
    held = read_event(fide_events.HELD_SWISS)
    ranking = tiebreaks.rank_entrants(CHESS, held.rounds, held.numbers, TieRules(("buchholz-cut-1", "direct")))
    buchholz, direct = ranking.explain(4)
    cut = [part for part in buchholz.parts if part.cut]
    # The half-point bye counts as a dummy of 2.5 (a draw a round), and goes first because it was asked for.
    assert [(part.round, part.opponent, part.value, part.kind) for part in cut] == [
        (2, 0, 25000, RoundKind.REQUESTED_BYE)
    ]
    # Four had 3.5 points when Buchholz was asked; nobody was left level for the direct encounter.
    assert (buchholz.tied, direct.tied, direct.parts) == ((1, 3, 4, 16), (4,), ())


@pytest.mark.parametrize("event", [fide_events.DUTCH_40, fide_events.HELD_SWISS])
def test_the_parts_of_every_value_add_up_to_it(event: str) -> None:
    held = read_event(event)
    names = tuple(name for name in FIDE_CODES if name not in {"direct", "lots"})
    for rules in ("2024", "2026"):
        ranking = tiebreaks.rank_entrants(CHESS, held.rounds, held.numbers, TieRules(names, rules))
        for tie in (tie for number in held.numbers for tie in ranking.explain(number)):
            assert tie.value == sum(part.value for part in tie.parts if not part.cut)


def test_the_order_of_pairings_and_entrants_changes_nothing() -> None:
    held = read_event(fide_events.DUTCH_40)
    rules = TieRules((*(name for name in FIDE_CODES if name != "lots"), "lots"))
    lots = Random(1).sample(held.numbers, len(held.numbers))
    plain = ranked(CHESS, held.rounds, held.numbers, rules, lots=lots)
    mixed = [replace(each, pairings=tuple(Random(each.number).sample(each.pairings, 20))) for each in held.rounds[:2]]
    assert ranked(CHESS, [*mixed, *held.rounds[2:]], reversed(held.numbers), rules, lots=lots) == plain
    assert sorted(line.rank for line in plain) == list(range(1, 41))


def test_ranks_that_stay_tied_are_shared_and_lots_part_them() -> None:
    rounds = [StageRound(1, (Pairing((1, 2), rank_scores([0, 0])), Pairing((3, 4), rank_scores([0, 0]))))]
    shared = ranked(CHESS, rounds, [1, 2, 3, 4], TieRules(("buchholz",)))
    assert [line.rank for line in shared] == [1, 1, 1, 1]
    lots = ranked(CHESS, rounds, [1, 2, 3, 4], TieRules(("lots",)), lots=[3, 1, 4, 2])
    assert [line.number for line in lots] == [3, 1, 4, 2]


def test_forfeits_are_never_direct_encounters_of_a_swiss_but_are_in_a_round_robin() -> None:
    came = rank_scores([1, 0], [How.PLAYED, How.FORFEIT])
    rounds = [
        StageRound(1, (Pairing((1, 2), came), Pairing((3, 4), rank_scores([0, 1])))),
        StageRound(2, (Pairing((3, 1), rank_scores([1, 0])), Pairing((2, 4), rank_scores([1, 0])))),
    ]
    swiss = ranked(CHESS, rounds, [1, 2, 3, 4], TieRules(("direct",)))
    robin = ranked(CHESS, rounds, [1, 2, 3, 4], TieRules(("direct",), robin=True))
    assert {line.rank for line in swiss} == {1}
    assert {line.number: line.values["direct"] // UNIT for line in robin} == {1: 0, 2: 0, 3: 0, 4: 0}
    two = ranked(CHESS, rounds[:1], [1, 2], TieRules(("direct",), robin=True))
    assert [line.number for line in two] == [1, 2]


def pod_results(*rows: tuple[tuple[int, ...], tuple[int, ...]]) -> list[StageRound]:
    """A round a row: who sat there, and the scores."""
    return [StageRound(at + 1, (Pairing(seats, rank_scores(scores)),)) for at, (seats, scores) in enumerate(rows)]


def test_pods_are_ranked_by_their_own_ties() -> None:
    rounds = pod_results(((1, 2, 3, 4), (30, 20, 10, 0)), ((2, 1, 4, 3), (40, 10, 10, 20)), ((5, 6, 1), (9, 6, 3)))
    standings = ranked(PODS, rounds, range(1, 7), POD_RULES, lots=[6, 5, 4, 3, 2, 1])
    lines = {line.number: line for line in standings}
    # Third and fourth place shared: (2 + 0) / 2 each.
    assert {number: line.points // UNIT for number, line in lines.items()} == {1: 7, 2: 10, 3: 6, 4: 1, 5: 6, 6: 3}
    assert [line.number for line in standings] == [2, 1, 5, 3, 6, 4]
    assert (lines[5].values["firsts"], lines[3].values["firsts"]) == (UNIT, 0)
    # 3 met 1 (7 points at 3 tables), 2 (10 at 2) and 4 (1 at 2), each twice.
    assert lines[3].values["opposition"] == 2 * (7 * UNIT // 3 + 5 * UNIT + UNIT // 2) // 6
    assert lines[3].values["share"] == 10 * UNIT // 60 + 20 * UNIT // 80


def test_direct_encounter_of_pods_is_for_exactly_two_who_met() -> None:
    rules = TieRules(("direct",))
    met = pod_results(((1, 2, 3, 4), (9, 5, 1, 0)), ((2, 5, 6, 7), (9, 5, 1, 0)), ((1, 5, 6, 7), (5, 9, 1, 0)))
    standings = ranked(PODS, met, range(1, 8), rules)
    assert [(line.number, line.rank) for line in standings[:3]] == [(1, 1), (2, 1), (5, 1)]
    # 6 and 7 have 4 and 0; 3 has 2: nobody else is tied but by chance, and who is tied alone and met is parted.
    pair = pod_results(((1, 2, 3, 4), (9, 5, 1, 0)), ((2, 5, 6, 7), (9, 5, 1, 0)), ((1, 8, 9, 6), (5, 9, 1, 0)))
    first, second = ranked(PODS, pair, range(1, 10), rules)[:2]
    assert (first.number, first.points, second.number, second.points) == (1, second.points, 2, first.points)
    assert first.values["direct"] > second.values["direct"] > 0


def test_places_of_seats_left_are_nobodys_firsts() -> None:
    left = rank_scores([30, 20, 10, 0], [How.STAND_IN, How.PLAYED, How.PLAYED, How.PLAYED])
    standings = ranked(PODS, [StageRound(1, (Pairing((1, 2, 3, 4), left),))], range(1, 5), POD_RULES)
    lines = {line.number: line for line in standings}
    assert (lines[1].points, lines[1].values["firsts"], lines[1].values["share"]) == (0, 0, 0)
    assert lines[2].values["seconds"] == UNIT


def test_a_section_is_ranked_apart() -> None:
    rounds = [StageRound(1, (Pairing((1, 2), rank_scores([1, 0]), 1), Pairing((3, 4), rank_scores([0, 1]), 2)))]
    standings = ranked(CHESS, rounds, [3, 4], TieRules(("wins", "koya"), robin=True))
    assert [(line.number, line.rank) for line in standings] == [(4, 1), (3, 2)]


def test_a_match_under_way_counts_for_nothing_yet() -> None:
    rounds = [StageRound(1, (Pairing((1, 2), rank_scores([1, 0])),)), StageRound(2, (Pairing((2, 1)),))]
    lines = ranked(CHESS, rounds, [1, 2], TieRules(("buchholz", "elected")))
    assert [(line.points, line.values["buchholz"], line.values["elected"]) for line in lines] == [
        (UNIT, 0, UNIT),
        (0, UNIT, UNIT),
    ]


def test_an_entrant_with_byes_only_is_ranked() -> None:
    rounds = [StageRound(at, (Pairing((1,)), Pairing((2, 3), rank_scores([0, 0])))) for at in (1, 2, 3)]
    standings = ranked(CHESS, rounds, [1, 2, 3], TieRules(("buchholz-cut-1", "sonneborn-berger")))
    # Three dummies with the player's own 3 points, each held to a draw per round.
    assert (standings[0].number, standings[0].points) == (1, 3 * UNIT)
    assert standings[0].values == {"buchholz-cut-1": 2 * 15000, "sonneborn-berger": 3 * 15000}


def test_an_unknown_tie_is_refused_with_those_there_are() -> None:
    with pytest.raises(UnknownTie, match="`goals` is not a tie-break here; use one of buchholz-cut-1"):
        ranked(CHESS, [], [1], TieRules(("goals",)))
    with pytest.raises(UnknownTie, match="firsts, seconds"):
        ranked(PODS, [], [1], TieRules(("buchholz",)))


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(1, 9), st.integers(0, 6), st.integers(0, 2**32))
def test_any_small_field_gets_whole_ranks(entrants: int, rounds: int, seed: int) -> None:
    random = Random(seed)
    numbers = list(range(1, entrants + 1))
    ends = [rank_scores([1, 0]), rank_scores([0, 0]), rank_scores([0, 0], [How.FORFEIT, How.FORFEIT]), ()]
    played = []
    for at in range(rounds):
        order = random.sample(numbers, entrants)
        pairs = [Pairing((order[k], order[k + 1]), random.choice(ends)) for k in range(0, entrants - 1, 2)]
        played.append(StageRound(at + 1, tuple(pairs), frozenset(order[-1:]) if entrants % 2 else frozenset()))
    rules = TieRules(tuple(name for name in FIDE_CODES if name != "lots"))
    lines = ranked(CHESS, played, numbers, rules)
    assert sorted(line.number for line in lines) == numbers
    ranks = [line.rank for line in lines]
    assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)

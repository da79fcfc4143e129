"""Best of N: every match of a series counts, it ends as soon as it is decided, and `verify` recomputes it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from service.tournaments.formats import verify
from service.tournaments.formats.crosstable import How, Pairing, rank_scores
from service.tournaments.formats.series import BY_SCORE, SeriesRules, is_decided, join_series, next_seats
from service.tournaments.formats.stage_rules import BadStage, read_stages
from service.tournaments.formats.tournament_log import BadTournament
from tests.service.tournaments.formats.simulated_tournament import Simulation, export_lines

A, B = 1, 2


def series(wins: str, hows: dict[int, How] | None = None) -> list[Pairing]:
    """Return matches with these winners (`=` for a tie); `hows` are the ends of A's seat by match."""
    matches: list[Pairing] = []
    for at, winner in enumerate(wins):
        seats = next_seats(matches) if matches else (A, B)
        scores = {"a": {A: 30, B: 20}, "b": {A: 10, B: 20}, "=": {A: 15, B: 15}}[winner]
        own = [(hows or {}).get(at, How.PLAYED) if number == A else How.PLAYED for number in seats]
        matches.append(Pairing(seats, rank_scores([scores[number] for number in seats], own)))
    return matches


@pytest.mark.parametrize(
    ("wins", "best_of", "replay", "decided"),
    [
        ("a", 3, 0, False),
        ("aa", 3, 0, True),
        ("ab", 3, 0, False),
        ("aba", 3, 0, True),
        ("aaab", 7, 0, False),
        ("aaaba", 7, 0, True),
        # A tie that is not replayed uses up a match: one win of two leads, with one left.
        ("=a", 3, 0, False),
        ("=aa", 3, 0, True),
        ("=ab", 3, 0, True),
        ("=ab", 3, 1, False),
        ("==ab", 3, 2, False),
        ("==", 3, 1, False),
        ("====", 3, 1, True),
        ("a==", 3, 0, True),
    ],
)
def test_a_series_is_over_as_soon_as_it_is_decided(wins: str, best_of: int, replay: int, decided: bool) -> None:
    assert is_decided(series(wins), SeriesRules(best_of, replay)) is decided


def test_seats_are_exchanged_each_time() -> None:
    assert [match.seats for match in series("aba")] == [(A, B), (B, A), (A, B)]


def places(wins: str, rules: SeriesRules, left: frozenset[int] = frozenset()) -> tuple[int, ...]:
    return tuple(one.place for one in join_series(series(wins), rules, is_over=True, left=left).results)


def test_a_level_series_is_a_tie_that_seeds_decide() -> None:
    assert places("ab=", SeriesRules(3)) == (1, 1)
    # A scored 30 + 10 + 15, and B 20 + 20 + 15: level by scores too.
    assert places("ab=", SeriesRules(3, tied=BY_SCORE)) == (1, 1)


def test_scores_part_a_level_series_only_if_the_document_says_so() -> None:
    high = Pairing((A, B), rank_scores([90, 20]))
    low = Pairing((B, A), rank_scores([30, 20]))
    level = [high, low]
    assert [one.place for one in join_series(level, SeriesRules(3), is_over=True).results] == [1, 1]
    by_score = join_series(level, SeriesRules(3, tied=BY_SCORE), is_over=True)
    assert [(one.place, one.score) for one in by_score.results] == [(1, 1), (2, 1)]


def test_whoever_leaves_an_undecided_series_loses_it() -> None:
    joined = join_series(series("a"), SeriesRules(3), is_over=True, left=frozenset({A}))
    assert [(one.place, one.how) for one in joined.results] == [(2, How.FORFEIT), (1, How.PLAYED)]
    assert places("aa", SeriesRules(3), frozenset({A})) == (1, 2), "a decided series stays decided"


def test_a_series_without_a_decision_has_no_result_before_the_round_ends() -> None:
    assert join_series(series("ab"), SeriesRules(3), is_over=False).results == ()
    assert join_series([Pairing((A,))], SeriesRules(3), is_over=False).is_bye


def document(**more: object) -> dict[str, Any]:
    stage = {"name": "cup", "format": "knockout", "best_of": 3, "end": {"at_most": "4w"}, **more}
    return {"ruleset": "2026-11", "stages": [stage]}


def play_cup(played: Simulation, random: Random) -> int:
    """Play all rounds of a cup of series with random results; return the number of matches."""
    stage, count = played.stages["cup"], 0
    for number in range(1, 8):
        if not played.pair("cup", number):
            break
        played.write(f"start cup:{number}")
        waiting = [pair for pair in stage.round(number).valid if len(pair.seats) > 1]
        while waiting:
            for pair in waiting:
                scores = [random.randrange(3), random.randrange(3)]
                hows = [How.PLAYED if random.random() < 0.9 else How.FORFEIT for _ in pair.seats]
                played.write_result("cup", number, pair.id, rank_scores(scores, hows))
                count += 1
            following = stage.list_next_matches(number, played.gone)
            waiting = [played.write_pair("cup", number, Pairing(pair.seats)) for pair in following]
        if random.random() < 0.2:
            played.withdraw(random.choice([one for one in stage.entrants if one not in played.gone]))
        stage.round(number).over_at = 1
        stage.round(number).left = frozenset(played.gone)
        played.write(f"over cup:{number}")
    return count


@pytest.mark.parametrize("seed", range(40))
def test_random_series_are_recomputed_and_nothing_is_lost(seed: int) -> None:
    random = Random(seed)
    wanted = document(
        best_of=random.choice([3, 5, 7]), replay=random.randrange(3), tied=random.choice(["seed", "score"])
    )
    played = Simulation(wanted, random.randrange(2, 10), beacon="none", seed=seed)
    played.open()
    matches = play_cup(played, random)
    report = verify.verify_tournament(played.export())
    assert len(report.places["cup"]) == played.entrants
    assert [place for place, _ in report.places["cup"]].count(1) <= max(1, len(played.gone))
    stage = played.stages["cup"]
    assert matches == sum(len(pair.seats) > 1 for each in stage.rounds.values() for pair in each.pairs)
    for number, each in stage.rounds.items():
        for table in stage.list_series(number):
            assert len(table) <= stage.rules.best_of + stage.rules.replay
            assert len({pair.seats for pair in table}) <= 2
            assert each.void == set()


def one_series(results: list[str], **more: object) -> list[tuple[int, str]]:
    """Return the lines of a final with these results, with matches paired when they are due."""
    played = Simulation(document(**more), 2, beacon="none")
    played.open()
    (pair,) = played.pair("cup", 1)
    played.write("start cup:1")
    for at, winner in enumerate(results):
        scores = {"w": [1, 0], "l": [0, 1], "=": [0, 0]}[winner]
        played.write_result("cup", 1, pair.id, rank_scores(scores))
        if at + 1 < len(results):
            pair = played.write_pair("cup", 1, Pairing(pair.seats[::-1]))
    played.write("over cup:1")
    return played.lines


def check(lines: list[tuple[int, str]], **more: object) -> str:
    """Return the fault that `verify` finds in these lines, or an empty string."""
    try:
        verify.verify_tournament(export_lines(document(**more), lines, "none"))
    except BadTournament as fault:
        return fault.detail
    return ""


def test_verify_refuses_a_match_too_many_and_seats_not_exchanged() -> None:
    assert check(one_series(["w", "l"])) == ""
    assert "no further match" in check(one_series(["w", "l", "w"]))
    lines = one_series(["w", "w", "w"])
    assert check(lines) == ""
    second = [at for at, (_, line) in enumerate(lines) if line.startswith("pair ")][1]
    at, words = lines[second][0], lines[second][1].split()
    lines[second] = (at, " ".join([*words[:4], *reversed(words[4:])]))
    assert "no further match" in check(lines)


def test_verify_refuses_a_series_that_ends_too_early_without_an_end_of_its_round() -> None:
    lines = one_series(["w"])
    assert check(lines) == "", "the end of the round may have come"
    assert "is not decided" in check(one_series(["w"], end=None), end=None)


def test_a_replay_ruling_voids_a_match_of_a_series() -> None:
    lines = one_series(["w", "l"])
    first = next(at for at, (_, line) in enumerate(lines) if line.startswith("result "))
    match = lines[first][1].split()[1]
    pair = next(line for _, line in lines if line.startswith(f"pair {match}")).split()
    pair[1] = "m99999999999"
    ruled = [
        (0, f"ruling replay {match} technical"),
        (0, " ".join(pair)),
        (0, f"result {pair[1]} 1:1:played 2:0:played"),
    ]
    texts = [line for _, line in lines]
    texts[first + 1 : first + 1] = [line for _, line in ruled]
    begin = lines[0][0]
    assert check([(begin + 60_000 * at, line) for at, line in enumerate(texts)]) == ""
    # Without the ruling the pair is a next match in the wrong seats.
    del texts[first + 1]
    assert "no further match" in check([(begin + 60_000 * at, line) for at, line in enumerate(texts)])


@pytest.mark.parametrize(
    "stage",
    [
        {"format": "knockout", "best_of": 4},
        {"format": "knockout", "best_of": 9},
        {"format": "knockout", "best_of": 3, "seats": 3},
        {"format": "swiss", "rounds": 3, "best_of": 3},
        {"format": "knockout", "tied": "coin"},
        {"format": "knockout", "replay": 10},
    ],
)
def test_a_document_of_strangers_with_an_impossible_series_is_refused(stage: dict[str, object]) -> None:
    with pytest.raises(BadStage):
        read_stages({"stages": [{"name": "cup", **stage}]})

"""Strengths of bots: what was measured is shown, until enough people have played."""

from __future__ import annotations

import random

import pytest

from engine.game import winners
from engine.games import GAMES
from service.bounded_cache import reset_process_state
from service.config import Config
from service.db.connection import execute, rows
from service.matches import bot_strengths
from service.matches.bot_strengths import (
    ENOUGH_MATCHES,
    BotPairing,
    find_chance,
    find_pairing,
    find_people_pairing,
    measured_pairings,
)
from service.matches.start import Opponent
from service.tournaments.ratings import rate_finished_matches
from tests.support.factories import Seated, match_of, settle, somebody

KELTIS = GAMES["keltis"]
GENTLE, STEADY = Opponent("gentle"), Opponent("steady")
RESULTS = "select match, opponent, halves from bot_result order by match"


def resign(config: Config, player: Seated, bot: str, seats: int = 2) -> str:
    """Begin a match against bots, and resign at once."""
    match = match_of(config, player, bots=dict.fromkeys(range(1, seats), bot))
    settle(match, config)
    player.send(match, "resign")
    settle(match, config)
    return match


def count() -> None:
    """Count finished matches as the worker does, and forget what is cached."""
    while rate_finished_matches.count_next_matches():
        pass
    reset_process_state()


def test_a_pairing_is_found_from_both_sides() -> None:
    row = measured_pairings()[0]
    assert find_pairing(row.game, row.bot, row.other) == row
    turned = BotPairing(row.game, row.other, row.bot, row.matches - row.points, row.matches)
    assert find_pairing(row.game, row.other, row.bot) == turned
    assert find_pairing(row.game, row.bot, row.bot) is None


@pytest.mark.parametrize(("matches", "chance"), [(11, None), (12, 0.25)])
def test_a_few_matches_tell_no_chance(monkeypatch: pytest.MonkeyPatch, matches: int, chance: float | None) -> None:
    row = BotPairing("keltis", "steady", "strong", matches / 4, matches)
    monkeypatch.setattr(bot_strengths, "find_people_pairing", lambda *_: None)
    monkeypatch.setattr(bot_strengths, "find_pairing", lambda *_: row)
    assert find_chance(KELTIS, Opponent("strong")) == chance


@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
def test_results_of_people_replace_those_of_steady_from_twenty_matches_on(service: Config) -> None:
    me = somebody()
    measured = find_pairing("keltis", "steady", "gentle")
    assert measured is not None
    for _ in range(ENOUGH_MATCHES - 1):
        resign(service, me, "gentle")
    count()
    assert find_people_pairing(KELTIS, GENTLE) is None
    assert (find_chance(KELTIS, GENTLE), find_chance(KELTIS, STEADY)) == (measured.share, 0.5)
    resign(service, me, "gentle")
    count()
    assert find_people_pairing(KELTIS, GENTLE) == BotPairing("keltis", "people", "gentle", 0, ENOUGH_MATCHES)
    assert find_chance(KELTIS, GENTLE) == 0
    execute("update bot_result set opponent = ?", "steady")
    reset_process_state()
    assert find_chance(KELTIS, STEADY) == 0.5, "results against an earlier version do not count"


def test_one_person_against_one_bot_counts_and_nothing_else(service: Config) -> None:
    me, other, rng = somebody(), somebody("Brendan"), random.Random(3)
    lost = resign(service, me, "steady")
    resign(service, me, "random", seats=3)
    two = match_of(service, me, other)
    settle(two, service)
    me.send(two, "resign")
    settle(two, service)
    played = match_of(service, me, bots={1: "random"})
    found = settle(played, service)
    while not found.state.over:
        me.move(played, rng.randrange(100))
        found = settle(played, service)
    best = winners(KELTIS, found.state)
    count()
    halves = 2 * (0 in best) // len(best)
    expected = sorted([(lost, "steady-2", 0), (played, "random", halves)])
    assert rows(RESULTS) == expected
    execute("delete from bot_result where match = ?", lost)
    execute("update bot_result set halves = 7")
    ended = [rate_finished_matches.replay_ended_match(*each) for each in rate_finished_matches.list_ended_matches()]
    assert rate_finished_matches.replace_counts(ended).changed == len(expected)
    assert rows(RESULTS) == expected

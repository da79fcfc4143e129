"""Random matches of Táin: nothing is lost, no dead ends, and a second referee agrees with every round."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.chance import seeded_pick
from engine.game import CHANCE, legal, to_act, winners
from engine.games.tain import GAME
from engine.games.tain.bots import random, steady
from engine.games.tain.state import Tain
from engine.options import Settings
from engine.playout import play_out
from tests.engine.conserved.tain import conserved
from tests.engine.tain.second_referee import Referee
from tests.engine.tain.tables import lines, play, random_match, table

VARIANTS: tuple[Settings, ...] = (
    {},
    {"share": "one-each"},
    {"speedup": False},
    {"free-default": "daughter-first"},
    {"marker": "fixed", "first": 1},
)
CHUNK = 50


def agree(referee: Referee, state: Tain) -> None:
    """Everything at rest is the same."""
    assert (tuple(referee.cattle), tuple(referee.jewels), referee.stock) == (state.cattle, state.jewels, state.stock)
    assert [Counter(tokens) for tokens in state.unused] == [+each for each in referee.screen]
    assert [Counter(tokens) for tokens in state.used] == [+each for each in referee.used]
    held = [Counter(("abcd".index(token[0]), token[1]) for token in tokens) for tokens in state.prisoners]
    assert held == [+each for each in referee.held]
    assert (referee.over, referee.round) == (state.over, state.round)
    assert referee.over or referee.turns()[0] == state.active


@pytest.mark.parametrize("chunk", range(8))
def test_a_second_referee_agrees(chunk: int) -> None:
    phases = 0
    for seed in range(chunk * 25, chunk * 25 + 25):
        settings, seats = VARIANTS[seed % len(VARIANTS)], 2 + seed % 3
        referee, rows = Referee(seats, settings), []
        for seat, line, state in random_match(seats, seed, settings)[1:]:
            rows.append((seat, line))
            phases += line.startswith("guards")
            if state.round != referee.round or state.over:
                referee.play(rows)
                agree(referee, state)
                rows = []
        assert referee.over
    assert phases


def test_open_choices_do_come_up_in_random_matches() -> None:
    found = [line for seed in range(60) for _, line, _ in random_match(2, seed) if line.startswith("free")]
    assert found


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_nothing_is_lost_and_nobody_is_stuck(seats: int) -> None:
    for seed in range(15):
        entries = random_match(seats, 1000 + seed)
        for _, _, state in entries:
            conserved(state)
            assert state.over or all(len(legal(state, seat)) > 0 for seat in to_act(state) - {CHANCE})
        assert entries[-1][2].over


@pytest.mark.parametrize("first", range(0, 400, CHUNK))
def test_steady_beats_random(first: int) -> None:
    won = 0
    for seed in range(first, first + CHUNK):
        pick, seat = seeded_pick(seed), seed % 2
        bots = {seat: GAME.bots.by_name["steady"], 1 - seat: GAME.bots.by_name["random"]}
        *_, (_, _, end) = play_out(GAME, table(2), pick, bots, lambda _, pick=pick: pick)  # type: ignore[misc]
        won += winners(GAME, end) == (seat,)
    assert won >= 0.9 * CHUNK


@pytest.mark.parametrize("seats", [3, 4])
def test_steady_beats_several_random_rivals(seats: int) -> None:
    won = 0
    for seed in range(40):
        pick, seat = seeded_pick(seed), seed % seats
        bots = {each: GAME.bots.by_name["steady" if each == seat else "random"] for each in range(seats)}
        *_, (_, _, end) = play_out(GAME, table(seats), pick, bots, lambda _, pick=pick: pick)  # type: ignore[misc]
        won += winners(GAME, end) == (seat,)
    assert won >= 30


def test_random_passes_about_once_in_twenty() -> None:
    state, pick = table(2), seeded_pick(4)
    view, options = GAME.rules.view(state, 0), legal(state, 0)
    passes = sum(random(view, options, pick).line == "pass" for _ in range(4000))
    assert 140 <= passes <= 260


def test_steady_frees_its_daughter_and_passes_when_it_must() -> None:
    fresh = table(2, prisoners=((), ("aB", "aD")), unused=("CWWBBBBBXXXXXXXX", "CWWBBBBBBDXXXXXXXX"))
    state = play(fresh, "0 put C b4; 1 pass; 0 pass")
    assert steady(GAME.rules.view(state, 0), legal(state, 0), seeded_pick(1)).line == "free D b"
    stuck = table(2, unused=("D", "X"), used=("CWWBBBBBBXXX", "CWWBBBBBBDXXXXXXX"), guards=("XXXXX", "....."))
    assert lines(stuck, 0) == {"pass"}
    assert steady(GAME.rules.view(stuck, 0), legal(stuck, 0), seeded_pick(1)).line == "pass"


def test_steady_raids_the_kingdom_with_three_seats() -> None:
    raids = 0
    for seed in range(4):
        picks = seeded_pick(seed)
        bots = dict.fromkeys(range(3), steady)
        for _, action, _ in play_out(GAME, GAME.rules.start(3), picks, bots, lambda _, picks=picks: picks):  # type: ignore[misc]
            raids += action.line in ("put C kingdom", "put W kingdom")
    assert raids > 1

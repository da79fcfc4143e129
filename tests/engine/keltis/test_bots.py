"""The bots of Keltis: what steady is worth, that it repeats itself, and that it sees no more than its seat."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest

from engine.chance import seeded_pick
from engine.game import legal, winners
from engine.games.keltis.bots import random, steady
from engine.games.keltis.rules import Draw
from engine.playout import answer, play_out
from tests.engine.keltis.tables import KELTIS, last_cards, table

CHUNK = 50
STORY = """
from engine.chance import seeded_pick
from engine.games import GAMES
from engine.playout import play_out
game, pick = GAMES["keltis"], seeded_pick(3)
bots = dict.fromkeys(range(3), game.bots.by_name["steady"])
for seat, action, state in play_out(game, game.rules.start(3), pick, bots, lambda _: pick):
    print(seat, action.line)
"""


@pytest.mark.parametrize("first", range(0, 400, CHUNK))
def test_steady_beats_random(first: int) -> None:
    won = 0
    for seed in range(first, first + CHUNK):
        pick, seat = seeded_pick(seed), seed % 2
        bots = {seat: KELTIS.bots.by_name["steady"], 1 - seat: KELTIS.bots.by_name["random"]}
        *_, (_, _, end) = play_out(KELTIS, KELTIS.rules.start(2), pick, bots, lambda _, pick=pick: pick)  # type: ignore[misc]
        won += winners(KELTIS, end) == (seat,)
    assert won >= 0.95 * CHUNK


def test_steady_plays_the_same_in_every_process() -> None:
    root = Path(__file__).parents[3]
    stories = {
        subprocess.run(
            [sys.executable, "-c", STORY],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": number},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for number in ("1", "2", "3")
    }
    assert len(stories) == 1


def test_random_draws_from_the_deck_at_least_every_other_time() -> None:
    state = table("R5", piles="R: 1; Y: 1; G: 1; B: 1; P: 1; N: 1", step=Draw(0, 1, ""))
    pick, view = seeded_pick(2), KELTIS.rules.view(state, 0)
    drawn = [random(view, legal(state, 0), pick).line for _ in range(1000)]
    assert set(drawn) == {"draw deck", *(f"draw {pile}" for pile in "RYGBPN")}
    assert drawn.count("draw deck") >= 500


@pytest.mark.parametrize(("turn", "line"), [(10, "draw R"), (142, "draw R"), (143, "draw deck"), (5000, "draw deck")])
def test_steady_empties_the_deck_of_a_match_that_drags_on(turn: int, line: str) -> None:
    state = table("R6 R7 B9", laid=("R: 3 4",), piles="R: 5", step=Draw(0, 1, ""), turn=turn)
    assert steady(KELTIS.rules.view(state, 0), legal(state, 0), seeded_pick(1)).line == line


def test_two_steady_bots_do_not_pass_discards_around_for_ever() -> None:
    bots = dict.fromkeys(range(2), KELTIS.bots.by_name["steady"])
    moves = play_out(KELTIS, KELTIS.rules.start(2), seeded_pick(3554336674797243979), bots, lambda _: seeded_pick(1))
    *_, (_, _, end) = islice(moves, 2000)
    assert end.over


def test_random_plays_anything() -> None:
    state = table("R5 N7 B9 PE R6 N6 G4 G4", laid=("G: 7",))
    pick, view = seeded_pick(2), KELTIS.rules.view(state, 0)
    played = {random(view, legal(state, 0), pick).line for _ in range(600)}
    assert played == {option.line for option in legal(state, 0)}


@pytest.mark.parametrize("name", KELTIS.bots.by_name)
def test_bots_give_the_best_last_cards(name: str) -> None:
    state = last_cards("R6 N5 Y8", laid=("R: 1 2 3 3 5",))
    assert answer(KELTIS, state, 0, KELTIS.bots.by_name[name], seeded_pick(1)).line == "last N5:R R6"


def test_bots_never_resign() -> None:
    assert not [option for option in legal(table("R5"), 0) if option.line == "resign"]


@pytest.mark.parametrize(
    ("laid", "line"),
    [
        (("R: 1 2 3 4 5 6; G: 1 2 3 4 5 E", "R: 1 2 E; Y: 1 2 E; B: 1 2 E"), "lay RE"),
        (("R: 1 2 3 4; G: 1 E", "R: 1 2 3 4 5 6 E; Y: 1 2 3 4 5 6 E; B: 1 2 3 4 5 6 E"), "lay R9"),
        (("R: 1 2 3 4 5 6; G: 1 2 3 4 5 6; P: 1 2 3 4 E", "R: 1 2 E; Y: 1 2 E"), "lay GE"),
    ],
    ids=["a leader ends the match", "who is behind does not", "a leader with two End cards begins to end it"],
)
def test_steady_plans_the_end_by_five_ended_rows(laid: tuple[str, ...], line: str) -> None:
    state = table("RE GE R9" if len(laid[0]) > 40 else "RE R9", laid=laid)
    assert steady(KELTIS.rules.view(state, 0), legal(state, 0), seeded_pick(1)).line == line

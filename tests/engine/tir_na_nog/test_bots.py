"""The bots of Tír na nÓg: what steady is worth, that it repeats itself, and single choices it must get right."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.chance import seeded_pick
from engine.game import Bot, Seat, Step, legal, winners
from engine.games.tir_na_nog import GAME
from engine.games.tir_na_nog.bots import BOTS, balor
from engine.games.tir_na_nog.rules.state import TirNaNog
from engine.games.tir_na_nog.rules.steps import Cleanup, PlaceStoryteller, Resolve, ScoreCard, Spare
from engine.playout import play_out
from tests.engine.tir_na_nog.tables import cards, playing, table, turn

MATCHES = 24
ROUND = 5
STORY = """
from engine.chance import seeded_pick
from engine.games.tir_na_nog import GAME
from engine.games.tir_na_nog.bots import BOTS
from engine.playout import play_out
pick = seeded_pick(3)
bots = dict.fromkeys(range(3), BOTS["steady"])
for seat, action, state in play_out(GAME, GAME.rules.start(3), pick, bots, lambda _: pick):
    print(seat, action.line)
"""


def ended(seats: int, seed: int, bots: dict[Seat, Bot], difficulty: str = "off") -> TirNaNog:
    """A match of bots, from its first line to its last."""
    pick = seeded_pick(seed)
    *_, (_, _, end) = play_out(GAME, GAME.rules.start(seats, {"balor": difficulty}), pick, bots, lambda _: pick)
    return end


@pytest.mark.parametrize("first", range(0, 2 * MATCHES, MATCHES))
def test_steady_beats_random(first: int) -> None:
    won = 0
    for seed in range(first, first + MATCHES):
        seat = seed % 2
        bots = {seat: BOTS["steady"], 1 - seat: BOTS["random"]}
        won += winners(GAME, ended(2, seed, bots)) == (seat,)
    assert won >= 0.95 * MATCHES


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_steady_beats_a_table_of_random_bots(seats: int) -> None:
    won = 0
    for seed in range(8):
        bots = dict.fromkeys(range(seats), BOTS["random"]) | {seed % seats: BOTS["steady"]}
        won += winners(GAME, ended(seats, seed, bots)) == (seed % seats,)
    assert won >= 7


def test_steady_beats_balor_more_often_the_easier_he_is() -> None:
    bots = {0: BOTS["steady"], 1: balor.bot}
    won = {
        level: sum(winners(GAME, ended(2, seed, bots, level)) == (0,) for seed in range(MATCHES))
        for level in ("easy", "impossible")
    }
    assert won["easy"] >= 0.4 * MATCHES
    assert won["easy"] > won["impossible"]


def test_random_loses_to_balor() -> None:
    bots = {0: BOTS["random"], 1: balor.bot}
    assert all(winners(GAME, ended(2, seed, bots, "easy")) == (1,) for seed in range(6))


def test_steady_plays_the_same_in_every_process() -> None:
    stories = {
        subprocess.run(
            [sys.executable, "-c", STORY],
            cwd=Path(__file__).parents[3],
            env={**os.environ, "PYTHONHASHSEED": number},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for number in ("1", "2")
    }
    assert len(stories) == 1


def answer(state: TirNaNog, seat: Seat = 0) -> str:
    """The line that steady makes."""
    return BOTS["steady"](GAME.rules.view(state, seat), legal(state, seat), seeded_pick(1)).line


def test_random_makes_any_line() -> None:
    state = table(PlaceStoryteller(0))
    pick, view = seeded_pick(2), GAME.rules.view(state, 0)
    made = {BOTS["random"](view, legal(state, 0), pick).line for _ in range(300)}
    assert made == {option.line for option in legal(state, 0)}


LAST = "R1 R2 R3 R4 / G8 G7 G6 G5 G4 / Y1 Y1 B2 B2 B3"


@pytest.mark.parametrize(
    ("steps", "options", "line"),
    [
        # The last card of a rising row: the highest one.
        (playing(), {"sagas": (LAST,), "hands": ("R8 B2 Y4",), "round": ROUND}, "play queen-medb top"),
        # Only one card of the Otherworld rises any more.
        (
            turn(0),
            {
                "sagas": ("R1 R2 R3 R7 / G8 G7 G6 G5 G4 / Y1 Y1 B2 B2 B3",),
                "hands": ("B1",),
                "grid": "B2 Y8 G3 G1 B5 R5 G2 Y3",
                "out": ("a1a2", "c2c3"),
                "round": ROUND,
            },
            "take a2 a1a2",
        ),
        # At Cleanup the card that helps least goes.
        ((Cleanup(),), {"sagas": (LAST,), "hands": ("Y8 B1",), "round": ROUND - 1}, "discard tide-pool"),
        # A green neighbour costs the Kelpie 6, so the painter paints it.
        (
            (Resolve(0, "middle3"), *playing()),
            {"sagas": (" / water-kelpie G1 glastonbury-tor",), "hands": ("R1",), "geas": "oisin,deirdre,lir"},
            "paint middle2 yellow",
        ),
        # Selkie Cove joins the largest region it can.
        (
            (ScoreCard(0, "top3"),),
            {"sagas": ("R1 R2 selkie-cove", "R3 R4"), "round": ROUND, "phase": "scoring"},
            "paint top3 red",
        ),
        # Red is tied and one card breaks the tie; blue is out of reach.
        (
            (Spare(1),),
            {"sagas": ("R1 R2",), "pile": cards("R3 R4 B1 B2 B3"), "balor": "hard", "phase": "scoring"},
            "discard war-drum",
        ),
    ],
)
def test_steady_sees_what_is_plain(steps: tuple[Step[TirNaNog], ...], options: dict[str, object], line: str) -> None:
    state = table(*steps, **options)  # type: ignore[arg-type]
    assert answer(state) in {line, line.replace("war-drum", "smiths-forge")}


def test_steady_stands_beside_what_it_wants() -> None:
    state = table(
        PlaceStoryteller(0),
        sagas=("R1 R2 R3 R4 / G8 G7 G6 G5 G4 / Y1 Y1 B2 B2 B3",),
        grid="B2 Y8 G3 G1 B1 R2 G2 Y3",
        hands=("R2",),
        round=ROUND,
    )
    assert answer(state) in ("place a1a2", "place a2a3")

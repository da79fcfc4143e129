"""How many ways a match can go on from a given point: options that appear or vanish change a count.

`perft.txt` holds blocks: a match up to some move, then rows `perft DEPTH COUNT`. The depth counts moves of seats;
of the seats asked together the lowest moves first; chance always rolls with the first picks of one seeded source.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.chance import seeded_pick
from engine.game import CHANCE, apply, legal, to_act
from engine.games import GAMES
from engine.log import parse, replay
from engine.playout import roll_chance

Row = tuple[str, int, int]


def rows() -> list[Row]:
    """Every text, depth and count of the file."""
    found: list[Row] = []
    for block in (Path(__file__).parent / "perft.txt").read_text("utf-8").split("\n\n"):
        lines = [line for line in block.splitlines(keepends=True) if not line.startswith("#")]
        text = "".join(line for line in lines if not line.startswith("perft "))
        counts = [line.split() for line in lines if line.startswith("perft ")]
        found += [(text, int(depth), int(count)) for _, depth, count in counts]
    return found


def perft(state: Any, depth: int) -> int:  # noqa: ANN401  # a state of any game
    """The number of ways the next moves can go."""
    if not (asked := to_act(state)) or not depth:
        return 1
    if CHANCE in asked:
        return perft(apply(state, CHANCE, roll_chance(state, seeded_pick(0))), depth)
    seat = min(asked)
    options = list(legal(state, seat))
    if depth == 1:
        return len(options)
    return sum(perft(apply(state, seat, option), depth - 1) for option in options)


@pytest.mark.parametrize(
    ("text", "depth", "count"), rows(), ids=lambda value: None if isinstance(value, str) else value
)
def test_perft(text: str, depth: int, count: int) -> None:
    result = replay(parse(text, GAMES))
    assert result.fault is None
    assert perft(result.state, depth) == count


def test_every_game_has_counts() -> None:
    assert {text.split()[1] for text, _, _ in rows()} == set(GAMES)

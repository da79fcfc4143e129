"""Points for the rows and stones of Keltis."""

from __future__ import annotations

from engine.game import Count, Score
from engine.games.keltis.cards import COLOURS, DECK, POINT, Row
from engine.games.keltis.rules import Keltis

ROW_POINTS = (0, -4, -3, -2, 1, 2, 3, 6, 7, 10)
STONE_POINTS = (-4, -1, 0, 4, 6, 10)
POINT_CARDS = sum(card[0] == POINT for card in DECK)
BOUNDS = (
    len(COLOURS) * min(ROW_POINTS) + min(STONE_POINTS),
    len(COLOURS) * max(ROW_POINTS) + max(STONE_POINTS) + POINT_CARDS,
)
"""Lowest and highest possible total of a seat."""


def scores(state: Keltis) -> tuple[Score, ...]:
    """Count points for each row by its length, for the Point row and for stones. Cards in hand count nothing."""
    return tuple(score(state.rows[seat], len(state.stones[seat])) for seat in range(state.seats))


def score(rows: tuple[Row, ...], stones: int) -> Score:
    """Return the score of one seat."""
    counts = [
        Count(name, ROW_POINTS[min(len(row), len(ROW_POINTS) - 1)]) for name, row in zip(COLOURS, rows, strict=False)
    ]
    counts += [Count("points", len(rows[-1])), Count("stones", STONE_POINTS[min(stones, len(STONE_POINTS) - 1)])]
    return Score(sum(count.points for count in counts), tuple(counts))

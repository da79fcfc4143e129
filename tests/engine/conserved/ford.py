"""Invariants of the Ford: the squares stay, and pieces only disappear."""

from __future__ import annotations

from tests.skeleton_game import EMPTY, PIECES, SQUARES, Ford


def conserved(state: Ford) -> None:
    """Every square holds a piece or none, and no side has gained a piece."""
    assert len(state.board) == len(SQUARES)
    assert set(state.board) <= {*PIECES, EMPTY}
    assert all(state.board.count(piece) <= 10 for piece in PIECES)
    assert state.over or state.winner is None

"""The skeleton game takes part in the tests that hold for every game."""

from __future__ import annotations

import pytest

from engine.games import GAMES
from tests.skeleton_game import GAME


@pytest.fixture(autouse=True)
def _skeleton(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the skeleton game for tests that name it, and for no others."""
    named = getattr(request.node, "callspec", None)
    if named is not None and GAME.slug in named.params.values():
        monkeypatch.setitem(GAMES, GAME.slug, GAME)

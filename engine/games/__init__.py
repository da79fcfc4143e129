"""The games we have: a slug for each."""

from __future__ import annotations

from typing import Any

from engine.game import Game
from engine.games.keltis import GAME as KELTIS

GAMES: dict[str, Game[Any]] = {game.slug: game for game in (KELTIS,)}

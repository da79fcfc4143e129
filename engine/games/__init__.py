"""The games we have, by slug."""

from __future__ import annotations

from typing import Any

from engine.game import Game
from engine.games.bardwood_grove import GAME as BARDWOOD_GROVE
from engine.games.keltis import GAME as KELTIS
from engine.games.tain import GAME as TAIN
from engine.games.tir_na_nog import GAME as TIR_NA_NOG

GAMES: dict[str, Game[Any]] = {game.slug: game for game in (TIR_NA_NOG, TAIN, KELTIS, BARDWOOD_GROVE)}
EXAMPLE = KELTIS.slug
"""The game used in examples of the documentation."""

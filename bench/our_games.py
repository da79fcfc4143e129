"""Our games in the race: random playouts through the engine's own `legal` and `apply`."""

from collections.abc import Callable
from random import Random
from typing import Any

from bench.race import Contestant
from engine.game import CHANCE, Game, apply, legal, to_act
from engine.games import GAMES
from engine.playout import roll_chance

SEATS = 2


def playout(game: Game[Any]) -> Callable[[Random], int]:
    """Return a function that plays one random match of two seats and returns its steps, those of chance included."""

    def play(rng: Random) -> int:
        random = rng.random
        state, steps = game.rules.start(SEATS), 0
        while asked := to_act(state):
            seat = min(asked)
            if seat == CHANCE:
                action = roll_chance(state, lambda n: int(random() * n))
            else:
                options = legal(state, seat)
                listed = options if isinstance(options, list) else list(options)
                action = listed[int(random() * len(listed))]
            state = apply(state, seat, action)
            steps += 1
        return steps

    return play


CONTESTANTS = tuple(Contestant(slug, playout(game)) for slug, game in GAMES.items())

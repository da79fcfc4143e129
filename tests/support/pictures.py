"""Views and pictures from matches that bots play, for tests of how they look."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.chance import seeded_pick
from engine.games import GAMES
from engine.picture import Shape
from engine.playout import play_out
from engine.view import View
from engine.words import Locale


def views(slug: str, seats: int, name: str) -> Iterator[View]:
    """Yield the first seat's view from time to time in a match of steady bots."""
    game, picks = GAMES[slug], seeded_pick(seats)
    bots = dict.fromkeys(range(seats), game.bots.by_name[game.bots.stand_in])
    moves = play_out(game, game.rules.start(seats), picks, bots, lambda _: picks)
    for at, (_, _, state) in enumerate(moves):
        if at % 25 == 0 or state.over:
            yield replace(game.rules.view(state, 0), names=(name,) * seats)


def table(slug: str, name: str = "Aoife", locale: Locale = "en") -> tuple[Shape, ...]:
    """Return a picture from the middle of a match."""
    game = GAMES[slug]
    return game.presentation.picture([*views(slug, game.rules.seats[-1], name)][:3][-1], locale)

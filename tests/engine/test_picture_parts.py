"""Parts of pictures that are kept: whoever looked before, a seat gets what it sees itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import pytest

from engine.chance import seeded_pick
from engine.games import GAMES
from engine.picture import PartCache, Shape
from engine.playout import play_out
from engine.view import View
from engine.words import LOCALES

NAMES = ("Aoife", "Bastien", "Caoimhe", "Delphine", "Éanna")


def views(slug: str, seats: int, names: tuple[str, ...]) -> Iterator[View]:
    """Yield the views of every seat and a spectator from time to time in a match of steady bots."""
    game, picks = GAMES[slug], seeded_pick(seats)
    bots = dict.fromkeys(range(seats), game.bots.by_name[game.bots.stand_in])
    for at, (_, _, state) in enumerate(play_out(game, game.rules.start(seats), picks, bots, lambda _: picks)):
        if at % 40 == 0 or state.over:
            for seat in (None, *range(seats)):
                yield replace(game.rules.view(state, seat), names=names[:seats])


def pictures(slug: str, seats: int) -> list[tuple[Shape, ...]]:
    """Pictures of these views, in both languages and both forms; the second match has the names the other way round."""
    game = GAMES[slug]
    seen = [*views(slug, seats, NAMES), *views(slug, seats, NAMES[::-1])]
    return [
        game.presentation.picture(view, locale, narrow=narrow)
        for view, locale, narrow in product(seen, LOCALES, (False, True))
    ]


@pytest.mark.parametrize("slug", GAMES)
def test_parts_that_are_kept_are_those_that_would_be_drawn(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def draw_always(_cache: PartCache[Any], _key: object, draw: Any) -> Any:  # noqa: ANN401  # whatever is drawn
        return draw()

    for seats in {GAMES[slug].rules.seats[0], GAMES[slug].rules.seats[-1]}:
        kept = pictures(slug, seats)
        with monkeypatch.context() as patched:
            patched.setattr(PartCache, "find", draw_always)
            assert pictures(slug, seats) == kept


def test_no_more_parts_are_kept_than_there_is_room_for() -> None:
    cache: PartCache[int] = PartCache(10)
    for number in range(95):
        assert cache.find(number, partial(int, number)) == number
        assert len(cache.known) <= cache.most
    assert cache.find(94, lambda: 0) == 94  # drawn before

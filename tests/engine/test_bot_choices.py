"""A bot never changes its choices under the same name: records name the version that chose."""

from __future__ import annotations

from hashlib import sha256
from itertools import islice
from pathlib import Path

import pytest

from engine.chance import seeded_pick
from engine.games import GAMES
from engine.playout import play_out
from engine.search import SearchBot
from tests.support.random_matches import hurried

KNOWN = Path(__file__).parents[1] / "golden" / "bot_choices.txt"
"""A row for each bot: game, name in records, and a hash of its choices. Rows of earlier versions stay."""
MOVES = 150
"""Moves of chance and bots that are hashed."""
PLAYED = [(slug, name) for slug, game in GAMES.items() for name in game.bots.by_name if name not in ("balor", "rival")]


def describe_choices(slug: str, name: str) -> str:
    """Return the row of a bot: it plays both seats of the same match, a search bot with fewer playouts."""
    game = GAMES[slug]
    bot, pick = game.bots.by_name[name], seeded_pick(11)
    budget = f"{bot.playouts} {bot.width} {bot.trust}" if isinstance(bot, SearchBot) else ""
    moves = play_out(game, game.rules.start(2), pick, dict.fromkeys(range(2), hurried(bot)), lambda _: pick)
    lines = [f"{seat} {action.line}" for seat, action, _ in islice(moves, MOVES)]
    choices = "\n".join([budget, *lines])
    return f"{slug} {game.bots.current(name)} {sha256(choices.encode()).hexdigest()[:16]}"


@pytest.mark.parametrize(("slug", "name"), PLAYED)
def test_a_bot_that_chooses_otherwise_has_another_name(slug: str, name: str) -> None:
    row = describe_choices(slug, name)
    assert row in KNOWN.read_text().splitlines(), (
        f"{name} of {slug} chooses otherwise than before. Raise its number in Bots.versions, and add {row} to {KNOWN}."
    )


def test_every_version_stands_once() -> None:
    names = [row.rsplit(" ", 1)[0] for row in KNOWN.read_text().splitlines()]
    assert len(set(names)) == len(names)

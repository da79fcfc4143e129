"""A match in a few words, as lists and heads of pages show it."""

from __future__ import annotations

from typing import Any

from engine import notation
from engine.games import GAMES
from engine.words import Locale


def describe_match(match: dict[str, Any], locale: Locale) -> dict[str, Any]:
    """A match of a list with what pages say of it: its game, its title, its free seats."""
    game = GAMES[match["game"]]
    changed = [
        (option.title[locale], notation.setting(match["options"][option.name]))
        for option in game.options
        if match["options"].get(option.name, option.default) != option.default
    ]
    free = sum(place["name"] is None for place in match["places"])
    title = game.title[locale]
    return {**match, "called": match["title"] or title, "game_title": title, "free": free, "changed": changed}

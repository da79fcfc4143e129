"""The motif tokens: the gems of each, and its condition."""

from __future__ import annotations

from collections.abc import Callable

from engine.games.bardwood_grove.rules import board_tables
from engine.games.bardwood_grove.rules.cards import ADVANCED, IMPROS, SKILLS, open_boxes
from engine.games.bardwood_grove.rules.decks import cards_of
from engine.games.bardwood_grove.rules.effects import rows
from engine.games.bardwood_grove.rules.state import Player, Song

GEMS: dict[str, int] = {slug: int(gems) for slug, _, gems, _ in rows(board_tables.MOTIFS)}
CONTENT: dict[str, str] = {row[0]: row[3] for row in rows(board_tables.MOTIFS)}
Condition = Callable[[Player, Song], bool]


def _skills(player: Player) -> list[str]:
    return [card for card in player.song if card in SKILLS]


def _impros(player: Player) -> int:
    return sum(card in IMPROS for card in player.song)


def _is_old_and_new(player: Player) -> bool:
    """Return True for a song with a basic Skill, an advanced Skill and an Impro."""
    kinds = {skill in ADVANCED for skill in _skills(player)}
    return kinds == {True, False} and _impros(player) > 0


def _advanced_fans(player: Player) -> int:
    return sum(ADVANCED.get(card) == "fan" for card in cards_of(player))


MOTIFS: dict[str, Condition] = {
    "long-song": lambda player, _: len(_skills(player)) >= 4,  # noqa: PLR2004  # numbers printed on the tokens
    "wild-impro": lambda player, _: _impros(player) >= 2,  # noqa: PLR2004
    "double-calm": lambda _, song: song.soothed >= 2,  # noqa: PLR2004
    "old-and-new": lambda player, _: _is_old_and_new(player),
    "full-voice": lambda _, song: song.paid >= 6,  # noqa: PLR2004
    "busy-night": lambda _, song: len(song.used) >= 4,  # noqa: PLR2004
    "friend-and-foe": lambda _, song: bool(song.challenged) and song.helped,
    "stage-and-story": lambda _, song: song.performed and song.told,
    "heavy-purse": lambda player, _: player.coins >= 5,  # noqa: PLR2004
    "fan-club": lambda player, _: _advanced_fans(player) >= 3,  # noqa: PLR2004
    "deafening": lambda _, song: song.loud,
    "whisper": lambda player, song: player.volume == 0 and song.lyrics >= 3,  # noqa: PLR2004
}
"""The condition of each token, on the seat and on its Sing phase."""
assert MOTIFS.keys() == GEMS.keys(), "a motif without condition, or a condition without motif"  # noqa: S101


def motifs(content: str) -> tuple[str, ...]:
    """Return the motif tokens of this content in alphabetical order."""
    boxes = open_boxes(content)
    return tuple(sorted(slug for slug in MOTIFS if CONTENT[slug] in boxes))

"""The motif tokens: the gems of each, and one small function for its condition."""

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


def long_song(player: Player, song: Song) -> bool:  # noqa: ARG001
    """Four or more Skills in the song."""
    return sum(card in SKILLS for card in player.song) >= 4  # noqa: PLR2004


def wild_impro(player: Player, song: Song) -> bool:  # noqa: ARG001
    """Two or more Impros in the song."""
    return sum(card in IMPROS for card in player.song) >= 2  # noqa: PLR2004


def double_calm(player: Player, song: Song) -> bool:  # noqa: ARG001
    """Two creatures soothed in this phase."""
    return song.soothed >= 2  # noqa: PLR2004


def old_and_new(player: Player, song: Song) -> bool:  # noqa: ARG001
    """A basic Skill, an advanced Skill and an Impro in the song."""
    skills = [card in ADVANCED for card in player.song if card in SKILLS]
    return True in skills and False in skills and any(card in IMPROS for card in player.song)


def full_voice(player: Player, song: Song) -> bool:  # noqa: ARG001
    """Six or more volume paid for lower halves in this phase."""
    return song.paid >= 6  # noqa: PLR2004


def busy_night(player: Player, song: Song) -> bool:  # noqa: ARG001
    """Four different locations used in this phase."""
    return len(song.used) >= 4  # noqa: PLR2004


def friend_and_foe(player: Player, song: Song) -> bool:  # noqa: ARG001
    """Challenged and helped in this phase."""
    return bool(song.challenged) and song.helped


def stage_and_story(player: Player, song: Song) -> bool:  # noqa: ARG001
    """Performed and told a legend in this phase."""
    return song.performed and song.told


def heavy_purse(player: Player, song: Song) -> bool:  # noqa: ARG001
    """Five or more coins held."""
    return player.coins >= 5  # noqa: PLR2004


def fan_club(player: Player, song: Song) -> bool:  # noqa: ARG001
    """Three or more advanced Fans owned."""
    return sum(ADVANCED.get(card) == "fan" for card in cards_of(player)) >= 3  # noqa: PLR2004


def deafening(player: Player, song: Song) -> bool:  # noqa: ARG001
    """Volume was at its maximum when the phase began."""
    return song.loud


def whisper(player: Player, song: Song) -> bool:
    """No volume, and three or more lyrics unspent."""
    return player.volume == 0 and song.lyrics >= 3  # noqa: PLR2004


MOTIFS: dict[str, Condition] = {
    "long-song": long_song,
    "wild-impro": wild_impro,
    "double-calm": double_calm,
    "old-and-new": old_and_new,
    "full-voice": full_voice,
    "busy-night": busy_night,
    "friend-and-foe": friend_and_foe,
    "stage-and-story": stage_and_story,
    "heavy-purse": heavy_purse,
    "fan-club": fan_club,
    "deafening": deafening,
    "whisper": whisper,
}
assert MOTIFS.keys() == GEMS.keys(), "a motif without condition, or a condition without motif"  # noqa: S101


def motifs(content: str) -> tuple[str, ...]:
    """The motif tokens of this content in alphabetical order."""
    boxes = open_boxes(content)
    return tuple(sorted(slug for slug in MOTIFS if CONTENT[slug] in boxes))

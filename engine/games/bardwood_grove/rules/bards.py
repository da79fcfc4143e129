"""The powers of the bards: one small function or one number for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.games.bardwood_grove.rules.cards import DECKS, Creature
from engine.games.bardwood_grove.rules.effects import NOTHING, Effect, parse

if TYPE_CHECKING:
    from engine.games.bardwood_grove.rules.state import Player, Song

MOST_VOLUME = 10


def _printed_cost(song: Song, cost: int) -> int:  # noqa: ARG001  # powers look at the song
    """The cost as printed."""
    return cost


def _all_stones(song: Song, distance: int, due: int) -> int:  # noqa: ARG001  # powers look at the song
    """Every stone that is due."""
    return due


def _no_benefit(creature: Creature) -> Effect:  # noqa: ARG001  # powers look at the creature
    """Nothing more for soothing a creature."""
    return NOTHING


def _never(player: Player) -> bool:  # noqa: ARG001  # powers look at the player
    """Melody stays melody."""
    return False


@dataclass(frozen=True)
class Power:
    """The differences between a bard and a plain one."""

    volume_limit: int = MOST_VOLUME
    free_steps: int = 0
    """Movement points of each Compose phase that only the bard can use."""
    boat_home: int = 0
    """The river space where the boat goes after telling a legend."""
    lower_cost: Callable[[Song, int], int] = _printed_cost
    shop_price: Callable[[Song, int], int] = _printed_cost
    challenge_cost: Callable[[Song, int], int] = _printed_cost
    stones: Callable[[Song, int, int], int] = _all_stones
    after_soothing: Callable[[Creature], Effect] = _no_benefit
    after_spending: Effect = NOTHING
    turns_melody: Callable[[Player], bool] = _never


def bardbarian(creature: Creature) -> Effect:
    """Each time you soothe a boss: two volume."""
    return parse("V2") if creature.boss else NOTHING


def wardrummer(song: Song, cost: int) -> int:
    """The first lower half of each Sing phase is free."""
    return cost if song.lowered else 0


def piper(player: Player) -> bool:
    """While volume is 0 in the Sing phase, any number of melody may become lyrics, one for one."""
    return player.volume == 0


def flautist(song: Song, distance: int, due: int) -> int:
    """Once per Sing phase an interaction at distance exactly 1 costs no range stone."""
    return 0 if distance == 1 and not song.reached else due


def lutenist(song: Song, price: int) -> int:
    """The first purchase of each Sing phase costs one coin less."""
    return price if song.bought else price - 1


def fiddler(song: Song, cost: int) -> int:  # noqa: ARG001  # every challenge
    """Challenges cost one melody less; one volume each time captured crests are spent."""
    return cost - 1


POWERS: dict[str, Power] = {
    "bardbarian": Power(after_soothing=bardbarian),
    "sword-dancer": Power(free_steps=1),
    "wardrummer": Power(volume_limit=12, lower_cost=wardrummer),
    "piper": Power(turns_melody=piper),
    "harper": Power(boat_home=1),
    "flautist": Power(stones=flautist),
    "lutenist": Power(shop_price=lutenist),
    "fiddler": Power(challenge_cost=fiddler, after_spending=parse("V1")),
}
PLAIN = Power()
assert POWERS.keys() == DECKS.keys(), "a bard without power, or a power without bard"  # noqa: S101

"""What things cost a seat right now, every discount of events and bards counted."""

from __future__ import annotations

from engine.game import Seat
from engine.games.bardwood_grove.rules import events
from engine.games.bardwood_grove.rules.bards import PLAIN, POWERS, Power
from engine.games.bardwood_grove.rules.board import (
    CHALLENGE_COST,
    DISTANCE,
    FIRST_LAIR,
    LEGEND_LEVEL,
    LEVELS,
    LOCATIONS,
    RIVER_END,
    STAGES,
)
from engine.games.bardwood_grove.rules.cards import CREATURES, SKILLS
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.rules.state import Bardwood, Player, Song

NO_SONG = Song()
STAGE_AT = {slug: at for at, slug in enumerate(STAGES)}
STAGE_LYRICS = tuple(LOCATIONS[slug].cost.lyrics for slug in STAGES)


def power(player: Player) -> Power:
    """The power of this seat's bard."""
    return POWERS.get(player.bard, PLAIN)


def song_of(state: Bardwood) -> Song:
    """The Sing phase under way, or one in which nothing was done yet."""
    return state.singing or NO_SONG


def soothe_cost(state: Bardwood, lair: int) -> int:
    """Melody for soothing the creature of this lair: its value less crests and discounts, never below 0."""
    creature = CREATURES[state.tops[FIRST_LAIR + lair]]
    cost = creature.value - len(state.crests[lair])
    rule = events.CREATURE.get(state.event)
    if rule:
        cost = rule(creature, cost)
    return max(cost, 0)


def stones_due(state: Bardwood, player: Player, distance: int) -> int:
    """Range stones for an interaction at this distance."""
    if not distance:
        return 0
    rule = events.STONES.get(state.event)
    due: int = rule(distance) if rule else distance
    return power(player).stones(song_of(state), distance, due) if due else 0


def uses_reach(state: Bardwood, player: Player, distance: int) -> bool:
    """Whether an interaction at this distance uses up a power that spares stones."""
    if not distance:
        return False
    rule = events.STONES.get(state.event)
    due = rule(distance) if rule else distance
    return bool(due) and power(player).stones(song_of(state), distance, due) < due


def shop_price(state: Bardwood, player: Player, shop: str) -> int:
    """Coins for the top card of this shop, at least 1."""
    price = LOCATIONS[shop].cost.coins
    rule = events.SHOP.get(state.event)
    if rule:
        price = rule(price)
    return max(power(player).shop_price(song_of(state), price), 1)


def performance_cost(state: Bardwood, seat: Seat, stage: str) -> int:
    """Lyrics for performing here: the printed number and one for each own rune, at least 1."""
    at = STAGE_AT[stage]
    cost = STAGE_LYRICS[at] + state.stages[at][seat]
    rule = events.PERFORMANCE.get(state.event)
    return max(rule(cost) if rule else cost, 1)


def legend_cost(state: Bardwood, level: int) -> int:
    """Lyrics for telling a legend of this level, at least 1."""
    cost = LEVELS[level].lyrics
    rule = events.LEGEND.get(state.event)
    return max(rule(cost) if rule else cost, 1)


def legend_gems(state: Bardwood, legend: str) -> int:
    """Gems for telling this legend."""
    gems = LEVELS[LEGEND_LEVEL[legend]].gems
    rule = events.LEGEND_GEMS.get(state.event)
    return rule(gems) if rule else gems


def challenge_cost(state: Bardwood, player: Player) -> int:
    """Melody for a challenge, at least 1."""
    cost = CHALLENGE_COST
    rule = events.CHALLENGE.get(state.event)
    if rule:
        cost = rule(cost)
    return max(power(player).challenge_cost(song_of(state), cost), 1)


def lower_cost(state: Bardwood, player: Player, skill: str) -> int:
    """Volume for the lower half of a Skill."""
    return power(player).lower_cost(song_of(state), SKILLS[skill].cost)


def boat_spaces(state: Bardwood, player: Player, points: int) -> tuple[int, ...]:
    """How many spaces the boat may go in Compose with at most so many points, the river's end considered."""
    rule = events.BOAT.get(state.event)
    room = RIVER_END - player.boat
    if rule is None:
        return tuple(range(min(points, room) + 1))
    return tuple(dict.fromkeys(min(spaces, room) for spaces in rule(points)))


def reach(player: Player, region: str, points: int) -> int:
    """Points left after the bard went to this region, or less than 0 if it is too far; free steps are used first."""
    return points - max(DISTANCE[player.region][region] - power(player).free_steps, 0)


def can_pay(player: Player, song: Song, cost: Effect) -> bool:
    """Whether a cost can be paid: melody and lyrics also by wild ones and acoustic stones, as far as they go."""
    spare = song.wild + player.acoustic - cost.acoustic
    short = max(cost.melody - song.melody, 0) + max(cost.lyrics - song.lyrics, 0)
    return (
        spare >= short
        and player.acoustic >= cost.acoustic
        and player.volume >= cost.volume
        and player.coins >= cost.coins
        and player.range >= cost.range
    )

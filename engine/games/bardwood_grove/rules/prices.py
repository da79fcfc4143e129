"""Costs for a seat in the current state, with every discount of events and bards."""

from __future__ import annotations

from engine.game import Seat
from engine.games.bardwood_grove.rules import board
from engine.games.bardwood_grove.rules.bards import PLAIN, POWERS, Power
from engine.games.bardwood_grove.rules.cards import CREATURES, SKILLS
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.rules.events import RULES
from engine.games.bardwood_grove.rules.state import Bardwood, Player, Song

NO_SONG = Song()
STAGE_AT = {slug: at for at, slug in enumerate(board.STAGES)}
STAGE_LYRICS = tuple(board.LOCATIONS[slug].cost.lyrics for slug in board.STAGES)


def power(player: Player) -> Power:
    """Return the power of this seat's bard."""
    return POWERS.get(player.bard, PLAIN)


def song_of(state: Bardwood) -> Song:
    """Return the current Sing phase, or a new one in which nothing has been done."""
    return state.singing or NO_SONG


def soothe_cost(state: Bardwood, lair: int) -> int:
    """Return the melody for soothing the creature of this lair: its value less crests and discounts, at least 0."""
    creature, rules = CREATURES[state.tops[board.FIRST_LAIR + lair]], RULES[state.event]
    discount = rules.boss if creature.boss else rules.small_creature
    return max(creature.value - len(state.crests[lair]) + discount, 0)


def stones_due(state: Bardwood, player: Player, distance: int) -> int:
    """Return the range stones for an interaction at this distance."""
    due = _stones_before_power(state, distance)
    return power(player).stones(song_of(state), distance, due) if due else 0


def uses_reach(state: Bardwood, player: Player, distance: int) -> bool:
    """Return True if an interaction at this distance uses up a power that saves stones."""
    return stones_due(state, player, distance) < _stones_before_power(state, distance)


def _stones_before_power(state: Bardwood, distance: int) -> int:
    return distance + RULES[state.event].stones if distance else 0


def shop_price(state: Bardwood, player: Player, shop: str) -> int:
    """Return the coins for the top card of this shop, at least 1."""
    price = board.LOCATIONS[shop].cost.coins + RULES[state.event].shop
    return max(power(player).shop_price(song_of(state), price), 1)


def performance_cost(state: Bardwood, seat: Seat, stage: str) -> int:
    """Return the lyrics for performing here: the printed number plus one for each own rune, at least 1."""
    at = STAGE_AT[stage]
    return max(STAGE_LYRICS[at] + state.stages[at][seat] + RULES[state.event].performance, 1)


def legend_cost(state: Bardwood, level: int) -> int:
    """Return the lyrics for telling a legend of this level, at least 1."""
    return max(board.LEVELS[level].lyrics + RULES[state.event].legend, 1)


def legend_gems(state: Bardwood, legend: str) -> int:
    """Return the gems for telling this legend."""
    return board.LEVELS[board.LEGEND_LEVEL[legend]].gems + RULES[state.event].legend_gems


def challenge_cost(state: Bardwood, player: Player) -> int:
    """Return the melody for a challenge, at least 1."""
    cost = board.CHALLENGE_COST + RULES[state.event].challenge
    return max(power(player).challenge_cost(song_of(state), cost), 1)


def lower_cost(state: Bardwood, player: Player, skill: str) -> int:
    """Return the volume for the lower half of a Skill."""
    return power(player).lower_cost(song_of(state), SKILLS[skill].cost)


def boat_spaces(state: Bardwood, player: Player, points: int) -> tuple[int, ...]:
    """Return how many spaces the boat may move in Compose with at most these points, up to the river's end."""
    rules, room = RULES[state.event], board.RIVER_END - player.boat
    spaces = (spent // rules.boat_points + (rules.boat_bonus if spent else 0) for spent in range(points + 1))
    return tuple(dict.fromkeys(min(number, room) for number in spaces))


def reach(player: Player, region: str, points: int) -> int:
    """Return the points left after moving the bard to this region, below 0 if it is too far. Free steps come first."""
    return points - max(board.DISTANCE[player.region][region] - power(player).free_steps, 0)


def can_pay(player: Player, song: Song, cost: Effect) -> bool:
    """Return True if a cost can be paid. Wild sound and acoustic stones can replace melody and lyrics."""
    spare = song.wild + player.acoustic - cost.acoustic
    short = max(cost.melody - song.melody, 0) + max(cost.lyrics - song.lyrics, 0)
    return (
        spare >= short
        and player.acoustic >= cost.acoustic
        and player.volume >= cost.volume
        and player.coins >= cost.coins
        and player.range >= cost.range
    )

"""The value of a line for the bot steady, in points, and the melody and lyrics it uses up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.game import Action, Seat
from engine.games.bardwood_grove.rules import board, prices
from engine.games.bardwood_grove.rules import creature_actions as creatures
from engine.games.bardwood_grove.rules import song_actions as song
from engine.games.bardwood_grove.rules.cards import CREATURES, POINTS, SKILLS
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.rules.events import OFFERS
from engine.games.bardwood_grove.rules.motifs import GEMS
from engine.games.bardwood_grove.rules.score import blue_points, holding
from engine.games.bardwood_grove.rules.state import Bardwood

GEM = 1.3
COIN = 0.4
ACOUSTIC = 0.45
STONE = 0.12
VOLUME = 0.12
BOAT_SPACE = 0.15
FAN_CARD = 1.2
TEMPO = 0.3
SUNG = 0.22
"""Value of one melody or lyrics during the song."""
CARD_USE = 0.35
"""Value of a bought card in later songs, in addition to its point."""
OWN_CREST = 0.9
CAPTURED = 0.6
TOLD = 0.6
RETURNING = 0.35
"""Value of a creature that comes back through the deck."""
LAST_RUNE = 0.15
SMALL = 0.05
HORIZON = 8
"""With at least this many gems left for each seat, the future counts in full."""


class Worth(NamedTuple):
    """Points of a line, and the melody and lyrics it uses up."""

    points: float
    sung: int = 0


def future(state: Bardwood) -> float:
    """Return the weight of gains that pay only in later turns: 1 at first, 0 at the end."""
    return min(sum(state.pools) / (HORIZON * state.seats), 1.0)


def effect_value(effect: Effect, later: float) -> float:
    """Return the value of an effect. Gains that pay later count less near the end."""
    lasting = (
        effect.coins * COIN
        + effect.acoustic * ACOUSTIC
        + effect.range * STONE
        + effect.volume * VOLUME
        + effect.movement * BOAT_SPACE
        + effect.tempo * TEMPO
    )
    sung = (effect.melody + effect.lyrics + effect.wild) * SUNG
    return effect.gems * GEM + effect.fans * FAN_CARD + sung + lasting * later


def _cost_value(cost: Effect, later: float) -> Worth:
    lasting = cost.coins * COIN + cost.acoustic * ACOUSTIC + cost.volume * VOLUME + cost.range * STONE
    return Worth(-lasting * later, cost.melody + cost.lyrics)


def _exchange(cost: Effect, gain: Effect, later: float) -> Worth:
    points, sung = _cost_value(cost, later)
    return Worth(points + effect_value(gain, later), sung)


Valuing = Callable[[Bardwood, Seat, Any], Worth]
"""A function for one kind of action: the type of its last parameter."""


def _swell(_state: Bardwood, _seat: Seat, _action: song.Swell) -> Worth:
    return Worth(SMALL)


def _lower(state: Bardwood, seat: Seat, action: song.Lower) -> Worth:
    cost = prices.lower_cost(state, state.players[seat], action.skill)
    return _exchange(Effect(volume=cost), SKILLS[action.skill].lower, future(state))


def _turn(state: Bardwood, _seat: Seat, action: song.Turn) -> Worth:
    short = prices.song_of(state).melody - prices.song_of(state).lyrics
    return Worth(SMALL if action.melody * 2 <= short and action.melody > 1 else -1.0)


def _help(state: Bardwood, seat: Seat, action: creatures.Help) -> Worth:
    gone = board.CRESTS - state.players[seat].crests
    shared = effect_value(CREATURES[action.creature].benefits, future(state))
    return Worth(board.CREST_POINTS[gone] * OWN_CREST + SMALL * shared, 1)


def _soothe(state: Bardwood, seat: Seat, action: creatures.Soothe) -> Worth:
    creature, lair = CREATURES[action.creature], creatures.lair_of(state, action.creature)
    later = future(state)
    others = sum(each != seat for each in state.crests[lair])
    gain = effect_value(creature.benefits, later)
    points = creature.points + gain + others * (CAPTURED - gain / 2) + RETURNING * later
    return Worth(points, prices.soothe_cost(state, lair))


def _lull(_state: Bardwood, _seat: Seat, _action: creatures.Lull) -> Worth:
    return Worth(GEM, board.LULL_COST)


def _buy(state: Bardwood, seat: Seat, action: song.Buy) -> Worth:
    shop = song.SHOP_OF[state.tops.index(action.card)]
    price = prices.shop_price(state, state.players[seat], shop)
    later = future(state)
    return Worth(POINTS[action.card] + CARD_USE * later - price * COIN * later * 0.8)


def _bank(state: Bardwood, _seat: Seat, action: song.Banking) -> Worth:
    coins = sum(int(each[1]) for each in action.amounts)
    spare = prices.song_of(state)
    left = spare.melody + spare.lyrics + spare.wild
    return Worth(coins * (SMALL + COIN * future(state)) if coins <= left else -1.0, coins)


def _perform(state: Bardwood, seat: Seat, action: song.Perform) -> Worth:
    gain = effect_value(board.LOCATIONS[action.stage].gain, future(state))
    return Worth(gain + rune_value(state, seat, action.quarter), prices.performance_cost(state, seat, action.stage))


def rune_value(state: Bardwood, seat: Seat, quarter: str | None) -> float:
    """Return the value of taking a rune from this quarter: the last one opens its bonus."""
    is_last = quarter is not None and state.players[seat].runes[board.QUARTER_AT[quarter]] == 1
    return LAST_RUNE if is_last else 0.0


def _tell(state: Bardwood, seat: Seat, action: song.Tell) -> Worth:
    level = board.LEGEND_LEVEL[action.legend]
    blue = blue_points(holding(state, seat), action.legend)
    gain = prices.legend_gems(state, action.legend) * GEM + blue + TOLD
    boat = (state.players[seat].boat - prices.power(state.players[seat]).boat_home) * BOAT_SPACE * future(state)
    return Worth(gain - boat + rune_value(state, seat, action.quarter), prices.legend_cost(state, level))


def _trade(state: Bardwood, _seat: Seat, action: song.Trade) -> Worth:
    location = board.LOCATIONS[action.location]
    cost, gain = (location.cost, location.gain) if action.stall is None else board.STALLS[action.stall - 1]
    return _exchange(cost, gain, future(state))


def _challenge(state: Bardwood, seat: Seat, action: creatures.Challenge) -> Worth:
    other = state.players[action.seat]
    given = board.CREST_POINTS[board.CRESTS - other.crests] / max(state.seats - 1, 1)
    return Worth(CAPTURED - given * (not state.solo), prices.challenge_cost(state, state.players[seat]))


def _spend(state: Bardwood, _seat: Seat, action: song.Spend) -> Worth:
    crests, gain = board.SPENDINGS[action.benefit]
    return Worth(effect_value(gain, future(state)) - crests * CAPTURED * 0.9)


def _brag(state: Bardwood, seat: Seat, action: song.Brag) -> Worth:
    cards = state.players[seat].brag[action.space - 1]
    return Worth(len(cards) * (VOLUME + RETURNING) * future(state))


def _motif(_state: Bardwood, _seat: Seat, action: song.TakeMotif) -> Worth:
    return Worth(GEMS[action.motif] * GEM)


def _offer(state: Bardwood, _seat: Seat, action: song.TakeOffer) -> Worth:
    return _exchange(*OFFERS[action.event], future(state))


def _done(_state: Bardwood, _seat: Seat, _action: song.Done) -> Worth:
    return Worth(0.0)


VALUES: dict[type[Action[Bardwood]], Valuing] = {
    song.Swell: _swell,
    song.Lower: _lower,
    song.Turn: _turn,
    creatures.Help: _help,
    creatures.Soothe: _soothe,
    creatures.Lull: _lull,
    song.Buy: _buy,
    song.Banking: _bank,
    song.Perform: _perform,
    song.Tell: _tell,
    song.Trade: _trade,
    creatures.Challenge: _challenge,
    song.Spend: _spend,
    song.Brag: _brag,
    song.TakeMotif: _motif,
    song.TakeOffer: _offer,
    song.Done: _done,
}


def line_worth(state: Bardwood, seat: Seat, action: Action[Bardwood]) -> Worth:
    """Return the value of a line of the Sing phase."""
    worth = VALUES[type(action)](state, seat, action)
    if isinstance(action, creatures.Help | creatures.Soothe):
        return _with_stones(state, seat, action.creature, worth)
    return worth


def _with_stones(state: Bardwood, seat: Seat, creature: str, worth: Worth) -> Worth:
    player, lair = state.players[seat], creatures.lair_of(state, creature)
    stones = prices.stones_due(state, player, board.LAIR_DISTANCE[player.region][lair])
    return Worth(worth.points - stones * STONE, worth.sung)

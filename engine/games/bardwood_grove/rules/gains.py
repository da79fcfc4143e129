"""Gaining and paying: how benefits and costs change the state."""

from __future__ import annotations

from enum import Enum
from typing import Any

from engine.game import Seat
from engine.games.bardwood_grove.rules.board import PILE_AT, RIVER_END
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.rules.events import RULES
from engine.games.bardwood_grove.rules.pile_tops import TURNS
from engine.games.bardwood_grove.rules.prices import power
from engine.games.bardwood_grove.rules.state import RIVAL, Bardwood, Player, Song
from engine.tuples import put

QUARTERS_OF_A_TURN = 4


class When(Enum):
    """The moment of a gain. Tempo fetches the song marker only in one's own Compose and Rest."""

    COMPOSE = "compose"
    SING = "sing"
    REST = "rest"
    OTHERS_TURN = "other"


FETCHING = (When.COMPOSE, When.REST)


def turn_dial(player: Player, tempo: int, when: When) -> dict[str, Any]:
    """Return the changes when the dial turns. Passing the shelf clockwise in Compose or Rest fetches the marker."""
    fetched = player.dial + tempo >= QUARTERS_OF_A_TURN and when in FETCHING
    return {"dial": (player.dial + tempo) % QUARTERS_OF_A_TURN, "marker": player.marker or fetched}


def drift(state: Bardwood, player: Player, movement: int) -> int:
    """Return where the boat is after movement outside Compose."""
    return min(player.boat + movement // RULES[state.event].boat_points, RIVER_END)


def gain(state: Bardwood, seat: Seat, effect: Effect, when: When) -> Bardwood:
    """Give a seat a benefit. Movement outside Compose goes to the boat; gems come last."""
    player = state.players[seat]
    changes: dict[str, Any] = {}
    if effect.volume:
        changes["volume"] = min(player.volume + effect.volume, power(player).volume_limit)
    if effect.coins:
        changes["coins"] = player.coins + effect.coins
    if effect.acoustic:
        changes["acoustic"] = player.acoustic + effect.acoustic
    if effect.range:
        changes["range"] = player.range + effect.range
    if effect.tempo:
        changes |= turn_dial(player, effect.tempo, when)
    if effect.movement and when is not When.COMPOSE:
        changes["boat"] = drift(state, player, effect.movement)
    if changes:
        state = state.with_player(seat, player.but(**changes))
    song = state.singing
    if song is not None and when is When.SING and (effect.melody or effect.lyrics or effect.wild):
        song = song.but(
            melody=song.melody + effect.melody, lyrics=song.lyrics + effect.lyrics, wild=song.wild + effect.wild
        )
        state = state.but(singing=song)
    if effect.fans:
        state = take_top(state, seat, "fans")
    return gain_gems(state, seat, effect.gems) if effect.gems else state


def gain_gems(state: Bardwood, seat: Seat, gems: int) -> Bardwood:
    """Give a seat gems: from pool I while it lasts, then from pool II, then from outside."""
    one, two = state.pools
    from_one = min(gems, one)
    from_two = min(gems - from_one, two)
    player = state.players[seat]
    return state.with_player(
        seat,
        player.but(gems=player.gems + gems),
        pools=(one - from_one, two - from_two),
        outside=state.outside + gems - from_one - from_two,
    )


def gain_from_creature(state: Bardwood, seat: Seat, effect: Effect, when: When) -> Bardwood:
    """Give a seat the benefits of a creature. The rival gains only the gems."""
    if state.players[seat].bard == RIVAL:
        return gain_gems(state, seat, effect.gems) if effect.gems else state
    return gain(state, seat, effect, when)


def take_top(state: Bardwood, seat: Seat, pile: str) -> Bardwood:
    """Move the top card of a pile, if there is one, to a seat's discard pile."""
    at = PILE_AT[pile]
    card = state.tops[at]
    if not card:
        return state
    player = state.players[seat]
    state = state.with_player(seat, player.but(discard=tuple(sorted((*player.discard, card)))))
    return uncover(state, pile)


def uncover(state: Bardwood, pile: str) -> Bardwood:
    """Remove the top card of a pile. Chance names the next one before anything else happens."""
    at = PILE_AT[pile]
    left = state.left[at] - 1
    agenda = (TURNS[pile], *state.agenda) if left else state.agenda
    return state.but(
        tops=put(state.tops, at, ""),
        left=put(state.left, at, left),
        agenda=agenda,
    )


def pay_sound(song: Song, acoustic: int, kind: str, cost: int) -> tuple[Song, int]:
    """Pay `melody` or `lyrics`, then wild sound, then acoustic stones. Return the song and the stones left."""
    unspent: int = getattr(song, kind)
    own = min(cost, unspent)
    wild = min(cost - own, song.wild)
    return song.but(**{kind: unspent - own}, wild=song.wild - wild), acoustic - (cost - own - wild)


def pay(player: Player, song: Song, cost: Effect) -> tuple[Player, Song]:
    """Pay a cost that can be paid. Acoustic stones that it names are paid first."""
    acoustic = player.acoustic - cost.acoustic
    for kind, amount in (("melody", cost.melody), ("lyrics", cost.lyrics)):
        if amount:
            song, acoustic = pay_sound(song, acoustic, kind, amount)
    return (
        player.but(
            acoustic=acoustic,
            volume=player.volume - cost.volume,
            coins=player.coins - cost.coins,
            range=player.range - cost.range,
        ),
        song,
    )


def brag_place(player: Player, creature: str) -> Player:
    """Put a creature on the first empty brag space. If there is none, it waits as `arriving`."""
    for space, cards in enumerate(player.brag):
        if not cards:
            return player.but(brag=put(player.brag, space, (creature,)))
    return player.but(arriving=creature)

"""Creatures and crests: the actions help, soothe, lull and challenge."""

from __future__ import annotations

from engine.game import Action, Seat
from engine.games.bardwood_grove.rules import board, prices
from engine.games.bardwood_grove.rules.cards import CREATURES
from engine.games.bardwood_grove.rules.effects import Effect
from engine.games.bardwood_grove.rules.gains import (
    When,
    brag_place,
    gain,
    gain_from_creature,
    gain_gems,
    pay_sound,
    uncover,
)
from engine.games.bardwood_grove.rules.state import Bardwood
from engine.notation import SEAT, word
from engine.tuples import put


def lair_of(state: Bardwood, creature: str) -> int:
    """Return the lair with this creature on top."""
    return state.tops.index(creature, board.FIRST_LAIR) - board.FIRST_LAIR


def spend_melody(state: Bardwood, seat: Seat, cost: int, distance: int) -> Bardwood:
    """Pay melody, and the range stones for a distance."""
    player = state.players[seat]
    stones, reached = prices.stones_due(state, player, distance), prices.uses_reach(state, player, distance)
    song, acoustic = pay_sound(prices.song_of(state), player.acoustic, "melody", cost)
    if reached:
        song = song.but(reached=True)
    return state.with_player(seat, player.but(acoustic=acoustic, range=player.range - stones), singing=song)


def use_location(state: Bardwood, location: str, **changes: object) -> Bardwood:
    """Mark a location as used in this phase, with other changes of the song."""
    song = prices.song_of(state)
    return state.but(singing=song.but(used=(*song.used, location), **changes))


def put_crest(state: Bardwood, seat: Seat, lair: int) -> Bardwood:
    """Put a seat's leftmost crest on the creature of a lair."""
    player = state.players[seat]
    crests = put(state.crests, lair, (*state.crests[lair], seat))
    return state.with_player(seat, player.but(crests=player.crests - 1), crests=crests)


def collect_crests(state: Bardwood, seat: Seat, lair: int) -> Bardwood:
    """Take all crests of a lair: a seat's own crests leave the game, it captures the others."""
    taken = state.crests[lair]
    own = taken.count(seat)
    foreign = len(taken) - own
    player = state.players[seat]
    player = player.but(captured=player.captured + foreign, captured_ever=player.captured_ever + foreign)
    crests = put(state.crests, lair, ())
    return state.with_player(seat, player, crests=crests, gone=state.gone + own)


def serve_helpers(state: Bardwood, seat: Seat, lair: int, benefits: Effect) -> Bardwood:
    """Give the same benefits to every other seat with a crest there, clockwise."""
    for step in range(1, state.seats):
        other = (seat + step) % state.seats
        if other in state.crests[lair]:
            state = gain_from_creature(state, other, benefits, When.OTHERS_TURN)
    return state


def capture(state: Bardwood, seat: Seat, other: Seat) -> Bardwood:
    """Capture the leftmost crest of another seat's track."""
    loser, player = state.players[other], state.players[seat]
    state = state.with_player(other, loser.but(crests=loser.crests - 1))
    return state.with_player(seat, player.but(captured=player.captured + 1, captured_ever=player.captured_ever + 1))


class Help(Action[Bardwood]):
    """An own crest goes onto the top creature of a lair."""

    verb = "help"
    creature: str = word(CREATURES)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        lair = lair_of(state, self.creature)
        state = spend_melody(state, seat, board.HELP_COST, board.LAIR_DISTANCE[state.players[seat].region][lair])
        return put_crest(use_location(state, board.LAIRS[lair], helped=True), seat, lair)


class Soothe(Action[Bardwood]):
    """The top creature of a lair is soothed: benefits, helpers, crests, then the brag area."""

    verb = "soothe"
    creature: str = word(CREATURES)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        lair, creature = lair_of(state, self.creature), CREATURES[self.creature]
        state = spend_melody(
            state, seat, prices.soothe_cost(state, lair), board.LAIR_DISTANCE[state.players[seat].region][lair]
        )
        state = use_location(state, board.LAIRS[lair], soothed=prices.song_of(state).soothed + 1)
        state = gain(state, seat, creature.benefits, When.SING)
        state = collect_crests(serve_helpers(state, seat, lair, creature.benefits), seat, lair)
        player = brag_place(state.players[seat], self.creature)
        bonus = prices.power(player).after_soothing(creature)
        return uncover(gain(state.with_player(seat, player), seat, bonus, When.SING), board.LAIRS[lair])


class Lull(Action[Bardwood]):
    """An empty lair gives a gem for melody."""

    verb = "lull"
    lair: str = word(frozenset(board.LAIRS))

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        state = spend_melody(state, seat, board.LULL_COST, 0)
        return gain_gems(use_location(state, self.lair), seat, 1)


class Challenge(Action[Bardwood]):
    """The leftmost crest of another seat's track is captured."""

    verb = "challenge"
    seat: int = word(SEAT)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        player = state.players[seat]
        distance = board.DISTANCE[player.region][state.players[self.seat].region]
        state = spend_melody(state, seat, prices.challenge_cost(state, player), distance)
        song = prices.song_of(state)
        state = state.but(singing=song.but(challenged=(*song.challenged, self.seat)))
        return capture(state, seat, self.seat)


HELPS = {slug: Help(slug) for slug in CREATURES}
SOOTHES = {slug: Soothe(slug) for slug in CREATURES}
LULLS = {lair: Lull(lair) for lair in board.LAIRS}
CHALLENGES = tuple(map(Challenge, range(4)))

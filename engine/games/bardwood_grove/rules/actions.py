"""Actions outside the song: choosing a bard, composing, moving, Fans, brag spaces, and the rival's idle line."""

from __future__ import annotations

from engine.game import Action, Seat
from engine.games.bardwood_grove.rules.board import QUARTERS, REGIONS, RIVER_END
from engine.games.bardwood_grove.rules.cards import DECKS, FANS, SKILLS
from engine.games.bardwood_grove.rules.decks import add_card, assign_bard
from engine.games.bardwood_grove.rules.effects import NOTHING, Effect
from engine.games.bardwood_grove.rules.events import RULES
from engine.games.bardwood_grove.rules.gains import When, gain
from engine.games.bardwood_grove.rules.song import begin_song
from engine.games.bardwood_grove.rules.state import Bardwood, Player
from engine.notation import Number, word
from engine.tuples import put


class ChooseBard(Action[Bardwood]):
    """A seat takes a bard with its starting deck."""

    verb = "bard"
    bard: str = word(DECKS)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        return assign_bard(state, seat, self.bard)


class Compose(Action[Bardwood]):
    """One Skill goes into the song; the other pays volume, tempo, the quarter's movement and its open bonus."""

    verb = "compose"
    song: str = word(SKILLS)
    discard: str = word(SKILLS)

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        player = state.players[seat]
        state = state.with_player(
            seat,
            player.but(hand=(), song=add_card(player.song, self.song), discard=add_card(player.discard, self.discard)),
        )
        state = gain(state, seat, SKILLS[self.discard].strip, When.COMPOSE)
        return gain(state, seat, dial_bonus(state.players[seat]), When.COMPOSE)

    def movement(self, state: Bardwood, seat: Seat) -> int:
        """Return the movement points of the Compose phase, once the strip has turned the dial."""
        player = state.players[seat]
        printed = QUARTERS[player.dial].movement + SKILLS[self.discard].strip.movement
        return printed + dial_bonus(player).movement + RULES[state.event].movement


def dial_bonus(player: Player) -> Effect:
    """Return the bonus of the dial's current quarter, which is open once both runes are gone."""
    return NOTHING if player.runes[player.dial] else QUARTERS[player.dial].bonus


class Move(Action[Bardwood]):
    """The bard goes to a region and the boat some spaces; then the song begins if it is due."""

    verb = "move"
    region: str = word(frozenset(REGIONS))
    boat: int = word(Number(0, RIVER_END))

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        player = state.players[seat]
        stayed = player.region == self.region
        origins = put(state.origins, seat, player.region)
        player = player.but(region=self.region, boat=player.boat + self.boat)
        state = state.with_player(seat, player, origins=origins)
        if stayed:
            state = gain(state, seat, RULES[state.event].stayed, When.COMPOSE)
        return begin_song(state, seat) if player.marker else state


class Fan(Action[Bardwood]):
    """One side of the Fan just met is gained."""

    verb = "fan"
    fan: str = word(FANS)
    side: int = word(Number(1, 2))

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        return gain(state, seat, FANS[self.fan].sides[self.side - 1], When.REST)


class Stack(Action[Bardwood]):
    """The creature that arrives goes to one of two filled brag spaces."""

    verb = "stack"
    space: int = word(Number(1, 2))

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        player = state.players[seat]
        at = self.space - 1
        brag = put(player.brag, at, (*player.brag[at], player.arriving))
        return state.with_player(seat, player.but(brag=brag, arriving=""))


class Idle(Action[Bardwood]):
    """The rival's card only moves its pawn."""

    verb = "idle"

    def do(self, state: Bardwood, seat: Seat) -> Bardwood:
        return state

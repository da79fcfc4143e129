"""The steps of seats: bards, Compose, movement, Sing, Fans, brag spaces, the rival's line, and the end of a turn."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from engine.game import ONLY, Action, Seat, Step
from engine.games.bardwood_grove.rules.actions import ChooseBard, Compose, Fan, Idle, Move, Stack
from engine.games.bardwood_grove.rules.board import LAIRS, LOCATIONS, REGIONS, RIVER_END
from engine.games.bardwood_grove.rules.cards import CREATURES, DECKS, FANS, SKILLS, bards
from engine.games.bardwood_grove.rules.creature_actions import (
    Challenge,
    Help,
    Lull,
    Soothe,
    capture,
    collect_crests,
    lair_of,
    put_crest,
    serve_helpers,
)
from engine.games.bardwood_grove.rules.decks import add_card, assign_bard
from engine.games.bardwood_grove.rules.gains import When, gain_from_creature, gain_gems, take_top, uncover
from engine.games.bardwood_grove.rules.prices import boat_spaces, reach
from engine.games.bardwood_grove.rules.rival_cards import (
    NEXT_LEVEL,
    PERSON,
    after_line,
    cards_this_turn,
    move_pawn,
    only_line,
)
from engine.games.bardwood_grove.rules.song import song_lines
from engine.games.bardwood_grove.rules.song_actions import SHOP_OF, Buy, Perform, Tell, place_legend_rune
from engine.games.bardwood_grove.rules.state import LAST_ROUND, RIVAL_SEAT, Bardwood, Rival
from engine.games.bardwood_grove.rules.steps_chance import DrawHand, RivalCard

MOST_SEATS = 4
COMPOSES = {(one, two): Compose(one, two) for one in SKILLS for two in SKILLS if one != two}
MOVES = {(region, boat): Move(region, boat) for region in REGIONS for boat in range(RIVER_END + 1)}
SIDES = {fan: (Fan(fan, 1), Fan(fan, 2)) for fan in FANS}
STACKINGS = (Stack(1), Stack(2))
BARDS = {bard: ChooseBard(bard) for bard in DECKS}


@dataclass(frozen=True)
class ChooseBards(Step[Bardwood]):
    """The seat that plays last chooses its bard first, then backwards; a last single bard is taken without a line."""

    def waiting(self, state: Bardwood) -> list[Seat]:
        """The people without a bard, in the order in which they choose."""
        order = [(state.starter - step) % state.seats for step in range(1, state.seats + 1)]
        return [seat for seat in order if seat in state.people and not state.players[seat].bard]

    def actors(self, state: Bardwood) -> frozenset[Seat]:
        return ONLY[self.waiting(state)[0]]

    def free(self, state: Bardwood) -> list[str]:
        """The unlocked bards that nobody has, in alphabetical order."""
        taken = {player.bard for player in state.players}
        return [bard for bard in bards(state.content) if bard not in taken]

    def options(self, state: Bardwood, seat: Seat) -> Collection[Action[Bardwood]]:
        return [BARDS[bard] for bard in self.free(state)]

    def take(self, state: Bardwood, seat: Seat, action: Action[Bardwood]) -> Bardwood:
        state = action.do(state, seat)
        waiting, free = self.waiting(state), self.free(state)
        if len(free) == len(waiting) == 1:
            state, waiting = assign_bard(state, waiting[0], free[0]), []
        return state if waiting else state.but(agenda=state.agenda[1:])


@dataclass(frozen=True)
class ComposePhase(Step[Bardwood]):
    """A turn begins: one of two Skills goes into the song, the other is discarded."""

    seat: Seat

    def actors(self, state: Bardwood) -> frozenset[Seat]:
        return ONLY[self.seat]

    def options(self, state: Bardwood, seat: Seat) -> Collection[Action[Bardwood]]:
        one, two = state.players[seat].hand
        return [COMPOSES[one, two], COMPOSES[two, one]]

    def take(self, state: Bardwood, seat: Seat, action: Action[Bardwood]) -> Bardwood:
        return action.do(state, seat)


@dataclass(frozen=True)
class MoveBard(Step[Bardwood]):
    """The seat spends its movement points on bard and boat."""

    seat: Seat
    points: int

    def actors(self, state: Bardwood) -> frozenset[Seat]:
        return ONLY[self.seat]

    def options(self, state: Bardwood, seat: Seat) -> Collection[Action[Bardwood]]:
        player, points = state.players[seat], self.points
        spaces = [boat_spaces(state, player, left) for left in range(points + 1)]
        found: list[Action[Bardwood]] = []
        for region in REGIONS:
            left = reach(player, region, points)
            if left >= 0:
                found += [MOVES[region, boat] for boat in spaces[left]]
        return found

    def take(self, state: Bardwood, seat: Seat, action: Action[Bardwood]) -> Bardwood:
        return action.do(state, seat)


@dataclass(frozen=True)
class Sing(Step[Bardwood]):
    """The seat sings, line by line, until it is done."""

    seat: Seat

    def actors(self, state: Bardwood) -> frozenset[Seat]:
        return ONLY[self.seat]

    def options(self, state: Bardwood, seat: Seat) -> Collection[Action[Bardwood]]:
        return song_lines(state, seat)

    def take(self, state: Bardwood, seat: Seat, action: Action[Bardwood]) -> Bardwood:
        return action.do(state, seat)


@dataclass(frozen=True)
class ChooseSide(Step[Bardwood]):
    """The seat gains one side of the Fan it met."""

    seat: Seat
    fan: str

    def actors(self, state: Bardwood) -> frozenset[Seat]:
        return ONLY[self.seat]

    def options(self, state: Bardwood, seat: Seat) -> Collection[Action[Bardwood]]:
        return SIDES[self.fan]


@dataclass(frozen=True)
class StackCreature(Step[Bardwood]):
    """Both brag spaces hold cards: the seat says on which one the creature is laid."""

    seat: Seat

    def actors(self, state: Bardwood) -> frozenset[Seat]:
        return ONLY[self.seat]

    def options(self, state: Bardwood, seat: Seat) -> Collection[Action[Bardwood]]:
        return STACKINGS


@dataclass(frozen=True)
class EndTurn(Step[Bardwood]):
    """The turn passes clockwise; the match ends with the round in which the last gem left the board, or round 40."""

    seat: Seat

    def run(self, state: Bardwood) -> Bardwood:
        after = (self.seat + 1) % state.seats
        number = state.round
        if after == state.starter:
            if state.ending or number >= LAST_ROUND:
                return state.but(agenda=(), cause="last-gem" if state.ending else "round-40")
            number += 1
        return state.but(
            agenda=turn_steps(state, after), turn=after, round=number, rival=count_rival_turn(state, after)
        )


@dataclass(frozen=True)
class FirstTurn(Step[Bardwood]):
    """The setup is over: the first seat begins."""

    def run(self, state: Bardwood) -> Bardwood:
        return state.but(agenda=turn_steps(state, state.starter))


def count_rival_turn(state: Bardwood, seat: Seat) -> Rival | None:
    """The rival with one turn more if it is its turn now; nobody where people play alone."""
    rival = state.rival
    return rival.but(turns=rival.turns + 1) if rival is not None and seat == RIVAL_SEAT else rival


def turn_steps(state: Bardwood, seat: Seat) -> tuple[Step[Bardwood], ...]:
    """The steps of a seat's turn; the rival resolves one card or two."""
    if state.rival is None or seat != RIVAL_SEAT:
        return (COMPOSE_PHASES[seat],)
    cards = cards_this_turn(state.level, state.rival.turns + 1)
    return (*(RivalCard(), RivalLine()) * cards, ENDS[seat])


@dataclass(frozen=True)
class RivalLine(Step[Bardwood]):
    """The rival makes the only line that its card brings, and its pawn goes where the card says."""

    def actors(self, state: Bardwood) -> frozenset[Seat]:
        return ONLY[RIVAL_SEAT]

    def options(self, state: Bardwood, seat: Seat) -> Collection[Action[Bardwood]]:
        verb, *rest = only_line(state)
        return (RIVAL_LINES[verb](*rest),)

    def take(self, state: Bardwood, seat: Seat, action: Action[Bardwood]) -> Bardwood:
        state = move_pawn(state.but(agenda=state.agenda[1:]))
        return after_line(RIVAL_DEEDS[type(action)](state, action))


def rival_soothes(state: Bardwood, action: Any) -> Bardwood:  # noqa: ANN401  # each deed knows its action
    """The rival takes a creature and gains its gems; a person with a crest there gains all benefits."""
    lair, creature = lair_of(state, action.creature), CREATURES[action.creature]
    state = gain_from_creature(state, RIVAL_SEAT, creature.benefits, When.OTHERS_TURN)
    state = serve_helpers(state, RIVAL_SEAT, lair, creature.benefits)
    state = collect_crests(state, RIVAL_SEAT, lair)
    player = state.players[RIVAL_SEAT]
    state = state.with_player(RIVAL_SEAT, player.but(discard=add_card(player.discard, action.creature)))
    return uncover(state, LAIRS[lair])


def rival_helps(state: Bardwood, action: Any) -> Bardwood:  # noqa: ANN401
    """The rival puts a crest on a creature."""
    return put_crest(state, RIVAL_SEAT, lair_of(state, action.creature))


def rival_lulls(state: Bardwood, action: Any) -> Bardwood:  # noqa: ANN401, ARG001
    """The rival gains a gem at an empty lair."""
    return gain_gems(state, RIVAL_SEAT, 1)


def rival_performs(state: Bardwood, action: Any) -> Bardwood:  # noqa: ANN401
    """The rival gains a gem; at the Open Stage it takes the top Fan too."""
    state = take_top(state, RIVAL_SEAT, "fans") if LOCATIONS[action.stage].gain.fans else state
    return gain_gems(state, RIVAL_SEAT, 1)


def rival_tells(state: Bardwood, action: Any) -> Bardwood:  # noqa: ANN401
    """The rival gains a gem, and puts a rune on the legend if it has none there."""
    rival = state.rival
    assert rival is not None  # noqa: S101  # asked in solo matches only
    if action.legend not in state.players[RIVAL_SEAT].told:
        state = place_legend_rune(state, RIVAL_SEAT, action.legend)
    return gain_gems(state.but(rival=rival.but(level=NEXT_LEVEL[rival.level])), RIVAL_SEAT, 1)


def rival_buys(state: Bardwood, action: Any) -> Bardwood:  # noqa: ANN401
    """The rival takes a Skill and an Impro; the next Skill is turned up first."""
    for card in (action.second, action.card):
        if card:
            state = take_top(state, RIVAL_SEAT, LOCATIONS[SHOP_OF[state.tops.index(card)]].pile)
    return state


def rival_challenges(state: Bardwood, action: Any) -> Bardwood:  # noqa: ANN401, ARG001
    """The rival takes the person's leftmost crest and gains a gem."""
    return gain_gems(capture(state, RIVAL_SEAT, PERSON), RIVAL_SEAT, 1)


def rival_idles(state: Bardwood, action: Any) -> Bardwood:  # noqa: ANN401, ARG001
    """Nothing but the pawn's way."""
    return state


RIVAL_LINES: dict[str, Callable[..., Action[Bardwood]]] = {
    "soothe": Soothe,
    "help": Help,
    "lull": Lull,
    "perform": Perform,
    "tell": Tell,
    "buy": Buy,
    "challenge": lambda seat: Challenge(int(seat)),
    "idle": Idle,
}
RIVAL_DEEDS: dict[type[Action[Bardwood]], Callable[[Bardwood, Any], Bardwood]] = {
    Soothe: rival_soothes,
    Help: rival_helps,
    Lull: rival_lulls,
    Perform: rival_performs,
    Tell: rival_tells,
    Buy: rival_buys,
    Challenge: rival_challenges,
    Idle: rival_idles,
}
COMPOSE_PHASES = tuple(map(ComposePhase, range(MOST_SEATS)))
SINGS = tuple(map(Sing, range(MOST_SEATS)))
RESTS = tuple(map(DrawHand, range(MOST_SEATS)))
ENDS = tuple(map(EndTurn, range(MOST_SEATS)))
STACKS = tuple(map(StackCreature, range(MOST_SEATS)))
SEAT_STEPS = (ChooseBards, ComposePhase, MoveBard, Sing, ChooseSide, StackCreature, EndTurn, FirstTurn, RivalLine)

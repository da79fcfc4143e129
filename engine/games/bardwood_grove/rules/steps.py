"""The steps of seats: bards, Compose, movement, Sing, Rest, Fans, brag spaces, the rival's line, the end of a turn."""

from __future__ import annotations

from collections.abc import Collection

from engine.dealing import OnePick
from engine.game import NOBODY, ONLY, ONLY_CHANCE, Action, Pick, Seat, Step
from engine.games.bardwood_grove.rules.actions import ChooseBard, Compose, Fan, Move, Stack
from engine.games.bardwood_grove.rules.board import REGIONS, RIVER_END
from engine.games.bardwood_grove.rules.cards import DECKS, FANS, SKILLS, bards
from engine.games.bardwood_grove.rules.chance import Draw, Meet, RivalCard
from engine.games.bardwood_grove.rules.decks import assign_bard, draw_source
from engine.games.bardwood_grove.rules.prices import boat_spaces, reach
from engine.games.bardwood_grove.rules.rival import after_line, cards_this_turn, do_line, move_pawn, only_line
from engine.games.bardwood_grove.rules.song import song_lines
from engine.games.bardwood_grove.rules.state import HAND, LAST_ROUND, MOST_SEATS, RIVAL_SEAT, Bardwood, Rival
from engine.steps import SeatStep

COMPOSES = {(one, two): Compose(one, two) for one in SKILLS for two in SKILLS if one != two}
MOVES = {(region, boat): Move(region, boat) for region in REGIONS for boat in range(RIVER_END + 1)}
SIDES = {fan: (Fan(fan, 1), Fan(fan, 2)) for fan in FANS}
STACKINGS = (Stack(1), Stack(2))
BARDS = {bard: ChooseBard(bard) for bard in DECKS}


class ChooseBards(Step[Bardwood]):
    """The seat that plays last chooses its bard first, then backwards. A last single bard is taken without a line."""

    def waiting(self, state: Bardwood) -> list[Seat]:
        """Return the people without a bard, in the order in which they choose."""
        order = [(state.starter - step) % state.seats for step in range(1, state.seats + 1)]
        return [seat for seat in order if seat in state.people and not state.players[seat].bard]

    def actors(self, state: Bardwood) -> frozenset[Seat]:
        return ONLY[self.waiting(state)[0]]

    def free(self, state: Bardwood) -> list[str]:
        """Return the unlocked bards that nobody has, in alphabetical order."""
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


class ComposePhase(SeatStep[Bardwood]):
    """A turn begins: one of two Skills goes into the song, the other is discarded."""

    def options(self, state: Bardwood, seat: Seat) -> Collection[Action[Bardwood]]:
        one, two = state.players[seat].hand
        return [COMPOSES[one, two], COMPOSES[two, one]]

    def take(self, state: Bardwood, seat: Seat, action: Action[Bardwood]) -> Bardwood:
        assert isinstance(action, Compose)  # noqa: S101  # nothing else is listed
        state = action.do(state, seat)
        return state.but(agenda=(MoveBard(seat, action.movement(state, seat)),))


class MoveBard(SeatStep[Bardwood]):
    """The seat spends its movement points on bard and boat."""

    points: int

    def options(self, state: Bardwood, seat: Seat) -> Collection[Action[Bardwood]]:
        player, points = state.players[seat], self.points
        spaces = [boat_spaces(state, player, left) for left in range(points + 1)]
        moves: list[Action[Bardwood]] = []
        for region in REGIONS:
            left = reach(player, region, points)
            if left >= 0:
                moves += [MOVES[region, boat] for boat in spaces[left]]
        return moves

    def take(self, state: Bardwood, seat: Seat, action: Action[Bardwood]) -> Bardwood:
        # Set before the move, because a song that begins with it may turn up cards first.
        agenda = (SINGS[seat],) if state.players[seat].marker else (RESTS[seat], ENDS[seat])
        return action.do(state.but(agenda=agenda), seat)


class Sing(SeatStep[Bardwood]):
    """The seat sings, line by line, until it is done."""

    def options(self, state: Bardwood, seat: Seat) -> Collection[Action[Bardwood]]:
        return song_lines(state, seat)

    def take(self, state: Bardwood, seat: Seat, action: Action[Bardwood]) -> Bardwood:
        state = action.do(state, seat)
        if state.singing is None:
            return state.but(agenda=(RESTS[seat], ENDS[seat]))
        return state.first(STACKS[seat]) if state.players[seat].arriving else state


class ChooseSide(SeatStep[Bardwood]):
    """The seat gains one side of the Fan it met."""

    fan: str

    def options(self, state: Bardwood, seat: Seat) -> Collection[Action[Bardwood]]:
        return SIDES[self.fan]


class StackCreature(SeatStep[Bardwood]):
    """Both brag spaces have cards: the seat chooses one for the creature."""

    def options(self, state: Bardwood, seat: Seat) -> Collection[Action[Bardwood]]:
        return STACKINGS


class DrawHand(OnePick[Bardwood]):
    """A seat draws card by card until it holds two Skills."""

    seat: Seat

    def actors(self, state: Bardwood) -> frozenset[Seat]:
        return ONLY_CHANCE if len(state.players[self.seat].hand) < HAND else NOBODY

    def roll(self, state: Bardwood, pick: Pick) -> Action[Bardwood]:
        cards = draw_source(state.players[self.seat])
        card = cards[pick(len(cards))]
        return Draw(self.seat, card) if card in SKILLS else Meet(self.seat, card)

    def possible(self, state: Bardwood, action: Action[Bardwood]) -> bool:
        if not isinstance(action, Draw | Meet) or action.to != self.seat:
            return False
        return action.card in draw_source(state.players[self.seat])

    def take(self, state: Bardwood, seat: Seat, action: Action[Bardwood]) -> Bardwood:
        state = action.do(state.but(picks=state.picks + 1), seat)
        if isinstance(action, Meet) and action.card in FANS:
            return state.first(ChooseSide(self.seat, action.card))
        return state.first(STACKS[self.seat]) if state.players[self.seat].arriving else state


class EndTurn(Step[Bardwood]):
    """The turn passes clockwise. The match ends with the round in which the last gem left the board, or round 40."""

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


class FirstTurn(Step[Bardwood]):
    """The setup is over: the first seat begins."""

    def run(self, state: Bardwood) -> Bardwood:
        return state.but(agenda=turn_steps(state, state.starter))


def count_rival_turn(state: Bardwood, seat: Seat) -> Rival | None:
    """Return the rival, with one more turn if it is its turn now; None without a rival."""
    rival = state.rival
    return rival.but(turns=rival.turns + 1) if rival is not None and seat == RIVAL_SEAT else rival


def turn_steps(state: Bardwood, seat: Seat) -> tuple[Step[Bardwood], ...]:
    """Return the steps of a seat's turn. The rival resolves one card or two."""
    if state.rival is None or seat != RIVAL_SEAT:
        return (COMPOSE_PHASES[seat],)
    cards = cards_this_turn(state.level, state.rival.turns + 1)
    return (*(RivalCard(), RivalLine()) * cards, ENDS[seat])


class RivalLine(Step[Bardwood]):
    """The rival makes its card's only line, and its pawn moves to the card's goal."""

    def actors(self, state: Bardwood) -> frozenset[Seat]:
        return ONLY[RIVAL_SEAT]

    def options(self, state: Bardwood, seat: Seat) -> Collection[Action[Bardwood]]:
        return (only_line(state),)

    def take(self, state: Bardwood, seat: Seat, action: Action[Bardwood]) -> Bardwood:
        state = move_pawn(state.but(agenda=state.agenda[1:]))
        return after_line(do_line(state, action))


COMPOSE_PHASES = tuple(map(ComposePhase, range(MOST_SEATS)))
SINGS = tuple(map(Sing, range(MOST_SEATS)))
RESTS = tuple(map(DrawHand, range(MOST_SEATS)))
ENDS = tuple(map(EndTurn, range(MOST_SEATS)))
STACKS = tuple(map(StackCreature, range(MOST_SEATS)))
SEAT_STEPS = (
    *(ChooseBards, ComposePhase, MoveBard, Sing, DrawHand, ChooseSide, StackCreature),
    *(EndTurn, FirstTurn, RivalLine),
)

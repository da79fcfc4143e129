"""Core lines that every game understands: resignation, keys, and decisions of the house."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.game import CHANCE, CORE_VERBS, HOUSE, Action, State, to_act
from engine.notation import SEAT, Number, Pattern, word, words
from engine.reasons import Reason, reason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, Seat

TWO_SEATS = 2
KEYS = Pattern(r"-|[A-Za-z0-9_-]{43}(?:,[A-Za-z0-9_-]{43}){0,7}")
OWN_KEYS = Pattern(r"[A-Za-z0-9_-]{43}(?:,[A-Za-z0-9_-]{43}){0,7}")
PLAYER = Pattern(r"[a-z0-9]{12,32}")
NAME = Pattern(r"[a-z][a-z0-9-]{0,31}")
WHY = Pattern(r"[a-z]+(?:-[a-z]+)*")
POINTS = Number(-999_999_999, 999_999_999)


class RecordLine(Action[State]):
    """A line that only the record uses: it does not change the table."""

    def do(self, state: State, seat: Seat) -> State:
        """Return the same state."""
        return state


class Resign(Action[State]):
    """The seat resigns. With two seats the match is over; with more a stand-in plays on."""

    verb = "resign"

    def do(self, state: State, seat: Seat) -> State:
        """Mark the seat as one that can no longer win."""
        house = replace(state.house, resigned=(*state.house.resigned, seat))
        if state.seats > TWO_SEATS:
            return state.but(house=house)
        return state.but(house=replace(house, ended="resign"), agenda=())


class Keys(RecordLine):
    """The seat's keys from here on. The rules ignore them."""

    verb = "keys"
    keys: str = word(OWN_KEYS)


class Timeout(RecordLine):
    """A seat ran out of time. The consequence is a separate line."""

    verb = "timeout"
    seat: int = word(SEAT)
    due: int = word(Number())


class BotTakes(Action[State]):
    """A bot plays a seat from here on."""

    verb = "bot"
    seat: int = word(SEAT)
    name: str = word(NAME)

    def do(self, state: State, seat: Seat) -> State:
        """Give the seat to the bot."""
        others = tuple(pair for pair in state.house.bots if pair[0] != self.seat)
        return state.but(house=replace(state.house, bots=tuple(sorted((*others, (self.seat, self.name))))))


class PlayerTakes(Action[State]):
    """A player takes a seat from a player or a bot."""

    verb = "seat"
    seat: int = word(SEAT)
    player: str = word(PLAYER)
    keys: str = word(KEYS)

    def do(self, state: State, seat: Seat) -> State:
        """Remove the bot from the seat."""
        return state.but(
            house=replace(state.house, bots=tuple(pair for pair in state.house.bots if pair[0] != self.seat))
        )


class SeatKeys(RecordLine):
    """The house sets the keys of a seat."""

    verb = "keys"
    seat: int = word(SEAT)
    keys: str = word(KEYS)


class Pause(Action[State]):
    """Nobody is asked until the match is resumed."""

    verb = "pause"
    why: str = word(WHY)

    def do(self, state: State, seat: Seat) -> State:
        """Pause the match."""
        return state.but(house=replace(state.house, paused=True))


class Resume(Action[State]):
    """The match continues."""

    verb = "resume"

    def do(self, state: State, seat: Seat) -> State:
        """Ask the same seats again."""
        return state.but(house=replace(state.house, paused=False))


class End(Action[State]):
    """The house ends the match, with the scores it decides or those on the table."""

    verb = "end"
    why: str = word(WHY)
    scores: tuple[int, ...] = words(POINTS)

    def do(self, state: State, seat: Seat) -> State:
        """Clear the agenda and keep the decided scores."""
        return state.but(house=replace(state.house, ended=self.why, scores=self.scores, paused=False), agenda=())


OF_SEATS: Mapping[str, tuple[type[Action[Any]], ...]] = {"resign": (Resign,), "keys": (Keys,)}
OF_HOUSE: Mapping[str, tuple[type[Action[Any]], ...]] = {
    kind.verb: (kind,) for kind in (Timeout, BotTakes, PlayerTakes, SeatKeys, Pause, Resume, End)
}


def refusal(state: State, seat: Seat, action: Action[Any]) -> Reason | None:
    """Name the reason why a line of the core cannot be made now, or return None."""
    if state.over:
        return reason("match.over")
    if isinstance(action, Resign) and seat in state.house.resigned:
        return reason("seat.resigned")
    named = getattr(action, "seat", 0)
    if named >= state.seats:
        return reason("seat.none", seat=named)
    if isinstance(action, Pause | Resume) and state.house.paused == isinstance(action, Pause):
        return reason("match.paused_already" if state.house.paused else "match.not_paused")
    if isinstance(action, End) and len(action.scores) not in (0, state.seats):
        return reason("end.scores", seats=state.seats)
    return None


def objection(state: State, seat: Seat, action: Action[Any], game: Game[Any] | None = None) -> Reason | None:
    """Name the reason why this seat cannot make this line now, or return None.

    Listed lines and lines of the core can be made. With the game, the reason is the rule that forbids the line, if the
    game names it.
    """
    if action.verb in CORE_VERBS:
        return refusal(state, seat, action)
    if state.over:
        return reason("match.over")
    if state.house.paused:
        return reason("match.paused")
    actors = to_act(state)
    if seat not in actors:
        waited_for = tuple(seat_name(each) for each in sorted(actors))
        return reason("line.not_your_turn", of_seat=seat_name(seat, "of_seat"), actors=waited_for)
    if action not in state.agenda[0].options(state, seat):
        return (game.rules.refusal(state, seat, action) if game and seat >= 0 else None) or reason("line.not_listed")
    return None


def seat_name(seat: Seat, form: str = "seat") -> Reason:
    """Return the name of a seat in messages. The form `of_seat` is the possessive."""
    names = {CHANCE: "chance", HOUSE: "house"}
    return reason(f"{form}.{names[seat]}") if seat in names else reason(f"{form}.number", seat=seat)

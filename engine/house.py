"""Lines that every game understands: resigning, keys, and what the house decides."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from engine.game import CHANCE, CORE_VERBS, HOUSE, Action, House, State, to_act
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


def _with(state: State, house: House, **changes: Any) -> State:  # noqa: ANN401  # the fields of a state
    return state.but(house=house, **changes)


@dataclass(frozen=True)
class Resign(Action[State]):
    """The seat gives up: with two seats the match is over, with more a stand-in plays on."""

    verb = "resign"

    def do(self, state: State, seat: Seat) -> State:
        """The seat can no longer win."""
        house = replace(state.house, resigned=(*state.house.resigned, seat))
        if state.seats > TWO_SEATS:
            return _with(state, house)
        return _with(state, replace(house, ended="resign"), agenda=())


@dataclass(frozen=True)
class Keys(Action[State]):
    """The seat's keys from here on; the rules do not care."""

    verb = "keys"
    keys: str = word(OWN_KEYS)

    def do(self, state: State, seat: Seat) -> State:
        """The same state: keys matter to the record alone."""
        return state


@dataclass(frozen=True)
class Timeout(Action[State]):
    """A seat let its time run out."""

    verb = "timeout"
    seat: int = word(SEAT)
    due: int = word(Number())

    def do(self, state: State, seat: Seat) -> State:
        """The same state: what follows is a line of its own."""
        return state


@dataclass(frozen=True)
class BotTakes(Action[State]):
    """A bot plays a seat from here on."""

    verb = "bot"
    seat: int = word(SEAT)
    name: str = word(NAME)

    def do(self, state: State, seat: Seat) -> State:
        """The seat is the bot's."""
        others = tuple(pair for pair in state.house.bots if pair[0] != self.seat)
        return _with(state, replace(state.house, bots=tuple(sorted((*others, (self.seat, self.name))))))


@dataclass(frozen=True)
class PlayerTakes(Action[State]):
    """A player takes a seat from a player or a bot."""

    verb = "seat"
    seat: int = word(SEAT)
    player: str = word(PLAYER)
    keys: str = word(KEYS)

    def do(self, state: State, seat: Seat) -> State:
        """No bot plays the seat any more."""
        return _with(state, replace(state.house, bots=tuple(pair for pair in state.house.bots if pair[0] != self.seat)))


@dataclass(frozen=True)
class SeatKeys(Action[State]):
    """The house sets the keys of a seat."""

    verb = "keys"
    seat: int = word(SEAT)
    keys: str = word(KEYS)

    def do(self, state: State, seat: Seat) -> State:
        """The same state: keys matter to the record alone."""
        return state


@dataclass(frozen=True)
class Pause(Action[State]):
    """Nobody is asked until the match is resumed."""

    verb = "pause"
    why: str = word(WHY)

    def do(self, state: State, seat: Seat) -> State:
        """The match stands still."""
        return _with(state, replace(state.house, paused=True))


@dataclass(frozen=True)
class Resume(Action[State]):
    """The match goes on."""

    verb = "resume"

    def do(self, state: State, seat: Seat) -> State:
        """Whoever was asked is asked again."""
        return _with(state, replace(state.house, paused=False))


@dataclass(frozen=True)
class End(Action[State]):
    """The house ends the match, with the scores it decides or those on the table."""

    verb = "end"
    why: str = word(WHY)
    scores: tuple[int, ...] = words(POINTS)

    def do(self, state: State, seat: Seat) -> State:
        """Nothing is left to happen."""
        return _with(state, replace(state.house, ended=self.why, scores=self.scores, paused=False), agenda=())


OF_SEATS: Mapping[str, tuple[type[Action[Any]], ...]] = {"resign": (Resign,), "keys": (Keys,)}
OF_HOUSE: Mapping[str, tuple[type[Action[Any]], ...]] = {
    kind.verb: (kind,) for kind in (Timeout, BotTakes, PlayerTakes, SeatKeys, Pause, Resume, End)
}


def refusal(state: State, seat: Seat, action: Action[Any]) -> Reason | None:
    """Why a line of the core cannot be made now; nothing if it can."""
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
    """Why this seat cannot make this line now, or nothing: listed lines and lines of the core can be made.

    With the game, the reason is the rule that forbids the line, if the game names it.
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
    """What messages call a seat; the form `of_seat` is that of what is a seat's own."""
    names = {CHANCE: "chance", HOUSE: "house"}
    return reason(f"{form}.{names[seat]}") if seat in names else reason(f"{form}.number", seat=seat)

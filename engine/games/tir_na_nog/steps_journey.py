"""The Journey Phase: Storytellers are placed in turn, three laps clockwise from the token."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cache

from engine.game import ONLY, Action, Seat, Step
from engine.games.tir_na_nog import balor
from engine.games.tir_na_nog.actions import PLACES, Mark
from engine.games.tir_na_nog.effects.registry import JOURNEY_PHASE
from engine.games.tir_na_nog.otherworld import otherworld
from engine.games.tir_na_nog.saga import Here
from engine.games.tir_na_nog.state import BALOR, STORYTELLERS, Asks, TirNaNog
from engine.games.tir_na_nog.steps_chance import TurnCard

MARKS = tuple(Mark(space) for space in otherworld(2).spaces)


@dataclass(frozen=True)
class MarkSpace(Asks, Step[TirNaNog]):
    """In a solo match the person puts Balor's marker on a space, seeing the first Otherworld and the hand."""

    what = "mark"

    def actors(self, state: TirNaNog) -> frozenset[Seat]:
        return ONLY[0]

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        return MARKS


@dataclass(frozen=True)
class PlaceStoryteller(Asks, Step[TirNaNog]):
    """A seat places one of its Storytellers."""

    what = "place"
    seat: Seat

    def actors(self, state: TirNaNog) -> frozenset[Seat]:
        return ONLY[self.seat]

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        found: list[Action[TirNaNog]] = [PLACES[space] for space in otherworld(state.seats).free(state.out)]
        saga, used = state.sagas[seat], state.used[seat]
        powers = {saga.card(point).card: point for point in saga.powers}  # several copies give no second corner
        for card, point in powers.items():
            if card in JOURNEY_PHASE and card not in used:
                found.extend(JOURNEY_PHASE[card](state, seat, Here(saga, point)))
        return found


@dataclass(frozen=True)
class BalorPlaces(Asks, Step[TirNaNog]):
    """Balor places a Storyteller in the only way his card, the cards and the marker leave him."""

    what = "place"

    def actors(self, state: TirNaNog) -> frozenset[Seat]:
        return ONLY[BALOR]

    def options(self, state: TirNaNog, seat: Seat) -> Collection[Action[TirNaNog]]:
        return (PLACES[balor.places(state).tied[0]],)

    def take(self, state: TirNaNog, seat: Seat, action: Action[TirNaNog]) -> TirNaNog:
        return action.do(state.but(agenda=state.agenda[1:], gaze=balor.places(state)), seat)


@dataclass(frozen=True)
class Journey(Step[TirNaNog]):
    """The Journey Phase begins."""

    def run(self, state: TirNaNog) -> TirNaNog:
        laps = _laps(state.seats, state.token, state.solo)
        return state.but(agenda=laps + state.agenda, phase="journey", used=((),) * state.seats)


@cache
def _laps(seats: int, token: Seat, solo: bool) -> tuple[Step[TirNaNog], ...]:
    steps: list[Step[TirNaNog]] = []
    for at in range(STORYTELLERS * seats):
        seat = (token + at) % seats
        steps += [TurnCard(), BalorPlaces()] if solo and seat == BALOR else [PlaceStoryteller(seat)]
    return tuple(steps)

"""Steps that several games have: one seat is asked, or the step stays until an action replaces it."""

from __future__ import annotations

from engine.game import ONLY, Action, S, Seat, Step


class SeatStep(Step[S]):
    """A step that asks one seat."""

    seat: Seat

    def actors(self, state: S) -> frozenset[Seat]:
        return ONLY[self.seat]


class StayingStep(Step[S]):
    """A step that stays on the agenda: its actions decide what follows."""

    def take(self, state: S, seat: Seat, action: Action[S]) -> S:
        return action.do(state, seat)

"""The seat that begins: named by an option, or drawn as the first line of the match."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Self, TypeVar

from engine.dealing import OnePick
from engine.game import Action, Pick, Seat, State
from engine.notation import SEAT, word
from engine.options import Option
from engine.words import Locale

DRAWN = "drawn"
BEGINS: dict[Locale, str] = {"en": "{who} begins.", "fr": "{who} commence."}


def starting_seat_option(name: str) -> Option:
    """Return the option for the seat that begins. Before revision 2 it was seat 0 unless the match said otherwise."""
    return Option(
        name,
        DRAWN,
        {"en": "who begins", "fr": "qui commence"},
        accepts=lambda value, seats: value == DRAWN or (type(value) is int and 0 <= value < seats),
        form={"en": "drawn, or a seat counted from 0", "fr": "drawn (au sort), ou une place comptée à partir de 0"},
        earlier={1: 0},
        tournament=0,
        labels={DRAWN: {"en": "drawn at random", "fr": "tiré au sort"}},
    )


@dataclass(frozen=True, kw_only=True)
class StartedByLot(State, ABC):
    """A table on which chance may draw who begins."""

    @abstractmethod
    def begin(self, seat: Seat) -> Self:
        """Return the table on which this seat begins."""


S = TypeVar("S", bound=StartedByLot)


class Start(Action[S]):
    """Chance names the seat that begins."""

    verb = "start"
    first: int = word(SEAT)

    def do(self, state: S, seat: Seat) -> S:
        return state.begin(self.first)


class DrawStart(OnePick[S]):
    """Chance draws the seat that begins."""

    def roll(self, state: S, pick: Pick) -> Start[S]:
        return Start(pick(state.seats))

    def possible(self, state: S, action: Action[S]) -> bool:
        return isinstance(action, Start) and action.first < state.seats

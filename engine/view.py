"""The part of a view that all games share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

from engine.game import CHANCE, HOUSE, Record, Seat, State, to_act
from engine.words import Locale


@dataclass(frozen=True, kw_only=True)
class View(Record):
    """The part of a state that a seat or a spectator may see. Games add their fields."""

    seat: Seat | None
    seats: int
    asked: tuple[Seat, ...]
    over: bool
    resigned: tuple[Seat, ...]
    names: tuple[str, ...] = ()
    """Names of the players, filled in by the service."""

    def with_names(self, names: tuple[str, ...]) -> Self:
        """Return the same view with these names.

        Cached properties are copied too, so call this before anything reads them.
        """
        return self.but(names=names)

    @property
    def clockwise(self) -> list[Seat]:
        """All seats in turn order, starting with the viewer's; for spectators with seat 0."""
        first = self.seat or 0
        return [(first + step) % self.seats for step in range(self.seats)]

    @property
    def others(self) -> list[Seat]:
        """The other seats in turn order, starting after the viewer's."""
        return [seat for seat in self.clockwise if seat != self.seat]

    def called(self, seat: Seat, locale: Locale) -> str:
        """Return the name of a seat in texts: its player's name, or its number."""
        if seat == CHANCE:
            return {"en": "Chance", "fr": "Le hasard"}[locale]
        if seat == HOUSE:
            return {"en": "The house", "fr": "La maison"}[locale]
        return self.names[seat] if self.names else {"en": f"Seat {seat}", "fr": f"Place {seat}"}[locale]


@lru_cache(maxsize=256)
def seat_signs(names: tuple[str, ...], seats: int) -> tuple[str, ...]:
    """Return the letter of each seat's pieces: the initial of its player, or its number if two share an initial."""
    letters = [name[:1].upper() for name in names]
    different = len(set(letters)) == len(letters) == seats and all(map(str.isalnum, letters))
    return tuple(letters) if different else tuple(map(str, range(seats)))


def shared_fields(state: State, seat: Seat | None) -> dict[str, Any]:
    """Return the fields that every view shares."""
    return {
        "seat": seat,
        "seats": state.seats,
        "asked": tuple(sorted(to_act(state))),
        "over": state.over,
        "resigned": state.house.resigned,
    }

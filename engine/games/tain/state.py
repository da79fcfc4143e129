"""The table of Táin: its pieces, their places and their owners."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Self

from engine.game import Seat
from engine.games.tain.raids import Report
from engine.games.tain.tokens import EMPTY, KINGDOM_PLACES, LETTERS, NO_GATES, Gates, Tokens
from engine.starting_seat import StartedByLot

RIVALS = {seats: tuple(tuple(b for b in range(seats) if b != seat) for seat in range(seats)) for seats in (2, 3, 4)}
TURNS = {n: tuple(tuple((seat + step) % n for step in range(1, n + 1)) for seat in range(n)) for n in (2, 3, 4)}


@dataclass(frozen=True)
class Loot:
    """Loot beside a board until the round is resolved."""

    cattle: int = 0
    jewels: int = 0
    captives: tuple[str, ...] = ()


NO_LOOT = Loot()


@dataclass(frozen=True)
class Choice:
    """Open choice: `left` captives of this seat come home from the house of `holder`."""

    seat: Seat
    holder: Seat
    left: int


@dataclass(frozen=True, kw_only=True)
class Tain(StartedByLot):
    """The table: boards by seat, tokens behind screens and face down, and the gains of the last raids."""

    round: int = 1
    active: Seat
    stock: int
    cattle: tuple[int, ...]
    jewels: tuple[int, ...]
    prisoners: tuple[tuple[str, ...], ...]  # by holder: owner and kind, as in aB
    unused: tuple[Tokens, ...]
    used: tuple[Tokens, ...]
    guards: tuple[Gates, ...]
    scouts: tuple[Gates, ...]  # by board: the kinds
    owners: tuple[Gates, ...]  # by board: the clans of the scouts
    kingdom: tuple[str, ...] = ()
    passed: tuple[bool, ...]
    answers: tuple[tuple[str, ...] | None, ...]
    beside: tuple[Loot, ...]
    choices: tuple[Choice, ...] = ()
    report: Report | None = None
    marker_moves: bool
    one_each: bool
    speedup: bool
    daughter_first: bool

    def begin(self, seat: Seat) -> Self:
        """Return the table on which this seat has the active player's marker first."""
        return self.but(active=seat)

    @property
    def crowded(self) -> bool:
        """True if every scout place and both kingdom places are taken."""
        return len(self.kingdom) == KINGDOM_PLACES and not any(EMPTY in row for row in self.owners)

    def may_enter(self, seat: Seat) -> bool:
        """Return True if a kingdom place is free and this clan has none."""
        there = self.kingdom
        return not there or (len(there) < KINGDOM_PLACES and there[0][0] != LETTERS[seat])

    def is_in(self, seat: Seat) -> bool:
        """Return True if the seat is still in the reconnaissance, as everybody can see."""
        if self.passed[seat] or not self.unused[seat]:
            return False
        return (
            EMPTY in self.guards[seat]
            or self.may_enter(seat)
            or any(EMPTY in self.owners[board] for board in RIVALS[self.seats][seat])
        )


@cache
def empty_boards(seats: int) -> dict[str, Any]:
    """Return the fields of a table without any placed token."""
    return {
        "guards": (NO_GATES,) * seats,
        "scouts": (NO_GATES,) * seats,
        "owners": (NO_GATES,) * seats,
        "kingdom": (),
        "passed": (False,) * seats,
        "answers": (None,) * seats,
        "beside": (NO_LOOT,) * seats,
    }

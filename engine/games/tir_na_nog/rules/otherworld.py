"""The Otherworld: cells, spaces, corners, the cards that a Storyteller touches there, and the walk around the ring."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache

Cell = str  # a1 to c6
Spot = str  # a space a1a2, or a corner a1a2b1b2

LINES = "abc"
MOST_SEATS = 5
HOLE = "b2"  # with two seats no card lies in the middle


@dataclass(frozen=True)
class Otherworld:
    """The grid for one number of seats. A card is found by the index of its cell."""

    cells: tuple[Cell, ...]
    spaces: tuple[Spot, ...]
    corners: tuple[Spot, ...]
    at: Mapping[Cell, int]
    touched: Mapping[Spot, tuple[int, ...]]
    near: tuple[tuple[Spot, ...], ...]
    """By cell: the spots that touch it."""

    def touches(self, spot: Spot, grid: tuple[str, ...]) -> bool:
        """Return True if there is still a card next to this spot."""
        return any(grid[at] for at in self.touched[spot])

    def free(self, out: tuple[tuple[Spot, ...], ...]) -> list[Spot]:
        """Return the spaces without a Storyteller."""
        taken = occupied_spots(out)
        return [space for space in self.spaces if space not in taken]


def occupied_spots(out: tuple[tuple[Spot, ...], ...]) -> Collection[Spot]:
    """Return the spots where Storytellers stand."""
    return {spot for spots in out for spot in spots}


@cache
def otherworld(seats: int) -> Otherworld:
    """Return the grid for this number of seats."""
    columns = range(1, seats + 2)
    cells = tuple(f"{line}{column}" for line in LINES for column in columns if seats > 2 or f"{line}{column}" != HOLE)  # noqa: PLR2004
    at = {cell: index for index, cell in enumerate(cells)}
    pairs = [(f"{line}{column}", f"{line}{column + 1}") for line in LINES for column in columns]
    pairs += [(f"{upper}{column}", f"{lower}{column}") for upper, lower in ("ab", "bc") for column in columns]
    spaces = tuple(sorted("".join(pair) for pair in pairs if pair[0] in at and pair[1] in at))
    corners = tuple(
        f"{upper}{column}{upper}{column + 1}{lower}{column}{lower}{column + 1}"
        for upper, lower in ("ab", "bc")
        for column in columns[:-1]
    )
    touched = {spot: tuple(at[cell] for cell in _cells(spot) if cell in at) for spot in spaces + corners}
    near = tuple(tuple(spot for spot in spaces + corners if index in touched[spot]) for index in range(len(cells)))
    return Otherworld(cells, spaces, corners, at, touched, near)


def _cells(spot: Spot) -> list[Cell]:
    return [spot[at : at + 2] for at in range(0, len(spot), 2)]


RING = tuple("a1 a1a2 a2 a2a3 a3 a3b3 b3 b3c3 c3 c2c3 c2 c1c2 c1 b1c1 b1 a1b1".split())
"""With two seats: cards and spaces clockwise."""

WALKS: dict[Spot, dict[str, int]] = {
    marker: {place: (step - RING.index(marker)) % len(RING) for step, place in enumerate(RING)}
    for marker in RING
    if len(marker) > len(HOLE)
}
"""By marker: the number of steps on the walk to each space and card, 0 for its own space."""

LARGEST = otherworld(MOST_SEATS)
CELLS = LARGEST.cells
SPOTS = LARGEST.spaces + LARGEST.corners

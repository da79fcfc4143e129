"""The palette of an image: its colours in the order in which they were first wanted."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock

from service.drawing.palette_colour import Colour

COLOURS = 256


class Full(LookupError):
    """A colour too many for a palette that serves several pictures."""


class Palette(dict[Colour, int]):
    """The number of each colour; a new one gets the next number, and one too many that of its neighbour.

    A palette that pictures share gives no neighbours, since what one of them wants must not change another: it is full.
    """

    def __init__(self, colours: Iterable[Colour], *, shared: bool = False) -> None:
        super().__init__()
        self.colours: list[Colour] = []
        self.shared, self.full = shared, False
        self.lock = Lock()
        for colour in colours:
            self[colour]

    def __missing__(self, colour: Colour) -> int:
        with self.lock:
            if colour not in self:
                self[colour] = self._next(colour)
        return self[colour]

    def _next(self, colour: Colour) -> int:
        if len(self.colours) < COLOURS:
            self.colours.append(colour)
            return len(self.colours) - 1
        if self.shared:
            self.full = True
            raise Full
        return self._nearest(*colour)

    def _nearest(self, red: int, green: int, blue: int) -> int:
        far = [(red - one) ** 2 + (green - two) ** 2 + (blue - three) ** 2 for one, two, three in self.colours]
        return far.index(min(far))

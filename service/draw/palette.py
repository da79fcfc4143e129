"""The palette of an image: its colours in the order in which they were first wanted."""

from __future__ import annotations

from collections.abc import Iterable

from service.draw.colour import Colour

COLOURS = 256


class Palette(dict[Colour, int]):
    """The number of each colour; a new one gets the next number, and one too many that of its neighbour."""

    def __init__(self, colours: Iterable[Colour]) -> None:
        super().__init__()
        self.colours: list[Colour] = []
        for colour in colours:
            self[colour]

    def __missing__(self, colour: Colour) -> int:
        if len(self.colours) < COLOURS:
            self[colour] = len(self.colours)
            self.colours.append(colour)
        else:
            self[colour] = self._nearest(*colour)
        return self[colour]

    def _nearest(self, red: int, green: int, blue: int) -> int:
        far = [(red - one) ** 2 + (green - two) ** 2 + (blue - three) ** 2 for one, two, three in self.colours]
        return far.index(min(far))

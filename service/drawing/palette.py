"""Colours: parsing and mixing them, and the palette of an image."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from threading import Lock

import numpy as np
from numpy.typing import NDArray

Colour = tuple[int, int, int]
Ink = tuple[int, int, int, int]

OPAQUE = 255
COVERAGE_LEVELS = 6
MOST_BLENDS = 4096
EDGE_STEP = 40
"""Mixed colours are rounded to multiples of this, so that the boards of a game fit into one palette of 256 colours."""
WHITE: Colour = (255, 255, 255)
NAMED_INKS = {
    "paper": "#ece4d3",
    "panel": "#fffcf5",
    "ink": "#2b2620",
    "faint": "#6a604f",
    "felt": "#24483c",
    "dusk": "#1d3a4a",
    "peat": "#43382b",
    "map": "#dfe2bf",
    "meadow": "#b4cb8c",
    "hedge": "#b3a06c",
    "trail": "#f0e4c2",
    "water": "#8fbcd4",
    "deep": "#1f5a80",
    "mute": "#ecead3",
    "quiet": "#5a5642",
    "gem": "#1a7a42",
}
"""Inks of `engine.picture` in the light theme."""
COLOUR_PATTERN = re.compile("#([0-9a-f]{6})([0-9a-f]{2})?", re.IGNORECASE)


@lru_cache(maxsize=256)
def parse_colour(colour: str) -> Ink:
    """Return red, green, blue and opacity, each from 0 to 255."""
    if not colour:
        return 0, 0, 0, 0
    found = COLOUR_PATTERN.fullmatch(NAMED_INKS.get(colour, colour))
    if not found:
        raise ValueError(
            f"{colour!r} is not a colour; shapes take #rrggbb, #rrggbbaa, an ink or an empty text for none"
        )
    red, green, blue = bytes.fromhex(found[1])
    return red, green, blue, int(found[2], 16) if found[2] else OPAQUE


@lru_cache(maxsize=8192)
def mix_colours(below: Colour, ink: Ink, level: int) -> Colour:
    """Return the colour of a point that ink covers to this level. Levels are few, since the eye cannot see more."""
    share, step = level * ink[3] / (COVERAGE_LEVELS * OPAQUE), 1 if level == COVERAGE_LEVELS else EDGE_STEP
    red, green, blue = (
        min(255, round((under + (over - under) * share) / step) * step) for under, over in zip(below, ink, strict=False)
    )
    return red, green, blue


MOST_COLOURS = 256
UNKNOWN = -1


class PaletteFull(LookupError):
    """One colour too many for a palette that several pictures share."""


class Palette(dict[Colour, int]):
    """The number of each colour. A new colour gets the next number; in a full palette it gets the nearest colour's.

    A shared palette raises instead: a picture must not change the colours of another one.
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
        if len(self.colours) < MOST_COLOURS:
            self.colours.append(colour)
            return len(self.colours) - 1
        if self.shared:
            self.full = True
            raise PaletteFull
        return self._nearest(*colour)

    def _nearest(self, red: int, green: int, blue: int) -> int:
        far = [(red - one) ** 2 + (green - two) ** 2 + (blue - three) ** 2 for one, two, three in self.colours]
        return far.index(min(far))


class InkMixes(dict[tuple[int, int], int]):
    """The number of the colour that one ink gives over another colour, by the number of that colour and the level."""

    def __init__(self, palette: Palette, ink: Ink) -> None:
        super().__init__()
        self.palette, self.ink = palette, ink
        self.tables: dict[int, bytes] = {}
        self.numbers = np.full((COVERAGE_LEVELS + 1) * MOST_COLOURS, UNKNOWN, np.int16)
        """The dictionary as an array: all colours below level 0, then below level 1, and so on."""
        self.numbers[:MOST_COLOURS] = np.arange(MOST_COLOURS)

    def __missing__(self, under_and_level: tuple[int, int]) -> int:
        under, level = under_and_level
        found = self.palette[mix_colours(self.palette.colours[under], self.ink, level)] if level else under
        self[under, level] = found
        return found

    def lay(self, places: NDArray[np.uint16]) -> NDArray[np.int16]:
        """Return the numbers at these places of the array. Missing colours are mixed in order."""
        found = self.numbers.take(places)
        if np.minimum.reduce(found, axis=None) < 0:
            for place in dict.fromkeys(places[found < 0].tolist()):
                level, under = divmod(place, MOST_COLOURS)
                self.numbers[place] = self[under, level]
            found = self.numbers.take(places)
        return found

    def table(self, under: int) -> bytes:
        """Return the colours of all levels over one colour, as a table for `bytes.translate`."""
        found = self.tables.get(under)
        if found is None:
            found = self.tables[under] = bytes(self[under, level] for level in range(COVERAGE_LEVELS + 1)).ljust(256)
        return found


class Blender:
    """Lays inks over the colours of a palette. Mixed colours are cached for every picture that shares the palette."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self._mixes: dict[Ink, InkMixes] = {}
        self._known: dict[tuple[Ink, bytes, bytes], bytes] = {}

    def mixes_of(self, ink: Ink) -> InkMixes:
        """Return the mixes of an ink with each colour of the palette."""
        found = self._mixes.get(ink)
        return self._mixes.setdefault(ink, InkMixes(self.palette, ink)) if found is None else found

    def blend(self, below: bytes, levels: bytes, ink: Ink) -> bytes:
        """Return the points below an ink that covers each of them by its level."""
        found = self._known.get((ink, below, levels))
        if found is None:
            mixes = self.mixes_of(ink)
            if len(below) > 1 and below.count(below[0]) == len(below):
                found = levels.translate(mixes.table(below[0]))
            else:
                found = bytes(map(mixes.__getitem__, zip(below, levels, strict=True)))
            if len(self._known) >= MOST_BLENDS:
                self._known.clear()
            self._known[ink, below, levels] = found
        return found

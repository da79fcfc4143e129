"""Prints: stamps as they look on a ground, kept since pictures repeat them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from service.drawing.canvas import Canvas
from service.drawing.palette import Palette
from service.drawing.palette_colour import Colour
from service.drawing.sprites import Stamp

MOST_PRINTS = 2048
"""At 3 kB each as a rule, and 8 kB at most, these are 6 to 16 MB: the cards of all games in both languages."""


@dataclass(frozen=True, eq=False, slots=True)
class Print:
    """The points of a stamp, where different rows are among them, which row follows which, and the colours."""

    points: bytearray
    cuts: tuple[tuple[int, int], ...]
    rows: tuple[int, ...]
    colours: tuple[Colour, ...]


@lru_cache(maxsize=MOST_PRINTS)
def printed(stamp: Stamp, ground: tuple[Colour, ...]) -> Print:
    """The print of a stamp on the colours in its gaps, or on the one that they all have."""
    canvas = Canvas(stamp.wide, stamp.high, Palette(ground))
    if len(ground) > 1 and stamp.gaps:
        for (row, column), colour in zip(stamp.gaps.open(), ground, strict=True):
            canvas.points[row * canvas.step + 1 + column] = canvas.palette[colour]
    for layer in stamp.layers:
        canvas.paint(layer.x - stamp.left, layer.y - stamp.top, layer.cover, layer.ink)
    rows = canvas.rows()
    places = {row: place for place, row in enumerate(dict.fromkeys(rows))}
    points = bytearray().join(places)
    used = bytes(sorted(set(points)))
    return Print(
        points.translate(bytes.maketrans(used, bytes(range(len(used))))),
        tuple((at, at + stamp.wide) for at in range(0, len(points), stamp.wide)),
        tuple(places[row] for row in rows),
        tuple(canvas.palette.colours[number] for number in used),
    )

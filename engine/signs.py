"""Signs, bands and card backs that pictures of several games share, as closed curves around an origin.

Colours are also distinguished by their signs: a flame is red, a sun yellow, a leaf green, waves blue, a flower pink,
and a standing stone grey.
"""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin
from typing import NamedTuple

from engine.picture import Box, Curve, Group, Path, Plain

Point = tuple[float, float]
Outline = tuple[Curve, ...]

CREAM, GOLD, DARK = "#fffaf0", "#e3b34d", "#2b2620"
SEAT_COLOURS = ("#5b3fa8", "#a8335f", "#14706b", "#8a5a00", "#4a5a6a")
"""Violet, rose, teal, amber, slate: the colours of seats on boards and on pages. White can be read on each."""
ON_FELT, FAINT_ON_FELT = "#f8efd8", "#c6d2c2"
"""Colours of text on felt, which is dark in both themes."""
SHADE, HOLLOW, DIM = "#00000038", "#00000026", "#71897d"
"""Colours of shadows, of areas for pieces, and of print on the table. Few inks keep PNG files small."""


class Face(NamedTuple):
    """Colours of a card: its background, and its print."""

    fill: str
    ink: str


FACES: dict[str, Face] = {
    "red": Face("#b3263c", "#ffffff"),
    "yellow": Face("#f0b93a", DARK),
    "green": Face("#2f7d4f", "#ffffff"),
    "blue": Face("#22578f", "#ffffff"),
    "pink": Face("#dc8ec6", DARK),
    "grey": Face("#bab2a0", DARK),
}
KAPPA = 0.5523
"""Distance of control points from curve ends for a circle of radius 1 in four curves."""


def circle(radius: float, x: float = 0, y: float = 0) -> Curve:
    """Return a circle as four curves, clockwise."""
    far, pull = radius, radius * KAPPA
    return (
        (x + far, y),
        (x + far, y + pull, x + pull, y + far, x, y + far),
        (x - pull, y + far, x - far, y + pull, x - far, y),
        (x - far, y - pull, x - pull, y - far, x, y - far),
        (x + pull, y - far, x + far, y - pull, x + far, y),
    )


def _spoke(angle: float, start: float, end: float, half: float) -> Curve:
    """Return a bar that points away from the origin."""
    over, up = cos(angle), sin(angle)
    corners = ((start, -half), (end, -half), (end, half), (start, half))
    return tuple((out * over - side * up, out * up + side * over) for out, side in corners)


def _petal(angle: float) -> Curve:
    """Return a petal that begins near the origin and has a round end."""

    def at(radius: float, turn: float) -> Point:
        return radius * cos(angle + turn), radius * sin(angle + turn)

    start, end = at(4.6, 0), at(14.6, 0)
    return start, (*at(9, -0.95), *at(16.4, -0.62), *end), (*at(16.4, 0.62), *at(9, 0.95), *start)


def _wave(y: float) -> Curve:
    """Return a band of two waves."""
    over = ((-10.5, -6), (-7, 0), (-3.5, 6), (0, 0), (3.5, -6), (7, 0), (10.5, 6), (14, 0))
    back = ((10.5, 6), (7, 0), (3.5, -6), (0, 0), (-3.5, 6), (-7, 0), (-10.5, -6), (-14, 0))
    lower = y + 4.2
    first = tuple((*over[at], *over[at + 1]) for at in range(0, len(over), 2))
    second = tuple((*back[at], *back[at + 1]) for at in range(0, len(back), 2))
    down = tuple((x, y + up, end, y + to) for x, up, end, to in first)
    return (-14, y), *down, (14, lower), *((x, lower + up, end, lower + to) for x, up, end, to in second)


FLAME: Outline = (
    (
        (1, -15.5),
        (3.4, -8.4, 10.6, -4.4, 10.6, 4.6),
        (10.6, 11.4, 5.8, 15.2, 0, 15.2),
        (-5.8, 15.2, -10.6, 11.4, -10.6, 4.8),
        (-10.6, 0.8, -8.6, -2.2, -6, -4.6),
        (-5.8, -1.6, -4.8, 0.4, -3, 1),
        (-4.2, -5.6, -2.4, -11.4, 1, -15.5),
    ),
    (
        (0.8, 3.6),
        (-1.2, 6.4, -3.8, 7.6, -3.8, 10.2),
        (-3.8, 12.2, -2.2, 13.2, 0.2, 13.2),
        (2.6, 13.2, 4.2, 12.2, 4.2, 10.2),
        (4.2, 7.8, 2, 6.4, 0.8, 3.6),
    ),
)
SUN: Outline = (circle(6.6), *(_spoke(at * pi / 4, 9.4, 15, 1.7) for at in range(8)))
LEAF: Outline = (
    ((-9.6, 9.6), (-14, -3, -4.6, -13.6, 13.4, -13.4), (13.6, 4.4, 3, 14, -9.6, 9.6)),
    ((-15, 13.8), (-9.4, 8.2), (-8.2, 9.4), (-13.8, 15)),
    ((-6.4, 7.6), (8.8, -7.6), (7.6, -8.8), (-7.6, 6.4)),
)
WAVES: Outline = (_wave(-11.4), _wave(-2.1), _wave(7.2))
FLOWER: Outline = (circle(3.2), *(_petal(at * 2 * pi / 5 - pi / 2) for at in range(5)))
STANDING_STONE: Outline = (
    ((-7.6, 14.6), (-8.4, -6), (-8.4, -11.6, -3.4, -13.4, -1, -15.4), (3.6, -15, 6.4, -11.6, 6.8, -6.6), (8.4, 14.6)),
    ((0.6, -5.2), (0.6, -3), (7, -3), (6.9, -5.2)),
    ((0.6, -0.2), (0.6, 2), (7.3, 2), (7.2, -0.2)),
    ((0.6, 4.8), (0.6, 7), (7.7, 7), (7.6, 4.8)),
)
FIR: Outline = (
    (
        *((0.0, -15.0), (6.6, -6.0), (3.4, -6.0), (9.0, 2.0), (4.8, 2.0), (11.0, 10.4), (1.8, 10.4), (1.8, 15.0)),
        *((-1.8, 15.0), (-1.8, 10.4), (-11.0, 10.4), (-4.8, 2.0), (-9.0, 2.0), (-3.4, -6.0), (-6.6, -6.0)),
    ),
)
SIGNS: dict[str, Outline] = {
    "red": FLAME,
    "yellow": SUN,
    "green": LEAF,
    "blue": WAVES,
    "pink": FLOWER,
    "grey": STANDING_STONE,
    "fir": FIR,
}
SIGN_SIZE = 32
"""Height and width of the outlines above."""


@lru_cache(maxsize=512)
def scale_outline(outline: Outline, scale: float) -> Outline:
    """Return the same curves, scaled."""
    return tuple(tuple(tuple(round(number * scale, 2) for number in numbers) for numbers in curve) for curve in outline)


def sign(name: str, x: float, y: float, size: float, fill: str) -> Path:
    """Draw a sign of this height and width around a point."""
    return Path(x, y, scale_outline(SIGNS[name], size / SIGN_SIZE), fill)


LINKS = 8
"""Crossings in one piece of a band. Pieces are small, so that they are drawn once and cached."""


@lru_cache(maxsize=64)
def _links(many: int, wide: float, high: float) -> Outline:
    return tuple(
        ((at * wide, 0), ((at + 0.5) * wide, -high, (at + 1) * wide, 0), ((at + 0.5) * wide, high, at * wide, 0))
        for at in range(many)
    )


def interlace(x: float, y: float, width: float, line: str, *, high: float = 5, thick: float = 1.2) -> Path:
    """Draw two strands that cross again and again, around the height `y`."""
    many = max(1, round(width / (2.4 * high)))
    return Path(x, y, _links(many, round(width / many, 2), high), "", line, thick)


@lru_cache(maxsize=64)
def band(x: float, y: float, width: float, line: str, high: float = 5) -> tuple[Group, ...]:
    """Draw a long interlace as equal pieces."""
    pieces = max(1, round(width / (2.4 * high * LINKS)))
    piece = (interlace(1, 0, width / pieces - 2, line, high=high),)  # so that no piece covers another
    return tuple(Group(x + at * width / pieces, y, piece) for at in range(pieces))


@lru_cache(maxsize=64)
def _ring_dashes(radius: float, thick: float) -> Outline:
    many = max(8, round(radius * 2 * pi / 6.4))
    step = 2 * pi / many
    dashes = []
    for at in range(many):
        angles = (at * step, at * step + 0.3 * step, at * step + 0.6 * step)
        outer = [((radius + thick / 2) * cos(angle), (radius + thick / 2) * sin(angle)) for angle in angles]
        inner = [((radius - thick / 2) * cos(angle), (radius - thick / 2) * sin(angle)) for angle in angles[::-1]]
        dashes.append(tuple((round(over, 2), round(up, 2)) for over, up in outer + inner))
    return tuple(dashes)


def dashed_ring(x: float, y: float, radius: float, fill: str, thick: float = 1.6) -> Path:
    """Draw a ring of dashes around a point."""
    return Path(x, y, _ring_dashes(radius, thick), fill)


@lru_cache(maxsize=256)
def _side_dashes(width: float, height: float, corner: float, thick: float) -> Outline:
    dashes: list[Curve] = []
    for along, across, upright in ((width, height, False), (height, width, True)):
        many = max(1, round((along - 2 * corner) / 8))
        step = (along - 2 * corner) / many
        for at in range(many):
            start, end = corner + (at + 0.2) * step, corner + (at + 0.8) * step
            for low in (0.0, across - thick):
                box = ((start, low), (end, low), (end, low + thick), (start, low + thick))
                turned = tuple((y, x) for x, y in box)[::-1] if upright else box
                dashes.append(tuple((round(x, 2), round(y, 2)) for x, y in turned))
    return tuple(dashes)


def dashed_box(x: float, y: float, width: float, height: float, fill: str, *, corner: float = 6) -> Path:
    """Draw the sides of a rectangle as dashes, with open corners."""
    return Path(x, y, _side_dashes(width, height, corner, 1.4), fill)


def shadow(width: float, height: float, corner: float) -> Box:
    """Draw the part of the shadow of a piece at the origin that shows below the piece."""
    return Box(0, height - 2 * corner, width, 2 * corner + 2, SHADE, "", corner)


@lru_cache(maxsize=64)
def card_back(width: float, height: float) -> tuple[Plain, ...]:
    """Draw the back of a card: dark leather with two bands."""
    corner = min(7.0, width / 8)
    high = min(4.5, height / 16)
    return (
        shadow(width, height, corner),
        Box(0, 0, width, height, "#5b3a1e", "#2e1c0d", corner),
        Box(4, 4, width - 8, height - 8, "", "#c79a3f", max(corner - 3, 1)),
        interlace(8, height * 0.36, width - 16, "#e3b34d", high=high),
        interlace(8, height * 0.64, width - 16, "#e3b34d", high=high),
    )

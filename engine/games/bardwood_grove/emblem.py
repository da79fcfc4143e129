"""The emblem of Bardwood Grove: a clearing with two bards on a trail through the wood, and a song above it."""

from __future__ import annotations

from engine.emblem import AMBER, HEIGHT, ROSE, VIOLET, WIDTH, draw_ground, draw_pawn
from engine.picture import Curve, Disc, Line, Path, Plain, Shape
from engine.signs import CREAM, circle, sign

WOOD, TRAIL, EDGE = "#7c9a58", "#f0e4c2", "#b59c62"
NOTES: tuple[Curve, ...] = (
    circle(5.2, -8, 11),
    circle(5.2, 10, 8),
    ((-4.4, 11.0), (-4.4, -13.0), (15.2, -17.0), (15.2, 8.0), (12.2, 8.0), (12.2, -10.6), (-1.4, -7.8), (-1.4, 11.0)),
)


def draw_medallion(x: float, y: float, fill: str) -> tuple[Plain, ...]:
    """Draw two notes of a song on a disc."""
    return Disc(x, y, 27, fill, CREAM, 3), Path(x - 3, y + 2, NOTES, CREAM)


def draw_clearing(x: float, y: float, width: float, height: float) -> Path:
    """Draw an oval meadow around a point."""
    oval = tuple(
        tuple(part * (height if at % 2 else width) for at, part in enumerate(numbers)) for numbers in circle(0.5)
    )
    return Path(x, y, (oval,), "#b4cb8c", "#7f9c58", 2)


EMBLEM: tuple[Shape, ...] = (
    draw_ground("#dfe2bf"),
    Line(((-10, 92), (70, 84), (140, 98), (210, 84), (WIDTH + 10, 60)), EDGE, 20),
    Line(((-10, 92), (70, 84), (140, 98), (210, 84), (WIDTH + 10, 60)), TRAIL, 15),
    draw_clearing(208, 84, 112, 72),
    *(sign("fir", x, y, size, WOOD) for x, y, size in ((22, 40, 50), (112, 30, 40), (142, 44, 34), (284, 28, 46))),
    *(sign("fir", x, HEIGHT - y, size, WOOD) for x, y, size in ((20, 10, 34), (120, 8, 30), (278, 18, 44))),
    *draw_medallion(66, 56, ROSE),
    *draw_medallion(222, 28, AMBER),
    *draw_pawn(190, 88, 40, VIOLET),
    *draw_pawn(226, 92, 40, ROSE),
)

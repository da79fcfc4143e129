"""Parts of emblems: small drawings that stand for a game in lists, the same in every language."""

from __future__ import annotations

from engine.picture import Box, Curve, Group, Path, Plain, Text
from engine.signs import CREAM, FACES, SHADE, circle, scale_outline, sign

WIDTH, HEIGHT = 300, 132
"""Size of an emblem. Anything beyond is cut off."""
VIOLET, ROSE, TEAL, AMBER = "#5b3fa8", "#a8335f", "#14706b", "#8a5a00"
BODY: Curve = (
    (-11.0, 16.0),
    (-10.0, 4.0, -6.0, 2.0, -3.4, 0.0),
    (3.4, 0.0),
    (6.0, 2.0, 10.0, 4.0, 11.0, 16.0),
)
CARD_SIZE = (62.0, 92.0)


def draw_ground(fill: str) -> Box:
    """Draw the background."""
    return Box(0, 0, WIDTH, HEIGHT, fill)


def draw_card(x: float, y: float, colour: str, value: str, size: tuple[float, float] = CARD_SIZE) -> Group:
    """Draw a card of a colour: its value and its sign."""
    (width, height), face = size, FACES[colour]
    return Group(
        x,
        y,
        (
            Box(0, 3, width, height, SHADE, "", 8),
            Box(0, 0, width, height, CREAM, "", 8),
            Box(3.5, 3.5, width - 7, height - 7, face.fill, "", 5.5),
            Text(9, 27, value, 23, face.ink, bold=True),
            sign(colour, width / 2, height * 0.66, 36, face.ink),
        ),
    )


def draw_pawn(x: float, y: float, size: float, fill: str) -> tuple[Plain, ...]:
    """Draw a figure with a light rim, `size` units high, around a point."""
    outline = (circle(6.4, 0, -7), BODY)
    scale = size / 34
    return (
        Path(x, y, scale_outline(outline, scale), CREAM, CREAM, 5 * scale),
        Path(x, y, scale_outline(outline, scale), fill),
    )

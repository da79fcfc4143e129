"""The emblem of Tír na nÓg: a Storyteller between two cards of the Otherworld, and free spots around them."""

from __future__ import annotations

from engine.emblem import VIOLET, draw_ground, draw_pawn
from engine.picture import Box, Group, Shape, Text
from engine.signs import CREAM, FACES, GOLD, SHADE, dashed_ring, interlace, sign


def draw_broad_card(x: float, y: float, colour: str, value: str) -> Group:
    """Draw a card with its colour on the left edge, and a band where its text is."""
    face = FACES[colour]
    return Group(
        x,
        y,
        (
            Box(0, 3, 118, 88, SHADE, "", 7),
            Box(0, 0, 118, 88, face.fill, "", 7),
            Box(32, 3, 83, 82, CREAM, "", 5),
            Text(16, 27, value, 23, face.ink, "middle", bold=True),
            sign(colour, 16, 52, 23, face.ink),
            Box(40, 14, 58, 7, "#2b2620", "", 3),
            Box(40, 28, 40, 7, "#2b2620", "", 3),
            interlace(40, 70, 66, face.fill, high=4),
        ),
    )


EMBLEM: tuple[Shape, ...] = (
    draw_ground("#1d3a4a"),
    draw_broad_card(14, 22, "red", "8"),
    draw_broad_card(172, 22, "blue", "6"),
    *(dashed_ring(x, y, 14, GOLD) for x, y in ((73, 3), (231, 129), (298, 66), (3, 66))),
    *draw_pawn(152, 68, 44, VIOLET),
)

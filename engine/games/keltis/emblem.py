"""The emblem of Keltis: a row of one colour that falls, and the place of its next card."""

from __future__ import annotations

from engine.emblem import draw_card, draw_ground
from engine.picture import Box, Shape
from engine.signs import GOLD, HOLLOW, dashed_box

STEP = 44

EMBLEM: tuple[Shape, ...] = (
    draw_ground("#23493c"),
    *(draw_card(22 + STEP * place, 20, "blue", value) for place, value in enumerate(("10", "7", "7", "6"))),
    Box(224, 18, 66, 96, HOLLOW, "", 8),
    dashed_box(224, 18, 66, 96, GOLD, corner=8),
)

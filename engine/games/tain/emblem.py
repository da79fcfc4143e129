"""The emblem of Táin: three gates, hidden tokens before them, guards and cattle behind."""

from __future__ import annotations

from engine.emblem import AMBER, HEIGHT, ROSE, TEAL, VIOLET, WIDTH
from engine.games.tain.pieces import GRASS, SHIELD, STONE, draw_cow, draw_gate, draw_triskele
from engine.picture import Box, Disc, Group, Path, Plain, Shape
from engine.signs import CREAM, SHADE, scale_outline


def draw_hidden_token(x: float, y: float, fill: str) -> tuple[Plain, ...]:
    """Draw a token face down."""
    return Disc(x, y + 3, 23, SHADE), Disc(x, y, 23, fill, CREAM, 2.5), draw_triskele(x, y, 17, CREAM)


def draw_guard(x: float, y: float, fill: str) -> tuple[Plain, ...]:
    """Draw a token with a shield."""
    shield = Path(x, y, scale_outline((SHIELD,), 1.7), CREAM)
    return Disc(x, y + 3, 23, SHADE), Disc(x, y, 23, fill, CREAM, 2.5), shield


EMBLEM: tuple[Shape, ...] = (
    Box(0, 0, 200, HEIGHT, GRASS),
    Box(200, 0, WIDTH - 200, HEIGHT, STONE),
    *draw_gate(50, 66, 72, "2"),
    *draw_gate(150, 66, 72, "3"),
    *draw_gate(250, 66, 72, "4"),
    *draw_hidden_token(50, 30, ROSE),
    *draw_hidden_token(150, 30, TEAL),
    *draw_hidden_token(250, 30, AMBER),
    Group(34, 98, draw_cow(0, 0)),
    Group(62, 108, draw_cow(0, 0)),
    *draw_guard(150, 102, VIOLET),
    *draw_guard(250, 102, VIOLET),
)

"""Colours of shapes: `#rrggbb`, `#rrggbbaa`, or empty for none."""

from __future__ import annotations

import re
from functools import lru_cache

Colour = tuple[int, int, int]
Ink = tuple[int, int, int, int]

OPAQUE = 255
LEVELS = 8
EDGE = 8
WHITE: Colour = (255, 255, 255)
FORM = re.compile("#([0-9a-f]{6})([0-9a-f]{2})?", re.IGNORECASE)


@lru_cache(maxsize=256)
def parts(colour: str) -> Ink:
    """Red, green, blue and opacity, each from 0 to 255."""
    if not colour:
        return 0, 0, 0, 0
    found = FORM.fullmatch(colour)
    if not found:
        raise ValueError(f"{colour!r} is not a colour; shapes take #rrggbb, #rrggbbaa or an empty text for none")
    red, green, blue = bytes.fromhex(found[1])
    return red, green, blue, int(found[2], 16) if found[2] else OPAQUE


@lru_cache(maxsize=8192)
def mixed(below: Colour, ink: Ink, level: int) -> Colour:
    """The colour where ink covers so many of the levels of a point; edges keep to few colours, which nobody sees."""
    share, step = level * ink[3] / (LEVELS * OPAQUE), 1 if level == LEVELS else EDGE
    red, green, blue = (
        min(255, round((under + (over - under) * share) / step) * step) for under, over in zip(below, ink, strict=False)
    )
    return red, green, blue

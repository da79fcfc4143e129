"""Colours of shapes: `#rrggbb`, `#rrggbbaa`, or empty for none."""

from __future__ import annotations

import re
from functools import lru_cache

Colour = tuple[int, int, int]
Ink = tuple[int, int, int, int]

OPAQUE = 255
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


def mixed(below: Colour, ink: Ink, cover: float) -> Colour:
    """The colour where ink covers this part of a point."""
    share = cover * ink[3] / OPAQUE
    red, green, blue = (round(under + (over - under) * share) for under, over in zip(below, ink, strict=False))
    return red, green, blue

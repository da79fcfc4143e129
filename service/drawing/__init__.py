"""Pictures of a game's shapes: SVG for pages, PNG for letters."""

from __future__ import annotations

from functools import lru_cache

from engine.picture import Shape
from service.drawing import render_png, render_svg

MOST_PNG_WIDTH = 1200


@lru_cache(maxsize=64)
def svg(shapes: tuple[Shape, ...], title: str, description: str) -> str:
    """The picture as one SVG document that needs nothing else."""
    return render_svg.render(shapes, title, description)


def draw_png(shapes: tuple[Shape, ...], scale: float = 2.0, family: str = "") -> bytes:
    """The picture as PNG, so many pixels to the unit, but never wider than 1200 pixels.

    Pictures of one family, such as those of a game, are drawn of the same pieces, which are kept for the next of them.
    """
    return render_png.render(shapes, scale, MOST_PNG_WIDTH, family)


png = lru_cache(maxsize=64)(draw_png)
"""The same for who asks for a picture again and again; of one that nobody asks for twice this costs a tenth more."""

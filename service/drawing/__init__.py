"""Pictures of a game's shapes: SVG for pages, PNG for emails.

To change how a shape looks, edit both `render_svg.py` and `shapes.py`, which covers the points of a PNG. Colours of
themes are in `palette.py`. What a game draws is in its own `picture.py`.

Do not break this: a picture depends only on its shapes. Caches change its cost, never its points.
"""

from __future__ import annotations

from functools import lru_cache

from engine.picture import Shape
from service.drawing import render_png, render_svg

MOST_PNG_WIDTH = 1200


@lru_cache(maxsize=64)
def svg(shapes: tuple[Shape, ...], title: str, description: str) -> str:
    """Return the picture as a self-contained SVG document."""
    return render_svg.render(shapes, title, description)


def draw_png(shapes: tuple[Shape, ...], scale: float = 2.0, family: str = "") -> bytes:
    """Return the picture as PNG with `scale` pixels per unit, at most 1200 pixels wide.

    Pictures of one family, such as those of a game, share cached sprites.
    """
    return render_png.render(shapes, scale, MOST_PNG_WIDTH, family)


png = lru_cache(maxsize=64)(draw_png)
"""Cached form of `draw_png`, for pictures that are requested repeatedly. Caching costs a tenth of the drawing."""

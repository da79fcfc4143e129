"""Draw sprites on canvases of one palette, and cache their painted rows for the next picture."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.drawing.canvas import ALL_BYTES, FIRST_COLOUR, SINGLE_BYTES, Canvas
from service.drawing.palette import Blender, Colour, Palette, PaletteFull
from service.drawing.sprites import MOST_GROUP_POINTS, Sprite, find_gap_places

MOST_SPRITE_IMAGES = 1024
"""Maximum number of sprites: about 5 MB at 5 kB each as a rule; a card is up to 40 kB."""


@dataclass(frozen=True, eq=False, slots=True)
class SpriteImage:
    """The points of a sprite and their colours; for a large one its distinct rows and their order."""

    points: bytes
    rows: NDArray[np.intp] | None
    colours: tuple[Colour, ...]


_workbench = Blender(Palette((), shared=True))
"""Mixes the colours of sprites. Many are covered again, so they would only fill the palettes of pictures."""


@lru_cache(maxsize=MOST_SPRITE_IMAGES)
def render_sprite(sprite: Sprite, background: tuple[Colour, ...]) -> SpriteImage:
    """Paint a sprite over the colours in its gaps, or over the single colour that they share."""
    global _workbench  # noqa: PLW0603  # replaced whole, so that threads need no lock
    try:
        return _render_image(sprite, background, _workbench)
    except PaletteFull:
        _workbench = Blender(Palette((), shared=True))
    return _render_image(sprite, background, Blender(Palette(background)))


def _render_image(sprite: Sprite, background: tuple[Colour, ...], blender: Blender) -> SpriteImage:
    palette = blender.palette
    canvas = Canvas(sprite.wide, sprite.high, blender, SINGLE_BYTES[palette[background[0]]])
    if len(background) > 1 and sprite.gaps:
        canvas.flat[find_gap_places(sprite.gaps, canvas.step) + 1] = list(map(palette.__getitem__, background))
    for layer in sprite.layers:
        canvas.paint(layer.x - sprite.left, layer.y - sprite.top, layer.cover, layer.ink)
    points, order = canvas.grid.tobytes(), None
    if len(points) > MOST_GROUP_POINTS:
        rows = canvas.rows()
        places = {row: place for place, row in enumerate(dict.fromkeys(rows))}
        points, order = b"".join(places), np.array([places[row] for row in rows], np.intp)
    numbers = np.flatnonzero(np.bincount(np.frombuffer(points, np.uint8)))
    # Sorted by colour, since the numbers on the workbench depend on earlier drawings.
    used = bytes(sorted(numbers.tolist(), key=palette.colours.__getitem__))
    table = bytes.maketrans(used, ALL_BYTES[: len(used)])
    return SpriteImage(points.translate(table), order, tuple(map(palette.colours.__getitem__, used)))


MOST_BACKGROUND_POINTS = 1024
"""Maximum number of differently coloured points in the gaps of a cached sprite."""
MOST_POINTS, MOST_CACHES = 12_000_000, 6
"""Maximum number of caches, one per game with its cards in both languages, and of points in each of them."""


class SpriteBlock(NamedTuple):
    """A sprite in the numbers of a palette: its points in rows and columns, and the numbers in use."""

    points: NDArray[np.uint8]
    used: bytes


class SpriteCache:
    """Sprites by their background, in palette numbers."""

    def __init__(self, family: str, palette: Palette) -> None:
        self.family, self.palette, self.blender = family, palette, Blender(palette)
        self.known: dict[tuple[Sprite, bytes], SpriteBlock] = {}
        self.points = 0
        """Number of points of all of them."""

    def draw(self, canvas: Canvas, placed: Iterable[tuple[int, int, Sprite]]) -> None:
        """Draw sprites with their origins; small ones as cached for the same background.

        A picture has about a hundred of them, so this reads the canvas directly, without a method call for each.
        """
        grid, flat, step, used, known = canvas.grid, canvas.flat, canvas.step, canvas.used, self.known
        for x, y, sprite in placed:
            left, top, gaps = x + sprite.left, y + sprite.top, sprite.gaps
            right, bottom = left + sprite.wide, top + sprite.high
            if gaps is None or left < 0 or top < 0 or right > canvas.wide or bottom > canvas.high:
                self._paint_layers(canvas, x, y, sprite)
                continue
            if gaps.places is None:
                below = grid[top:bottom, left:right].tobytes()
            elif gaps.many:
                below = flat[top * step + left + 1 :].take(find_gap_places(gaps, step)).tobytes()
            else:
                below = FIRST_COLOUR
            if below == below[:1] * len(below):
                below = below[:1]
            elif len(below) > MOST_BACKGROUND_POINTS:
                self._paint_layers(canvas, x, y, sprite)
                continue
            found = known.get((sprite, below)) or self._render_block(sprite, below)
            used.append(found.used)
            grid[top:bottom, left:right] = found.points

    def _paint_layers(self, canvas: Canvas, x: int, y: int, sprite: Sprite) -> None:
        """Paint a sprite that is not cached: too large, over the edge, or over too many colours."""
        for layer in sprite.layers:
            canvas.paint(x + layer.x, y + layer.y, layer.cover, layer.ink)

    def _render_block(self, sprite: Sprite, background: bytes) -> SpriteBlock:
        image = render_sprite(sprite, tuple([self.palette.colours[number] for number in background]))
        numbers = bytes(map(self.palette.__getitem__, image.colours))
        rows = np.frombuffer(image.points.translate(numbers.ljust(256)), np.uint8).reshape(-1, sprite.wide)
        if self.points > MOST_POINTS:
            self._drop_older_half()
        found = self.known[sprite, background] = SpriteBlock(rows if image.rows is None else rows[image.rows], numbers)
        self.points += found.points.size
        return found

    def _drop_older_half(self) -> None:
        """Forget the sprites that were drawn first. Those still in use are soon drawn again."""
        for key in list(self.known)[: len(self.known) // 2 + 1]:
            dropped = self.known.pop(key, None)
            self.points -= dropped.points.size if dropped else 0


_caches: tuple[SpriteCache, ...] = ()


def cache_of_family(family: str, paper: Colour) -> SpriteCache:
    """Return the cache of a family of pictures on a background of one colour."""
    global _caches  # noqa: PLW0603  # the latest first; a tuple, so that threads can look through it without a lock
    others = [each for each in _caches if not each.palette.full]
    fit = (each for each in others if each.family == family and each.palette.colours[0] == paper)
    found = next(fit, None) or SpriteCache(family, Palette((paper,), shared=True))
    _caches = (found, *(each for each in others if each is not found))[:MOST_CACHES]
    return found


def clear_caches() -> None:
    """Clear the caches."""
    global _caches  # noqa: PLW0603
    _caches = ()

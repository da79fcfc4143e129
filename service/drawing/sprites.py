"""Sprites: a few shapes that occur together again and again, such as a card with its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from service.drawing import shapes
from service.drawing.palette import COVERAGE_LEVELS, OPAQUE
from service.drawing.polygon_fill import LEVEL_STEP, Coverage
from service.drawing.shapes import Layer

MOST_SPRITE_POINTS = 8192
"""Maximum points of a sprite that is cached as painted. A bare box may be larger: most of its rows are equal."""
MOST_GROUP_POINTS = 40960
"""Maximum points of a sprite of a whole group, such as a card. For larger ones only rows are kept."""
MOST_GAPS_PER_ROW = 16
"""Maximum points per row that are looked at one by one; beyond that, whole rows are faster."""
LEAST_SHARE = 3
"""Layers smaller than this part of a sprite, such as letters, are not checked for hiding the background."""
WHOLE = COVERAGE_LEVELS * LEVEL_STEP
SpriteText = tuple[float, int, str, float, str, str, bool]
SHAPE_LAYERS: dict[str, Callable[..., Iterator[Layer]]] = {
    "box": shapes.box_layers,
    "disc": shapes.disc_layers,
    "line": shapes.line_layers,
    "path": shapes.path_layers,
}


@dataclass(frozen=True, eq=False, slots=True)
class Gaps:
    """Points of a grid that are not covered: row and column of each, or all points."""

    wide: int
    high: int
    places: tuple[NDArray[np.intp], NDArray[np.intp]] | None
    many: int


@dataclass(frozen=True, eq=False, slots=True)
class Sprite:
    """Layers around an origin, the grid that holds them, and the gaps through which the background may be seen."""

    layers: tuple[Layer, ...]
    left: int
    top: int
    wide: int
    high: int
    gaps: Gaps | None
    """None for a sprite that is too large to cache."""


@lru_cache(maxsize=4096)
def make_sprite(kind: str, host: tuple[Any, ...], texts: tuple[SpriteText, ...]) -> Sprite:
    """Return a sprite of texts, on a host shape such as a box if there is one."""
    layers = (
        *(SHAPE_LAYERS[kind](*host) if kind else ()),
        *(each for words in texts for each in shapes.text_layers(*words)),
    )
    return _sprite_of_layers(layers, inf if kind == "box" and not texts else MOST_SPRITE_POINTS)


def join_sprites(placed: Sequence[tuple[int, int, Sprite]]) -> Sprite | None:
    """Merge sprites around an origin, such as everything on a card. Return None if the result is too large to cache."""
    layers = tuple(
        Layer(x + layer.x, y + layer.y, layer.cover, layer.ink) for x, y, each in placed for layer in each.layers
    )
    joined = _sprite_of_layers(layers, MOST_GROUP_POINTS)
    return joined if joined.gaps else None


def _sprite_of_layers(found: Iterable[Layer], most: float) -> Sprite:
    """Return a sprite of layers, cached as painted only if it has at most `most` points."""
    layers = tuple(each for each in found if each.cover.right > each.cover.left)
    if not layers:
        return Sprite((), 0, 0, 0, 0, None)
    left, top = min(each.x + each.cover.left for each in layers), min(each.y + each.cover.top for each in layers)
    wide = max(each.x + each.cover.right for each in layers) - left
    high = max(each.y + each.cover.bottom for each in layers) - top
    if wide * high > most:
        return Sprite(layers, left, top, wide, high, None)
    covers = tuple((each.cover, each.x - left, each.y - top) for each in layers if _may_hide(each, wide * high))
    return Sprite(layers, left, top, wide, high, _find_gaps(covers, wide, high))


def _may_hide(layer: Layer, points: int) -> bool:
    """Return True if a layer is opaque and covers enough points to be worth checking."""
    wide, high = layer.cover.right - layer.cover.left, layer.cover.bottom - layer.cover.top
    return layer.ink[3] == OPAQUE and LEAST_SHARE * wide * high >= points


@lru_cache(maxsize=2048)
def _find_gaps(covers: tuple[tuple[Coverage, int, int], ...], wide: int, high: int) -> Gaps:
    """Return the points of a grid that covers leave open, wholly or in part; the whole grid if that is cheaper."""
    grid = np.zeros((high, wide), np.uint16)
    for cover, x, y in covers:
        if cover.grid is not None:
            left, top, (down, across) = x + cover.left, y + cover.top, cover.grid.shape
            part = grid[top : top + down, left : left + across]
            np.maximum(part, cover.grid, out=part)
            continue
        for below, right, levels, whole, many in cover.spans:
            part = grid[y + below : y + below + many, x + right : x + right + len(levels)]
            if whole:
                part[:] = WHOLE
            else:
                np.maximum(part, np.frombuffer(levels, np.uint8).astype(np.uint16) * LEVEL_STEP, out=part)
    rows, columns = np.nonzero(grid != WHOLE)
    return Gaps(wide, high, (rows, columns) if len(rows) <= MOST_GAPS_PER_ROW * high else None, len(rows))


@lru_cache(maxsize=1024)
def find_gap_places(gaps: Gaps, step: int) -> NDArray[np.intp]:
    """Return the offsets of gaps from a sprite's first point on a canvas with rows of `step` points."""
    rows, columns = gaps.places or np.indices((gaps.high, gaps.wide)).reshape(2, -1)
    return rows * step + columns

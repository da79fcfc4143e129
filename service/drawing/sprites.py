"""Sprites: a few shapes that come together again and again, such as a card with its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from operator import itemgetter
from typing import Any

from service.drawing import shapes
from service.drawing.palette import COVERAGE_LEVELS, OPAQUE
from service.drawing.polygon_fill import Coverage
from service.drawing.shapes import Layer

MOST_SPRITE_POINTS = 8192
"""How many points a sprite may have to be kept as painted, unless it is a bare box, most of whose rows are alike."""
MOST_GAPS_PER_ROW = 6
"""How many points to the row are looked at one by one, before it is less to look at whole rows."""
SpriteText = tuple[float, int, str, float, str, str, bool]
SHAPE_LAYERS: dict[str, Callable[..., Iterator[Layer]]] = {
    "box": shapes.box_layers,
    "disc": shapes.disc_layers,
    "line": shapes.line_layers,
    "path": shapes.path_layers,
}


@dataclass(frozen=True, eq=False, slots=True)
class Gaps:
    """Points of a grid that are not covered: row and column of each, or all of them."""

    wide: int
    high: int
    places: tuple[tuple[int, int], ...] | None

    def positions(self) -> Iterable[tuple[int, int]]:
        """Row and column of each."""
        return product(range(self.high), range(self.wide)) if self.places is None else self.places


@dataclass(frozen=True, eq=False, slots=True)
class Sprite:
    """Layers around an origin, the grid that holds them, and the gaps through which the background may be seen."""

    layers: tuple[Layer, ...]
    left: int
    top: int
    wide: int
    high: int
    gaps: Gaps | None
    """Nothing for what is too large to be kept."""


@lru_cache(maxsize=4096)
def make_sprite(kind: str, host: tuple[Any, ...], texts: tuple[SpriteText, ...]) -> Sprite:
    """A host such as a box, if there is one, with texts on it."""
    layers = (
        *(SHAPE_LAYERS[kind](*host) if kind else ()),
        *(each for words in texts for each in shapes.text_layers(*words)),
    )
    layers = tuple(each for each in layers if each.cover.spans)
    if not layers:
        return Sprite((), 0, 0, 0, 0, None)
    left, top = min(each.x + each.cover.left for each in layers), min(each.y + each.cover.top for each in layers)
    wide = max(each.x + each.cover.right for each in layers) - left
    high = max(each.y + each.cover.bottom for each in layers) - top
    if wide * high > MOST_SPRITE_POINTS and (kind != "box" or texts):
        return Sprite(layers, left, top, wide, high, None)
    first = layers[0]
    solid = kind in ("box", "disc") and first.ink[3] == OPAQUE
    gaps = _find_gaps(first.cover if solid else None, left - first.x, top - first.y, wide, high)
    return Sprite(layers, left, top, wide, high, gaps)


@lru_cache(maxsize=1024)
def _find_gaps(cover: Coverage | None, left: int, top: int, wide: int, high: int) -> Gaps:
    """What a cover leaves open of a grid, wholly or in part; all of it where that is less to look at."""
    if cover is None:
        return Gaps(wide, high, None)
    grid = bytearray(wide * high)
    for y, x, levels, _, many in cover.spans:
        for start in range((y - top) * wide + x - left, (y - top + many) * wide, wide):
            grid[start : start + len(levels)] = levels
    found = tuple(divmod(at, wide) for at, level in enumerate(grid) if level != COVERAGE_LEVELS)
    return Gaps(wide, high, found if len(found) <= MOST_GAPS_PER_ROW * high else None)


@lru_cache(maxsize=1024)
def gap_getter(gaps: Gaps, step: int) -> Callable[[memoryview], tuple[int, ...]]:
    """What takes the gaps, the first one twice, from a canvas whose rows are so far from each other."""
    places = [row * step + column for row, column in gaps.positions()]
    return itemgetter(places[0], *places)

"""Shapes as PNG, drawn here because a palette keeps files small and fast, and no font needs to be installed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import floor
from typing import Any

from engine.picture import Box, Disc, Group, Line, Path, Shape, Text, extent
from service.drawing.canvas import Canvas
from service.drawing.palette import OPAQUE, WHITE, Colour, Palette, PaletteFull, parse_colour
from service.drawing.shapes import path_contours
from service.drawing.sprite_cache import SpriteCache, cache_of_family
from service.drawing.sprites import MOST_SPRITE_POINTS, Sprite, SpriteText, join_sprites, make_sprite

MOST_GROUPS = 4096
PlacedSprites = tuple[tuple[int, int, Sprite], ...]
_sprites_by_identity: dict[tuple[int, float], tuple[tuple[Shape, ...], PlacedSprites]] = {}


def render(shapes: tuple[Shape, ...], scale: float, widest: int, family: str) -> bytes:
    """Return the PNG file of a picture with `scale` points per unit, less if it would be wider than `widest`.

    Pictures of a family share cached sprites.
    """
    wide, high = extent(shapes)
    scale = min(scale, widest / wide)
    paper = _background_colour(shapes[0], wide, high) if shapes else WHITE
    size = max(1, round(wide * scale)), max(1, round(high * scale))
    placed = place_sprites(shapes[1:] if paper else shapes, scale)
    try:
        return _draw_sprites(size, placed, cache_of_family(family, paper or WHITE))
    except PaletteFull:
        own = Palette((paper or WHITE, *_opaque_colours(shapes)))
        return _draw_sprites(size, placed, SpriteCache(family, own))


def _draw_sprites(size: tuple[int, int], placed: list[tuple[int, int, Sprite]], sprites: SpriteCache) -> bytes:
    canvas = Canvas(*size, sprites.blender)
    sprites.draw(canvas, placed)
    return canvas.png_bytes()


def _background_colour(shape: Shape, wide: float, high: float) -> Colour | None:
    """Return the colour of a shape that only paints the whole background, or None."""
    if not isinstance(shape, Box) or shape != Box(0, 0, wide, high, shape.fill):
        return None
    ink = parse_colour(shape.fill)
    return ink[:3] if ink[3] == OPAQUE else None


def _opaque_colours(shapes: tuple[Shape, ...]) -> Iterator[Colour]:
    """Return the colours of shapes. They come first in the palette, so that a full palette spoils only smooth edges."""
    named: dict[str, None] = {}
    for shape in shapes:
        named.update(dict.fromkeys(_shape_inks(shape)))
    return (ink[:3] for ink in map(parse_colour, named) if ink[3] == OPAQUE)


def _shape_inks(shape: Shape) -> tuple[str, ...]:
    if isinstance(shape, Group):
        return tuple(ink for each in shape.shapes for ink in _shape_inks(each))
    return (shape.fill,) if isinstance(shape, Text) else (shape.fill, shape.line)


def place_sprites(shapes: Sequence[Shape], scale: float) -> list[tuple[int, int, Sprite]]:
    """Return the shapes as sprites in order. Text on a small shape belongs to its sprite."""
    placed: list[tuple[int, int, Sprite]] = []
    at = 0
    while at < len(shapes):
        shape = shapes[at]
        at += 1
        if isinstance(shape, Group):
            x, y = round(shape.x * scale), round(shape.y * scale)
            for across, down, each in group_sprites(shape.shapes, scale):
                placed.append((x + across, y + down, each))
            continue
        if isinstance(shape, Text):
            x, y = round(shape.x * scale), round(shape.y * scale)
            placed.append((x, y, make_sprite("", (), (_sprite_text(shape, scale, shape.x, shape.y),))))
            continue
        x, y, kind, host = _shape_arguments(shape, scale)
        texts: list[SpriteText] = []
        while isinstance(shape, Box | Disc) and (text := _next_text_on_shape(shape, shapes, at, scale)):
            texts.append(_sprite_text(text, scale, shape.x, shape.y))
            at += 1
        placed.append((x, y, make_sprite(kind, host, tuple(texts))))
    return placed


def group_sprites(shapes: tuple[Shape, ...], scale: float) -> PlacedSprites:
    """Return the sprites of a group. The cache key is the tuple of shapes that a game keeps."""
    found = _sprites_by_identity.get((id(shapes), scale))
    if found is None:
        if len(_sprites_by_identity) >= MOST_GROUPS:
            _sprites_by_identity.clear()
        # The tuple is kept with its sprites, so that no other tuple can get its identity.
        found = _sprites_by_identity[id(shapes), scale] = shapes, _make_group_sprites(shapes, scale)
    return found[1]


@lru_cache(maxsize=MOST_GROUPS)
def _make_group_sprites(shapes: tuple[Shape, ...], scale: float) -> PlacedSprites:
    """Return the sprites of a group: a single one if it is as small as a card and holds no other group."""
    placed = tuple(place_sprites(shapes, scale))
    joined = None if any(isinstance(shape, Group) for shape in shapes) else join_sprites(placed)
    return ((0, 0, joined),) if joined else placed


def _sprite_text(text: Text, scale: float, x: float, y: float) -> SpriteText:
    """Return a text relative to an origin at whole points, so that the next such card gives the same sprite."""
    across, down = (text.x - x) * scale, round((text.y - y) * scale)
    return round(4 * across) / 4, down, text.words, text.size * scale, text.fill, text.at, text.bold


def _next_text_on_shape(shape: Box | Disc, shapes: Sequence[Shape], at: int, scale: float) -> Text | None:
    """Return the text at this index if it starts, ends or is centred on a small shape."""
    text = shapes[at] if at < len(shapes) else None
    return text if isinstance(text, Text) and _holds_text(shape, text, scale) else None


def _holds_text(shape: Box | Disc, text: Text, scale: float) -> bool:
    if isinstance(shape, Box):
        across, down = text.x - shape.x, text.y - shape.y
        small = shape.width * shape.height * scale * scale <= MOST_SPRITE_POINTS
        return small and 0 <= across <= shape.width and 0 <= down <= shape.height
    return max(abs(text.x - shape.x), abs(text.y - shape.y)) < shape.radius


def _shape_arguments(shape: Box | Disc | Line | Path, scale: float) -> tuple[int, int, str, tuple[Any, ...]]:
    """Return the origin of a shape, and the shape relative to it."""
    if isinstance(shape, Box):
        # Edges of boxes lie between points, so that they are sharp at every scale.
        x, y = round(shape.x * scale), round(shape.y * scale)
        wide, high = round(shape.width * scale), round(shape.height * scale)
        if wide * high > MOST_SPRITE_POINTS:
            wide, high = round((shape.x + shape.width) * scale) - x, round((shape.y + shape.height) * scale) - y
        thick = max(1, round(shape.thick * scale))
        return x, y, "box", (wide, high, shape.fill, shape.line, shape.round * scale, thick)
    if isinstance(shape, Disc):
        x, y = round(shape.x * scale), round(shape.y * scale)
        return x, y, "disc", (shape.radius * scale, shape.fill, shape.line, shape.thick * scale)
    if isinstance(shape, Path):
        x, y = round(shape.x * scale), round(shape.y * scale)
        return x, y, "path", (path_contours(shape.curves, scale), shape.fill, shape.line, shape.thick * scale)
    x, y = (floor(part * scale) for part in shape.points[0])
    points = tuple((round(8 * (one * scale - x)) / 8, round(8 * (two * scale - y)) / 8) for one, two in shape.points)
    return x, y, "line", (points, shape.fill, shape.line, shape.thick * scale)

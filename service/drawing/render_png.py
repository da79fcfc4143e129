"""Shapes as PNG, drawn here because a palette makes the file small and cheap, and no font need be installed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from math import floor
from typing import Any

from engine.picture import Box, Disc, Group, Line, Plain, Shape, Text, extent
from service.drawing.canvas import Canvas
from service.drawing.palette import Full, Palette
from service.drawing.palette_colour import OPAQUE, WHITE, Colour, parts
from service.drawing.sprite_cache import Press, press
from service.drawing.sprites import LARGEST, Stamp, Words, stamp

MOST_GROUPS = 4096


def image(shapes: tuple[Shape, ...], scale: float, widest: int) -> bytes:
    """The picture, so many points to the unit unless that is too wide."""
    wide, high = extent(shapes)
    scale = min(scale, widest / wide)
    paper = _paper(shapes[0], wide, high) if shapes else WHITE
    size = max(1, round(wide * scale)), max(1, round(high * scale))
    plain, laid = (paper or WHITE, *_plain(shapes)), list(stamps(shapes[1:] if paper else shapes, scale))
    try:
        return _drawn(size, plain, laid, press(plain))
    except Full:
        return _drawn(size, plain, laid, Press(Palette(plain)))


def _drawn(size: tuple[int, int], plain: tuple[Colour, ...], laid: list[tuple[int, int, Stamp]], with_: Press) -> bytes:
    canvas = Canvas(*size, with_.palette, plain)
    for x, y, each in laid:
        with_.lay(canvas, x, y, each)
    return canvas.file()


def _paper(shape: Shape, wide: float, high: float) -> Colour | None:
    """The colour of a shape that is nothing but the paper under all others."""
    if not isinstance(shape, Box) or shape != Box(0, 0, wide, high, shape.fill):
        return None
    ink = parts(shape.fill)
    return ink[:3] if ink[3] == OPAQUE else None


def _plain(shapes: tuple[Shape, ...]) -> Iterator[Colour]:
    """The colours of shapes, which come first in the palette, so that a full one costs only smooth edges."""
    named: dict[str, None] = {}
    for shape in shapes:
        named.update(_named(shape.shapes) if isinstance(shape, Group) else dict.fromkeys(_inks(shape)))
    return (ink[:3] for ink in map(parts, named) if ink[3] == OPAQUE)


@lru_cache(maxsize=MOST_GROUPS)
def _named(shapes: tuple[Plain, ...]) -> dict[str, None]:
    return dict.fromkeys(ink for shape in shapes for ink in _inks(shape))


def _inks(shape: Plain) -> tuple[str, ...]:
    return (shape.fill,) if isinstance(shape, Text) else (shape.fill, shape.line)


def stamps(shapes: tuple[Shape, ...], scale: float) -> Iterator[tuple[int, int, Stamp]]:
    """The shapes in their order; what is written on a small one belongs to it."""
    at = 0
    while at < len(shapes):
        shape = shapes[at]
        at += 1
        if isinstance(shape, Group):
            x, y = round(shape.x * scale), round(shape.y * scale)
            for across, down, each in _together(shape.shapes, scale):
                yield x + across, y + down, each
            continue
        if isinstance(shape, Text):
            x, y = round(shape.x * scale), round(shape.y * scale)
            yield x, y, stamp("", (), (_words(shape, scale, shape.x, shape.y),))
            continue
        x, y, kind, host = _host(shape, scale)
        texts: list[Words] = []
        while not isinstance(shape, Line) and (text := _borne(shape, shapes, at, scale)):
            texts.append(_words(text, scale, shape.x, shape.y))
            at += 1
        yield x, y, stamp(kind, host, tuple(texts))


@lru_cache(maxsize=MOST_GROUPS)
def _together(shapes: tuple[Plain, ...], scale: float) -> tuple[tuple[int, int, Stamp], ...]:
    return tuple(stamps(shapes, scale))


def _words(text: Text, scale: float, x: float, y: float) -> Words:
    """A text beside an origin, wherever that lies between points, so that the next card of the kind is the same."""
    across, down = (text.x - x) * scale, round((text.y - y) * scale)
    return round(4 * across) / 4, down, text.words, text.size * scale, text.fill, text.at, text.bold


def _borne(shape: Box | Disc, shapes: tuple[Shape, ...], at: int, scale: float) -> Text | None:
    """The text at this place, if it begins, ends or has its middle on a shape that is small."""
    text = shapes[at] if at < len(shapes) else None
    return text if isinstance(text, Text) and _bears(shape, text, scale) else None


def _bears(shape: Box | Disc, text: Text, scale: float) -> bool:
    if isinstance(shape, Box):
        across, down = text.x - shape.x, text.y - shape.y
        small = shape.width * shape.height * scale * scale <= LARGEST
        return small and 0 <= across <= shape.width and 0 <= down <= shape.height
    return max(abs(text.x - shape.x), abs(text.y - shape.y)) < shape.radius


def _host(shape: Box | Disc | Line, scale: float) -> tuple[int, int, str, tuple[Any, ...]]:
    """Where the origin of a shape lies, and the shape around it."""
    if isinstance(shape, Box):
        # Edges of boxes lie between points, so that they are sharp at every scale.
        x, y = round(shape.x * scale), round(shape.y * scale)
        wide, high = round(shape.width * scale), round(shape.height * scale)
        if wide * high > LARGEST:
            wide, high = round((shape.x + shape.width) * scale) - x, round((shape.y + shape.height) * scale) - y
        thick = max(1, round(shape.thick * scale))
        return x, y, "box", (wide, high, shape.fill, shape.line, shape.round * scale, thick)
    if isinstance(shape, Disc):
        x, y = round(shape.x * scale), round(shape.y * scale)
        return x, y, "disc", (shape.radius * scale, shape.fill, shape.line, shape.thick * scale)
    x, y = (floor(part * scale) for part in shape.points[0])
    points = tuple((round(8 * (one * scale - x)) / 8, round(8 * (two * scale - y)) / 8) for one, two in shape.points)
    return x, y, "line", (points, shape.fill, shape.line, shape.thick * scale)

"""Shapes as PNG, drawn here because a palette makes the file small and cheap, and no font need be installed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from engine.picture import Box, Disc, Line, Shape, Text, extent
from service.draw import outline
from service.draw.canvas import Canvas
from service.draw.colour import OPAQUE, WHITE, Ink, parts
from service.draw.coverage import Cover, coverage
from service.draw.typeface import outlines, width

ANCHOR = {"start": 0.0, "middle": 0.5, "end": 1.0}

Layer = tuple[int, int, Cover, Ink]


def image(shapes: tuple[Shape, ...], scale: float, widest: int) -> bytes:
    """The picture, so many points to the unit unless that is too wide."""
    wide, high = extent(shapes)
    scale = min(scale, widest / wide)
    layers = [layer for shape in shapes for layer in _layers(shape, scale)]
    # The colours of shapes come first in the palette, so that a full one costs only smooth edges.
    plain = dict.fromkeys(ink[:3] for *_, ink in layers if ink[3] == OPAQUE)
    canvas = Canvas(max(1, round(wide * scale)), max(1, round(high * scale)), (WHITE, *plain))
    for x, y, cover, ink in layers:
        canvas.paint(x, y, cover, ink)
    return canvas.file()


def _layers(shape: Shape, scale: float) -> Iterator[Layer]:
    if isinstance(shape, Text):
        return _text(shape, scale)
    if isinstance(shape, Box):
        return _box(shape, scale)
    return _disc(shape, scale) if isinstance(shape, Disc) else _line(shape, scale)


def _text(text: Text, scale: float) -> Iterator[Layer]:
    """Word by word, since the next picture has the same words in other places."""
    size, ink = text.size * scale, parts(text.fill)
    left = text.x * scale - ANCHOR[text.at] * width(text.words, size, text.bold)
    for word in text.words.split(" "):
        yield round(left), round(text.y * scale), _written(word, size, text.bold), ink
        left += width(word + " ", size, text.bold)


def _box(box: Box, scale: float) -> Iterator[Layer]:
    """Edges of boxes lie between points, so that they are sharp at every scale."""
    x, y = round(box.x * scale), round(box.y * scale)
    wide, high = round((box.x + box.width) * scale) - x, round((box.y + box.height) * scale) - y
    if box.fill:
        yield x, y, _filled(wide, high, box.round * scale), parts(box.fill)
    if box.line:
        yield x, y, _edged(wide, high, box.round * scale, max(1, round(box.thick * scale))), parts(box.line)


def _disc(disc: Disc, scale: float) -> Iterator[Layer]:
    x, y, radius, half = round(disc.x * scale), round(disc.y * scale), disc.radius * scale, disc.thick * scale / 2
    if disc.fill:
        yield x, y, _round(radius, 0), parts(disc.fill)
    if disc.line:
        yield x, y, _round(radius + half, max(radius - half, 0)), parts(disc.line)


def _line(line: Line, scale: float) -> Iterator[Layer]:
    points = [(x * scale, y * scale) for x, y in line.points]
    if line.fill:
        yield 0, 0, coverage([points]), parts(line.fill)
    if line.line:
        yield 0, 0, coverage(outline.stroke(points, line.thick * scale)), parts(line.line)


@lru_cache(maxsize=1024)
def _written(words: str, size: float, bold: bool) -> Cover:
    return coverage(outlines(words, size, bold))


@lru_cache(maxsize=256)
def _filled(wide: int, high: int, corner: float) -> Cover:
    return coverage([outline.box(0, 0, wide, high, corner)])


@lru_cache(maxsize=256)
def _edged(wide: int, high: int, corner: float, thick: int) -> Cover:
    return coverage(outline.ring(wide, high, corner, thick // 2, thick))


@lru_cache(maxsize=256)
def _round(outer: float, inner: float) -> Cover:
    return coverage([outline.disc(0, 0, outer), outline.disc(0, 0, inner)[::-1]])

"""Layers of shapes: what each covers, and with which ink; covers are kept, since pictures repeat them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from service.drawing import shapes_outline as outline
from service.drawing.font import drawn, places, width
from service.drawing.palette_colour import Ink, parts
from service.drawing.polygon_fill import Cover, Point, coverage, together

ANCHOR = {"start": 0.0, "middle": 0.5, "end": 1.0}


class Layer(NamedTuple):
    """A cover at its place, with its ink."""

    x: int
    y: int
    cover: Cover
    ink: Ink


def text(x: float, y: int, words: str, size: float, fill: str, at: str, bold: bool) -> Iterator[Layer]:
    """Word by word, since the next picture has the same words in other places."""
    ink, left = parts(fill), x - ANCHOR[at] * width(words, size, bold)
    for word in words.split(" "):
        yield Layer(round(left), y, _written(word, size, bold), ink)
        left += width(word + " ", size, bold)


def box(wide: int, high: int, fill: str, line: str, corner: float, thick: int) -> Iterator[Layer]:
    """A box at the origin."""
    if fill:
        yield Layer(0, 0, _filled(wide, high, corner), parts(fill))
    if line:
        yield Layer(0, 0, _edged(wide, high, corner, thick), parts(line))


def disc(radius: float, fill: str, line: str, thick: float) -> Iterator[Layer]:
    """A disc around the origin."""
    if fill:
        yield Layer(0, 0, _round(radius, 0), parts(fill))
    if line:
        yield Layer(0, 0, _round(radius + thick / 2, max(radius - thick / 2, 0)), parts(line))


def line(points: tuple[Point, ...], fill: str, stroke: str, thick: float) -> Iterator[Layer]:
    """A line through points."""
    if fill:
        yield Layer(0, 0, coverage([list(points)]), parts(fill))
    if stroke:
        yield Layer(0, 0, coverage(outline.stroke(list(points), thick)), parts(stroke))


@lru_cache(maxsize=1024)
def _written(words: str, size: float, bold: bool) -> Cover:
    return together((at, drawn(glyph, size, bold, part)) for glyph, at, part in places(words, size, bold))


@lru_cache(maxsize=256)
def _filled(wide: int, high: int, corner: float) -> Cover:
    return coverage([outline.box(0, 0, wide, high, corner)])


@lru_cache(maxsize=256)
def _edged(wide: int, high: int, corner: float, thick: int) -> Cover:
    return coverage(outline.ring(wide, high, corner, thick // 2, thick))


@lru_cache(maxsize=256)
def _round(outer: float, inner: float) -> Cover:
    return coverage([outline.disc(0, 0, outer), outline.disc(0, 0, inner)[::-1]])

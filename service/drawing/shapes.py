"""Layers of shapes: the coverage and the ink of each. Coverage is cached, since pictures repeat it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from math import ceil, cos, hypot, pi, sin, sqrt
from typing import NamedTuple

from engine.picture import Curve
from service.drawing.font import glyph_changes, glyph_positions, text_width
from service.drawing.palette import Ink, parse_colour
from service.drawing.polygon_fill import Contour, Coverage, Point, cover_outline, cover_parts, fill_contours


def disc_contour(x: float, y: float, radius: float) -> Contour:
    """Return the contour of a circle."""
    return [(x + radius * over, y + radius * up) for over, up in _directions(max(12, ceil(8 * sqrt(radius))))]


@lru_cache(maxsize=128)
def _directions(many: int) -> list[Point]:
    """Return cosine and sine of `many` angles around a circle."""
    return [(cos(2 * pi * at / many), sin(2 * pi * at / many)) for at in range(many)]


def box_contour(x: float, y: float, width: float, height: float, corner: float) -> Contour:
    """Return the contour of a rectangle with rounded corners, in the same direction as a circle's."""
    corner = min(corner, width / 2, height / 2)
    if corner <= 0:
        return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    steps = max(2, ceil(2 * sqrt(corner)))
    right, low = x + width - corner, y + height - corner
    middles = ((right, low), (x + corner, low), (x + corner, y + corner), (right, y + corner))
    return [
        (at_x + corner * cos(angle), at_y + corner * sin(angle))
        for quarter, (at_x, at_y) in enumerate(middles)
        for angle in (pi / 2 * (quarter + step / steps) for step in range(steps + 1))
    ]


def border_contours(width: float, height: float, corner: float, outside: float, thick: float) -> list[Contour]:
    """Return the contours of a rectangle's border at the origin; `outside` is the part of its thickness outside."""
    inside = thick - outside
    outer = box_contour(
        -outside, -outside, width + 2 * outside, height + 2 * outside, corner + outside if corner else 0
    )
    if min(width, height) <= 2 * inside:
        return [outer]
    return [outer, box_contour(inside, inside, width - 2 * inside, height - 2 * inside, max(corner - inside, 0))[::-1]]


def stroke_contours(points: Contour, thick: float) -> list[Contour]:
    """Return the contours of a line through points with round ends and joints."""
    half, contours = thick / 2, [disc_contour(x, y, thick / 2) for x, y in points]
    for (x, y), (end_x, end_y) in pairwise(points):
        length = hypot(end_x - x, end_y - y)
        if length:
            over, up = (end_x - x) / length * half, (end_y - y) / length * half
            contours.append(
                [(x + up, y - over), (end_x + up, end_y - over), (end_x - up, end_y + over), (x - up, y + over)]
            )
    return contours


@lru_cache(maxsize=1024)
def path_contours(curves: tuple[Curve, ...], scale: float) -> tuple[tuple[Point, ...], ...]:
    """Return closed curves as polygons."""
    return tuple(tuple(_curve_points(curve, scale)) for curve in curves)


def _curve_points(curve: Curve, scale: float) -> Iterator[Point]:
    at = tuple(round(8 * number * scale) / 8 for number in curve[0])
    yield at[0], at[1]
    for part in curve[1:]:
        numbers = tuple(round(8 * number * scale) / 8 for number in part)
        points = [(at[0], at[1]), *zip(numbers[::2], numbers[1::2], strict=True)]
        far = sum(hypot(to_x - x, to_y - y) for (x, y), (to_x, to_y) in pairwise(points))
        steps = 1 if len(points) == STRAIGHT else min(max(ceil(sqrt(far)), LEAST_STEPS), MOST_STEPS)
        yield from (_bezier_point(points, step / steps) for step in range(1, steps + 1))
        at = numbers[-2:]


def _bezier_point(points: list[Point], share: float) -> Point:
    while len(points) > 1:
        points = [(x + (to_x - x) * share, y + (to_y - y) * share) for (x, y), (to_x, to_y) in pairwise(points)]
    return points[0]


STRAIGHT = 2
LEAST_STEPS, MOST_STEPS = 3, 10
ANCHOR = {"start": 0.0, "middle": 0.5, "end": 1.0}


class Layer(NamedTuple):
    """The coverage at its place, with its ink."""

    x: int
    y: int
    cover: Coverage
    ink: Ink


def text_layers(x: float, y: int, words: str, size: float, fill: str, at: str, bold: bool) -> Iterator[Layer]:
    """Return the layers word by word, since the next picture has the same words in other places."""
    ink, left = parse_colour(fill), x - ANCHOR[at] * text_width(words, size, bold)
    for word in words.split(" "):
        yield Layer(round(left), y, _text_coverage(word, size, bold), ink)
        left += text_width(word + " ", size, bold)


def box_layers(wide: int, high: int, fill: str, line: str, corner: float, thick: int) -> Iterator[Layer]:
    """Return the layers of a box at the origin."""
    if fill:
        yield Layer(0, 0, _box_coverage(wide, high, corner), parse_colour(fill))
    if line:
        yield Layer(0, 0, _border_coverage(wide, high, corner, thick), parse_colour(line))


def disc_layers(radius: float, fill: str, line: str, thick: float) -> Iterator[Layer]:
    """Return the layers of a disc around the origin."""
    if fill:
        yield Layer(0, 0, _ring_coverage(radius, 0), parse_colour(fill))
    if line:
        yield Layer(0, 0, _ring_coverage(radius + thick / 2, max(radius - thick / 2, 0)), parse_colour(line))


def line_layers(points: tuple[Point, ...], fill: str, stroke: str, thick: float) -> Iterator[Layer]:
    """Return the layers of a line through points."""
    if fill:
        yield Layer(0, 0, fill_contours([list(points)]), parse_colour(fill))
    if stroke:
        yield Layer(0, 0, fill_contours(stroke_contours(list(points), thick)), parse_colour(stroke))


def path_layers(contours: tuple[tuple[Point, ...], ...], fill: str, stroke: str, thick: float) -> Iterator[Layer]:
    """Return polygons that form one area."""
    if fill:
        yield Layer(0, 0, _path_coverage(contours), parse_colour(fill))
    if stroke:
        yield Layer(0, 0, _outline_coverage(contours, thick), parse_colour(stroke))


@lru_cache(maxsize=512)
def _path_coverage(contours: tuple[tuple[Point, ...], ...]) -> Coverage:
    return cover_outline(contours)


@lru_cache(maxsize=512)
def _outline_coverage(contours: tuple[tuple[Point, ...], ...], thick: float) -> Coverage:
    return cover_outline(part for points in contours for part in stroke_contours([*points, points[0]], thick))


@lru_cache(maxsize=4096)
def _text_coverage(words: str, size: float, bold: bool) -> Coverage:
    return cover_parts((at, glyph_changes(glyph, size, part)) for glyph, at, part in glyph_positions(words, size, bold))


@lru_cache(maxsize=256)
def _box_coverage(wide: int, high: int, corner: float) -> Coverage:
    return fill_contours([box_contour(0, 0, wide, high, corner)])


@lru_cache(maxsize=256)
def _border_coverage(wide: int, high: int, corner: float, thick: int) -> Coverage:
    return fill_contours(border_contours(wide, high, corner, thick // 2, thick))


@lru_cache(maxsize=256)
def _ring_coverage(outer: float, inner: float) -> Coverage:
    return fill_contours([disc_contour(0, 0, outer), disc_contour(0, 0, inner)[::-1]])

"""Outlines of shapes as closed contours, in points of the image."""

from __future__ import annotations

from itertools import pairwise
from math import ceil, cos, hypot, pi, sin, sqrt

from service.drawing.polygon_fill import Contour


def disc(x: float, y: float, radius: float) -> Contour:
    """A circle."""
    many = max(12, ceil(8 * sqrt(radius)))
    return [(x + radius * cos(2 * pi * at / many), y + radius * sin(2 * pi * at / many)) for at in range(many)]


def box(x: float, y: float, width: float, height: float, corner: float) -> Contour:
    """A rectangle with rounded corners, running the same way as a circle."""
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


def ring(width: float, height: float, corner: float, outside: float, thick: float) -> list[Contour]:
    """The line of a rectangle at the origin, so much of its thickness outside."""
    inside = thick - outside
    outer = box(-outside, -outside, width + 2 * outside, height + 2 * outside, corner + outside if corner else 0)
    if min(width, height) <= 2 * inside:
        return [outer]
    return [outer, box(inside, inside, width - 2 * inside, height - 2 * inside, max(corner - inside, 0))[::-1]]


def stroke(points: Contour, thick: float) -> list[Contour]:
    """A line through points with round ends and joints."""
    half, contours = thick / 2, [disc(x, y, thick / 2) for x, y in points]
    for (x, y), (end_x, end_y) in pairwise(points):
        length = hypot(end_x - x, end_y - y)
        if length:
            over, up = (end_x - x) / length * half, (end_y - y) / length * half
            contours.append(
                [(x + up, y - over), (end_x + up, end_y - over), (end_x - up, end_y + over), (x - up, y + over)]
            )
    return contours

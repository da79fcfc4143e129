"""Pictures as plain shapes, drawn elsewhere."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Box:
    """A rectangle, its corners rounded by `round`."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    line: str = ""
    round: float = 0
    thick: float = 1


@dataclass(frozen=True)
class Disc:
    """A circle."""

    x: float
    y: float
    radius: float
    fill: str
    line: str = ""
    thick: float = 1


@dataclass(frozen=True)
class Line:
    """A line through points."""

    points: tuple[tuple[float, float], ...]
    line: str
    thick: float = 1
    fill: str = ""


@dataclass(frozen=True)
class Text:
    """Words on the picture; `at` is start, middle or end."""

    x: float
    y: float
    words: str
    size: float = 14
    fill: str = "#222222"
    at: str = "start"
    bold: bool = False


Shape = Box | Disc | Line | Text


def extent(shapes: tuple[Shape, ...]) -> tuple[float, float]:
    """Width and height that hold every box of the picture."""
    boxes = [shape for shape in shapes if isinstance(shape, Box)]
    return max((box.x + box.width for box in boxes), default=1), max((box.y + box.height for box in boxes), default=1)

"""Pictures as plain shapes, drawn elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace


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


Plain = Box | Disc | Line | Text


@dataclass(frozen=True)
class Group:
    """Shapes beside an origin of their own, such as a card, which looks the same wherever it lies."""

    x: float
    y: float
    shapes: tuple[Plain, ...]


Shape = Plain | Group


def flat(shapes: Iterable[Shape]) -> tuple[Plain, ...]:
    """The same shapes one by one, each where it is on the picture."""
    return tuple(each for shape in shapes for each in (_moved(shape) if isinstance(shape, Group) else (shape,)))


def _moved(group: Group) -> Iterator[Plain]:
    for shape in group.shapes:
        if isinstance(shape, Line):
            yield replace(shape, points=tuple((x + group.x, y + group.y) for x, y in shape.points))
        else:
            yield replace(shape, x=shape.x + group.x, y=shape.y + group.y)


def extent(shapes: Iterable[Shape]) -> tuple[float, float]:
    """Width and height that hold every box of the picture."""
    ends: list[tuple[float, float]] = []
    for shape in shapes:
        if isinstance(shape, Box):
            ends.append((shape.x + shape.width, shape.y + shape.height))
        elif isinstance(shape, Group):
            inner = (box for box in shape.shapes if isinstance(box, Box))
            ends += [(shape.x + box.x + box.width, shape.y + box.y + box.height) for box in inner]
    return max((right for right, _ in ends), default=1), max((low for _, low in ends), default=1)

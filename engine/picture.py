"""Pictures as plain shapes, drawn elsewhere.

A colour is `#rrggbb`, `#rrggbbaa`, empty for none, or one of `INKS`, which pages may draw in other colours by night.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

INKS = (
    *("paper", "panel", "ink", "faint"),
    *("felt", "dusk", "peat"),
    *("map", "meadow", "hedge", "trail", "water", "deep", "mute", "quiet", "gem"),
)
"""Named colours: of the background, of a panel, of text, of less important text; of the tables; then those of a map:
its ground, clearings, edges, paths, water, text on water, places out of reach, its text, and gems."""
Curve = tuple[tuple[float, ...], ...]
"""A closed outline: a point, then to each next point by a line (2 numbers), a quadratic (4) or a cubic curve (6)."""


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


@dataclass(frozen=True)
class Path:
    """Filled curves relative to an origin. A curve inside another that runs the other way is a hole."""

    x: float
    y: float
    curves: tuple[Curve, ...]
    fill: str
    line: str = ""
    thick: float = 1

    def __hash__(self) -> int:  # quick, and equal for equal paths
        return hash((self.x, self.y, self.fill, self.line, len(self.curves)))


Plain = Box | Disc | Line | Text | Path


@dataclass(frozen=True)
class Group:
    """Shapes relative to their own origin, such as a card, which looks the same everywhere.

    A player touches a group with a mark to choose it (`Presentation.marks`). `label` names it in the picture's
    language, with every word that is drawn in it. Groups may contain groups, as a row contains its cards, but inner
    groups have neither mark nor label.
    """

    x: float
    y: float
    shapes: tuple[Shape, ...]
    mark: str = ""
    label: str = ""

    def __hash__(self) -> int:  # quick, and equal for equal groups; a label tells them apart as shapes do
        return hash((self.x, self.y, self.mark, self.label or self.shapes[-1:]))


Shape = Plain | Group


T = TypeVar("T")


class PartCache(Generic[T]):
    """Cache of parts of pictures by all the values that they show, so that unchanged parts are not drawn again.

    A key must contain every value of the view that the part shows or says, its place and its language. Otherwise a seat
    could get something that only another seat may see.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.known: dict[Hashable, T] = {}

    def find(self, key: Hashable, draw: Callable[[], T]) -> T:
        """Return the part with these values. A new part is drawn. A full cache first drops its older half."""
        part = self.known.get(key)
        if part is None:
            if len(self.known) >= self.most:
                for old in list(self.known)[: self.most // 2]:
                    self.known.pop(old, None)
            part = self.known[key] = draw()
        return part


def flat(shapes: Iterable[Shape]) -> tuple[Plain, ...]:
    """Return the same shapes one by one, each at its place on the picture."""
    return tuple(each for shape in shapes for each in (_move_shapes(shape) if isinstance(shape, Group) else (shape,)))


def _move_shapes(group: Group) -> Iterator[Plain]:
    for shape in flat(group.shapes):
        if isinstance(shape, Line):
            yield replace(shape, points=tuple((x + group.x, y + group.y) for x, y in shape.points))
        else:
            yield replace(shape, x=shape.x + group.x, y=shape.y + group.y)


def extent(shapes: Sequence[Shape]) -> tuple[float, float]:
    """Return the width and height that hold every box. If the first box is the paper, groups lie on it."""
    paper = shapes[0] if shapes else None
    if isinstance(paper, Box) and paper.x == paper.y == 0:
        shapes = [shape for shape in shapes if isinstance(shape, Box)]
    right, low = _ends(shapes)
    return right or 1, low or 1


def _ends(shapes: Iterable[Shape]) -> tuple[float, float]:
    right = low = 0.0
    for shape in shapes:
        if isinstance(shape, Box):
            right, low = max(right, shape.x + shape.width), max(low, shape.y + shape.height)
        elif isinstance(shape, Group):
            wide, high = _ends(shape.shapes)
            right, low = max(right, shape.x + wide), max(low, shape.y + high)
    return right, low

"""Compute exactly how much of each point of a grid an outline covers, rounded to one of a few levels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.drawing.palette import COVERAGE_LEVELS

SHORTEST_RUN = {
    0: 64,
    COVERAGE_LEVELS: 16,
}  # a run this long of no or full coverage splits a span; a shorter one is cheaper to paint

POINTS_PER_SPAN = 350
"""Number of points of a grid that are painted in one step in the time of one span."""
LEVEL_BYTES = [bytes((level,)) for level in range(COVERAGE_LEVELS + 1)]
Point = tuple[float, float]
Contour = list[Point]
Cells = defaultdict[int, float]
LevelGrid = NDArray[np.uint16]
"""The level of each point, times 256. Plus the number of a colour, it is an index into a table of mixed colours."""
LEVEL_STEP = 256


class Span(NamedTuple):
    """Adjacent points that are partly or fully covered, with one level for each, in one or more equal rows."""

    y: int
    x: int
    levels: bytes
    whole: bool
    rows: int = 1


@dataclass(frozen=True, eq=False, slots=True)
class Coverage:
    """Spans of an outline with their bounding grid. Compared by identity, so that it is a cheap cache key."""

    spans: tuple[Span, ...] = ()
    left: int = 0
    top: int = 0
    right: int = 0
    bottom: int = 0
    grid: LevelGrid | None = None
    """All points at once if that is faster than span by span. Words have only these points, no spans."""

    def spans_within(self, left: int, top: int, right: int, bottom: int) -> Iterable[Span]:
        """Return the spans clipped to a window."""
        if left <= self.left and top <= self.top and right >= self.right and bottom >= self.bottom:
            return self.spans
        return tuple(
            Span(y, max(x, left), levels[max(left - x, 0) : max(right - x, 0)], whole)
            for first, x, levels, whole, rows in self.spans
            for y in range(max(first, top), min(first + rows, bottom))
            if x < right and x + len(levels) > left
        )


class ChangeGrid(NamedTuple):
    """The change of coverage at each point of a grid, and the position of its first point."""

    left: int
    top: int
    changes: NDArray[np.float64]


def fill_contours(contours: Iterable[Contour]) -> Coverage:
    """Return the coverage of closed contours. An inner contour in the opposite direction cuts a hole."""
    return _with_bounds(tuple(_merge_equal_rows(_spans_by_row(sorted(_contour_cells(contours).items())))))


def _spans_by_row(rows: Iterable[tuple[int, Cells]]) -> Iterator[tuple[int, int, bytes]]:
    """Yield row, position and levels of each span. Equal rows in succession, as in most of a box, share their spans."""
    known: Cells | None = None
    spans: list[tuple[int, bytes]] = []
    for y, cells in rows:
        if cells != known:
            known, spans = cells, list(_row_spans(cells))
        yield from ((y, x, levels) for x, levels in spans)


def cover_parts(parts: Iterable[tuple[int, ChangeGrid]]) -> Coverage:
    """Return the joint coverage of several outlines, such as the glyphs of a word, each shifted right by its offset."""
    placed = [(right + part.left, part) for right, part in parts if part.changes.size]
    if not placed:
        return Coverage()
    left, top = min(x for x, _ in placed), min(part.top for _, part in placed)
    right = max(x + part.changes.shape[1] for x, part in placed)
    bottom = max(part.top + part.changes.shape[0] for _, part in placed)
    changes = np.zeros((bottom - top, right - left))
    for x, part in placed:
        high, wide = part.changes.shape
        changes[part.top - top : part.top - top + high, x - left : x - left + wide] += part.changes
    covered = np.minimum(np.abs(changes.cumsum(axis=1)), 1)
    levels = np.rint(covered * COVERAGE_LEVELS).astype(np.uint16) * LEVEL_STEP
    rows, columns = np.flatnonzero(levels.any(axis=1)), np.flatnonzero(levels.any(axis=0))
    if not rows.size:
        return Coverage()
    first, last, start, end = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
    return Coverage((), left + start, top + first, left + end, top + last, levels[first:last, start:end].copy())


def cover_outline(contours: Iterable[Sequence[Point]]) -> Coverage:
    """Return the same coverage as `fill_contours`, computed with numpy, which is faster for many short edges."""
    closed = [contour for contour in contours if contour]
    if not closed:
        return Coverage()
    points = np.array([point for contour in closed for point in contour])
    return cover_parts([(0, edge_changes(points[:, 0], points[:, 1], find_next_points(map(len, closed))))])


def find_next_points(lengths: Iterable[int]) -> NDArray[np.intp]:
    """Return for each point the index of the next point of its contour, for contours of these lengths in a row."""
    following: list[int] = []
    for length in lengths:
        start = len(following)
        following += [*range(start + 1, start + length), start]
    return np.array(following, np.intp)


def edge_changes(xs: NDArray[np.float64], ys: NDArray[np.float64], following: NDArray[np.intp]) -> ChangeGrid:
    """Return how coverage changes along the rows of closed contours. `following` is the next point of each point."""
    next_ys = ys[following]
    slanted = np.flatnonzero(ys != next_ys)
    if not slanted.size:
        return ChangeGrid(0, 0, np.zeros((0, 0)))
    down = (ys < next_ys)[slanted]
    starts, ends = np.where(down, slanted, following[slanted]), np.where(down, following[slanted], slanted)
    y, end_y, x = ys[starts], ys[ends], xs[starts]
    slope = (xs[ends] - x) / (end_y - y)
    first = np.floor(y)
    edge, below = _count_up(np.ceil(end_y) - first)
    row = first[edge] + below
    x, y, slope = x[edge], y[edge], slope[edge]
    upper, lower = np.maximum(y, row), np.minimum(end_y[edge], row + 1)
    one, other = x + slope * (upper - y), x + slope * (lower - y)
    height = np.where(down, 1.0, -1.0)[edge] * (lower - upper)
    return _cell_changes(row, np.minimum(one, other), np.maximum(one, other), height)


def _count_up(many: NDArray[np.float64]) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Repeat each index as often as its count says, and return a running count 0, 1, 2 … next to it."""
    counts = many.astype(np.intp)
    places = np.repeat(np.arange(len(counts)), counts)
    return places, (np.arange(len(places)) - (np.cumsum(counts) - counts)[places]).astype(np.float64)


def _cell_changes(
    row: NDArray[np.float64], left: NDArray[np.float64], right: NDArray[np.float64], height: NDArray[np.float64]
) -> ChangeGrid:
    """Return the changes of edge pieces that each lie within one row, in the same order as `_add_coverage`."""
    first = np.floor(left)
    long = np.floor(right) - first
    piece, at = _count_up(long + 2)
    cell = first[piece] + at
    upright = long[piece] == 0
    left, right, last = left[piece], right[piece], at > long[piece]
    reach = np.minimum(cell + 1, right) - left
    wide = np.where(upright, 1.0, right - left)
    total = reach * reach / 2 / wide + np.maximum(cell + 1 - right, 0)
    covered = np.where(last, 1.0, total - np.where(at > 0, _shift(total), 0.0))
    height = height[piece]
    beside = height * ((left + right) / 2 - first[piece])
    sloping = height * (covered - np.where(at > 0, _shift(covered), 0.0))
    changes = np.where(upright, np.where(last, beside, height - beside), sloping)
    start, top = int(cell.min()), int(row.min())
    across, high = int(cell.max()) - start + 1, int(row.max()) - top + 1
    places = (row[piece] - top) * across + (cell - start)
    # Sums in the order of the edges, so that a word has the same points however it is assembled.
    grid = np.bincount(places.astype(np.intp), changes, high * across)
    return ChangeGrid(start, top, grid.astype(np.float64, copy=False).reshape(high, across))


def _shift(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shift each value by one place."""
    return np.concatenate((values[:1], values[:-1]))


def _contour_cells(contours: Iterable[Contour]) -> dict[int, Cells]:
    """Return the cells of each row where coverage changes, and by how much."""
    rows: defaultdict[int, Cells] = defaultdict(lambda: defaultdict(float))
    for contour in contours:
        for (x, y), (next_x, next_y) in zip(contour, contour[1:] + contour[:1], strict=True):
            if y < next_y:
                _add_edge(rows, x, y, next_x, next_y, 1)
            elif y > next_y:
                _add_edge(rows, next_x, next_y, x, y, -1)
    return rows


def _merge_equal_rows(lines: Iterable[tuple[int, int, bytes]]) -> Iterable[Span]:
    """Return the spans of equal rows, one below the other."""
    spans: list[Span] = []
    lowest: dict[tuple[int, bytes], int] = {}
    for y, x, levels in lines:
        at = lowest.get((x, levels))
        if at is not None and spans[at].y + spans[at].rows == y:
            spans[at] = spans[at]._replace(rows=spans[at].rows + 1)
        else:
            lowest[x, levels] = len(spans)
            spans.append(Span(y, x, levels, levels.count(COVERAGE_LEVELS) == len(levels)))
    return spans


def _with_bounds(spans: tuple[Span, ...]) -> Coverage:
    if not spans:
        return Coverage()
    left, right = min(span.x for span in spans), max(span.x + len(span.levels) for span in spans)
    top, bottom = spans[0].y, max(span.y + span.rows for span in spans)
    small = (right - left) * (bottom - top) <= POINTS_PER_SPAN * len(spans)
    grid = _level_grid(spans, left, top, right, bottom) if small else None
    return Coverage(spans, left, top, right, bottom, grid)


def _level_grid(spans: tuple[Span, ...], left: int, top: int, right: int, bottom: int) -> LevelGrid:
    grid = np.zeros((bottom - top, right - left), np.uint16)
    for y, x, levels, _, rows in spans:
        grid[y - top : y - top + rows, x - left : x - left + len(levels)] = np.frombuffer(levels, np.uint8)
    return grid * LEVEL_STEP


def _add_edge(rows: defaultdict[int, Cells], x: float, y: float, end_x: float, end_y: float, way: int) -> None:
    slope = (end_x - x) / (end_y - y)
    for row in range(floor(y), ceil(end_y)):
        top, bottom = max(y, row), min(end_y, row + 1)
        ends = x + slope * (top - y), x + slope * (bottom - y)
        _add_coverage(rows[row], min(ends), max(ends), way * (bottom - top))


def _add_coverage(cells: Cells, left: float, right: float, height: float) -> None:
    """Add the coverage of an edge piece. Cells hold changes: the sum up to a cell is its coverage."""
    first, last = floor(left), floor(right)
    if first == last:
        beside = height * ((left + right) / 2 - first)
        cells[first] += height - beside
        cells[first + 1] += beside
        return
    before, area = 0.0, 0.0
    for cell in range(first, last + 1):
        reach = min(cell + 1, right) - left
        total = reach * reach / 2 / (right - left) + max(cell + 1 - right, 0)
        covered, area = total - area, total
        cells[cell] += height * (covered - before)
        before = covered
    cells[last + 1] += height * (1 - before)


def _row_spans(cells: Cells) -> Iterator[tuple[int, bytes]]:
    """Return the spans of a row. A long fully covered run is a separate span, which needs no mixing."""
    places, covered, start, levels = sorted(cells), 0.0, 0, b""
    for place, after in zip(places, places[1:] + places[-1:], strict=True):
        covered += cells[place]
        level, long = round(min(abs(covered), 1) * COVERAGE_LEVELS), after - place
        alone = long >= SHORTEST_RUN.get(level, long + 1)
        if alone and levels:
            yield start, levels.rstrip(b"\0")
            levels = b""
        if alone and level:
            yield place, LEVEL_BYTES[level] * long
        elif not alone and (level or levels):
            start = start if levels else place
            levels += LEVEL_BYTES[level] * long
    if levels := levels.rstrip(b"\0"):
        yield start, levels

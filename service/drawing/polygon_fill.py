"""Work out how much of each point of a grid an outline covers, exactly, as one of a few levels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil, floor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from service.drawing.palette import COVERAGE_LEVELS

SHORTEST_RUN = {
    0: 64,
    COVERAGE_LEVELS: 16,
}  # so much of nothing, or of all, parts two spans; going on over less costs less

POINTS_PER_SPAN = 350
"""How many points of a grid are painted at once in the time of one span."""
LEVEL_BYTES = [bytes((level,)) for level in range(COVERAGE_LEVELS + 1)]
Point = tuple[float, float]
Contour = list[Point]
Cells = defaultdict[int, float]
LevelGrid = NDArray[np.uint16]
"""The level of each point, times 256: with the number of a colour added it is a place in a table of mixed colours."""
LEVEL_STEP = 256


class Span(NamedTuple):
    """Points side by side that are covered in part or in whole, one level for each, in one or more like rows."""

    y: int
    x: int
    levels: bytes
    whole: bool
    rows: int = 1


@dataclass(frozen=True, eq=False, slots=True)
class Coverage:
    """The spans of an outline and the grid that holds them all; a thing of its own, so that it is a cheap key."""

    spans: tuple[Span, ...] = ()
    left: int = 0
    top: int = 0
    right: int = 0
    bottom: int = 0
    grid: LevelGrid | None = None
    """All points at once, where painting them so is less work than span by span; words have no spans besides."""

    def spans_within(self, left: int, top: int, right: int, bottom: int) -> Iterable[Span]:
        """The spans cut to a window."""
        if left <= self.left and top <= self.top and right >= self.right and bottom >= self.bottom:
            return self.spans
        return tuple(
            Span(y, max(x, left), levels[max(left - x, 0) : max(right - x, 0)], whole)
            for first, x, levels, whole, rows in self.spans
            for y in range(max(first, top), min(first + rows, bottom))
            if x < right and x + len(levels) > left
        )


class ChangeGrid(NamedTuple):
    """How coverage changes at each point of a grid, and where its first point lies."""

    left: int
    top: int
    changes: NDArray[np.float64]


def fill_contours(contours: Iterable[Contour]) -> Coverage:
    """What closed contours cover; an inner contour that runs the other way cuts a hole."""
    rows = sorted(_contour_cells(contours).items())
    return _with_bounds(
        tuple(_merge_equal_rows((y, x, levels) for y, cells in rows for x, levels in _row_spans(cells)))
    )


def combine_glyphs(parts: Iterable[tuple[int, ChangeGrid]]) -> Coverage:
    """What the glyphs of a word cover, each so far to the right."""
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


def contour_changes(contours: Iterable[Contour]) -> ChangeGrid:
    """How coverage changes along the rows of closed contours."""
    rows = _contour_cells(contours)
    if not rows:
        return ChangeGrid(0, 0, np.zeros((0, 0)))
    left, top = min(map(min, rows.values())), min(rows)
    changes = np.zeros((max(rows) - top + 1, max(map(max, rows.values())) - left + 1))
    for y, cells in rows.items():
        changes[y - top, [x - left for x in cells]] = list(cells.values())
    return ChangeGrid(left, top, changes)


def _contour_cells(contours: Iterable[Contour]) -> dict[int, Cells]:
    """Row by row the cells where coverage changes, and by how much."""
    rows: defaultdict[int, Cells] = defaultdict(lambda: defaultdict(float))
    for contour in contours:
        for (x, y), (next_x, next_y) in zip(contour, contour[1:] + contour[:1], strict=True):
            if y < next_y:
                _add_edge(rows, x, y, next_x, next_y, 1)
            elif y > next_y:
                _add_edge(rows, next_x, next_y, x, y, -1)
    return rows


def _merge_equal_rows(lines: Iterable[tuple[int, int, bytes]]) -> Iterable[Span]:
    """Spans of like rows, one below the other."""
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
    """Cells hold changes: the sum up to a cell is how much of it is covered."""
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
    """The spans of a row; what is covered whole for long is a span of its own, which needs no mixing."""
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

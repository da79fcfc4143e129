"""The vendored typefaces, read from their TrueType files: the width of a text, and its outlines."""

from __future__ import annotations

from functools import cache, cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise
from struct import Struct, unpack_from
from typing import NamedTuple
from unicodedata import category, normalize

import numpy as np
from numpy.typing import NDArray

from service.drawing.polygon_fill import ChangeGrid, Contour, Point, edge_changes, find_next_points

CurvePoint = tuple[float, float, bool]  # whether the curve goes through the point, or is only pulled towards it
GlyphPoint = tuple[int, int, bool]

FONT_FILES = {
    False: ("EchtraText-Regular.ttf", "EchtraSans-Regular.ttf"),
    True: ("EchtraText-Bold.ttf", "EchtraSans-Bold.ttf"),
}
"""Files by weight: the typeface of pages, then a second one for signs and letters that the first lacks."""
X_HEIGHT = 0.53
"""Height of an `x` relative to the size of a text. It is `font-size-adjust` of pages, the same in every typeface."""
SUBPIXEL_STEPS = 4  # positions within a point at which glyphs may begin: few, so that most glyphs are cached
MISSING_GLYPH = 0  # the glyph drawn for a character that the typeface lacks
ON_CURVE, SHORT_X, SHORT_Y, REPEAT, SAME_X, SAME_Y = 1, 2, 4, 8, 16, 32
INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Mn", "Me"})
TABLE_RECORD, CMAP_GROUP = Struct(">4s4xLL"), Struct(">LLL")


class Typeface:
    """One weight of a typeface. Its glyphs are read when first used."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        (tables,) = unpack_from(">H", data, 4)
        self.tables = {
            tag.decode(): at for tag, at, _ in TABLE_RECORD.iter_unpack(data[12 : 12 + tables * TABLE_RECORD.size])
        }
        (self.wide_offsets,) = unpack_from(">h", data, self.tables["head"] + 50)
        (self.metrics,) = unpack_from(">H", data, self.tables["hhea"] + 34)
        self.scale = X_HEIGHT / max(y for contour in self.knots(self.glyphs["x"]) for _, y, _ in contour)
        """The size of a unit of this file at text size 1."""

    @cached_property
    def glyphs(self) -> dict[str, int]:
        """The glyph of each character."""
        at = self.tables["cmap"]
        (many,) = unpack_from(">H", self.data, at + 2)
        maps = (at + offset for _, offset in Struct(">4sL").iter_unpack(self.data[at + 4 : at + 4 + 8 * many]))
        at = next(each for each in maps if unpack_from(">H", self.data, each) == (12,))
        (groups,) = unpack_from(">L", self.data, at + 12)
        found = CMAP_GROUP.iter_unpack(self.data[at + 16 : at + 16 + groups * CMAP_GROUP.size])
        return {chr(code): glyph + code - low for low, high, glyph in found for code in range(low, high + 1)}

    def advance(self, glyph: int) -> int:
        """Return the distance to the next glyph."""
        (width,) = unpack_from(">H", self.data, self.tables["hmtx"] + 4 * min(glyph, self.metrics - 1))
        return int(width)

    def knots(self, glyph: int) -> tuple[tuple[GlyphPoint, ...], ...]:
        """Return the points of each contour of a glyph."""
        form, size, times = (">LL", 4, 1) if self.wide_offsets else (">HH", 2, 2)
        start, end = unpack_from(form, self.data, self.tables["loca"] + size * glyph)
        if start == end:
            return ()
        at = self.tables["glyf"] + start * times
        (contours,) = unpack_from(">h", self.data, at)
        stops = [end + 1 for end in unpack_from(f">{contours}H", self.data, at + 10)]
        at += 10 + 2 * contours
        (hints,) = unpack_from(">H", self.data, at)
        knots = self._points(at + 2 + hints, stops[-1])
        return tuple(tuple(knots[start:stop]) for start, stop in pairwise([0, *stops]))

    def _points(self, at: int, many: int) -> list[GlyphPoint]:
        flags: list[int] = []
        while len(flags) < many:
            flag = self.data[at]
            again = self.data[at + 1] if flag & REPEAT else 0
            flags += [flag] * (1 + again)
            at += 2 if flag & REPEAT else 1
        xs, at = self._axis(at, flags, SHORT_X, SAME_X)
        ys, at = self._axis(at, flags, SHORT_Y, SAME_Y)
        return [(x, y, bool(flag & ON_CURVE)) for x, y, flag in zip(xs, ys, flags, strict=True)]

    def _axis(self, at: int, flags: list[int], short: int, same: int) -> tuple[list[int], int]:
        values, value = [], 0
        for flag in flags:
            if flag & short:
                value += self.data[at] if flag & same else -self.data[at]
                at += 1
            elif not flag & same:
                value += unpack_from(">h", self.data, at)[0]
                at += 2
            values.append(value)
        return values, at


@cache
def load_typeface(file: str) -> Typeface:
    """Load a file with one weight of a typeface."""
    return Typeface((files("service.drawing") / "fonts" / file).read_bytes())


class Glyph(NamedTuple):
    """A glyph by its file and its number there."""

    file: str
    number: int


@lru_cache(maxsize=4096)
def layout_glyphs(words: str, bold: bool) -> tuple[tuple[tuple[Glyph, float], ...], float]:
    """Return the glyphs of a text of size 1 with their start positions, and the width of the text."""
    at, places = 0.0, []
    for character in normalize("NFC", words):
        found = _find_glyph(character, bold)
        if found is not None:
            places.append((found[0], at))
            at += found[1]
    return tuple(places), at


@lru_cache(maxsize=1024)
def _find_glyph(character: str, bold: bool) -> tuple[Glyph, float] | None:
    """Return the glyph of a character, or the box for a missing one, and its width; None for an invisible character."""
    if category(character) in INVISIBLE_CATEGORIES:
        return None
    *_, last = faces = FONT_FILES[bold]
    file = next((file for file in faces if character in load_typeface(file).glyphs), last)
    face = load_typeface(file)
    number = face.glyphs.get(character, MISSING_GLYPH)
    return Glyph(file, number), face.advance(number) * face.scale


def text_width(words: str, size: float, bold: bool) -> float:
    """Return the width of a text."""
    return layout_glyphs(words, bold)[1] * size


def glyph_positions(words: str, size: float, bold: bool) -> list[tuple[Glyph, int, float]]:
    """Return the glyphs of a text on a baseline from the origin, each with its position and the fraction of a point."""
    starts = ((glyph, round(start * size * SUBPIXEL_STEPS)) for glyph, start in layout_glyphs(words, bold)[0])
    return [(glyph, at // SUBPIXEL_STEPS, at % SUBPIXEL_STEPS / SUBPIXEL_STEPS) for glyph, at in starts]


@lru_cache(maxsize=4096)
def glyph_changes(glyph: Glyph, size: float, right: float) -> ChangeGrid:
    """Return the coverage changes of a glyph shifted right from the origin; y grows downwards."""
    xs, ys, following = _glyph_points(glyph)
    scale = size * load_typeface(glyph.file).scale
    return edge_changes(xs * scale + right, -ys * scale, following)


@lru_cache(maxsize=1024)
def _glyph_points(glyph: Glyph) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.intp]]:
    """Return the outline points of a glyph in font units, and the index of the point that follows each."""
    contours = [_flatten_curves(knots) for knots in load_typeface(glyph.file).knots(glyph.number)]
    points = np.array([point for contour in contours for point in contour], np.float64).reshape(-1, 2)
    return points[:, 0], points[:, 1], find_next_points(map(len, contours))


def _flatten_curves(knots: tuple[GlyphPoint, ...]) -> Contour:
    full: list[CurvePoint] = []
    for (x, y, on), (next_x, next_y, next_on) in zip(knots, (*knots[1:], knots[0]), strict=True):
        full.append((x, y, on))
        if not on and not next_on:
            full.append(((x + next_x) / 2, (y + next_y) / 2, True))
    first = next(at for at, knot in enumerate(full) if knot[2])
    full = full[first:] + full[: first + 1]
    points: Contour = []
    for before, knot, after in zip(full, full[1:], full[2:] + full[1:2], strict=False):
        points += [knot[:2]] if knot[2] else [_curve_point(before, knot, after, step / 4) for step in (1, 2, 3)]
    return points


def _curve_point(start: CurvePoint, pull: CurvePoint, end: CurvePoint, share: float) -> Point:
    away, mid, near = (1 - share) ** 2, 2 * share * (1 - share), share**2
    return start[0] * away + pull[0] * mid + end[0] * near, start[1] * away + pull[1] * mid + end[1] * near

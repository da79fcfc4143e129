"""The vendored typeface, read from its TrueType files: how wide a text is, and its outlines."""

from __future__ import annotations

from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import pairwise
from struct import Struct, unpack_from
from unicodedata import category, normalize

import numpy as np
from numpy.typing import NDArray

from service.drawing.polygon_fill import ChangeGrid, Contour, Point, edge_changes, find_next_points

CurvePoint = tuple[float, float, bool]  # whether the curve goes through it, or is only pulled
GlyphPoint = tuple[int, int, bool]

FONT_FILES = {False: "EchtraSans-Regular.ttf", True: "EchtraSans-Bold.ttf"}
SUBPIXEL_STEPS = 4  # of a point, at which glyphs may begin: few enough that a glyph is mostly known
MISSING_GLYPH = 0  # the glyph drawn for a character that the typeface lacks
ON_CURVE, SHORT_X, SHORT_Y, REPEAT, SAME_X, SAME_Y = 1, 2, 4, 8, 16, 32
INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Mn", "Me"})
TABLE_RECORD, CMAP_GROUP = Struct(">4s4xLL"), Struct(">LLL")


class Typeface:
    """One weight of the typeface, its glyphs read when first used."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        (tables,) = unpack_from(">H", data, 4)
        self.tables = {
            tag.decode(): at for tag, at, _ in TABLE_RECORD.iter_unpack(data[12 : 12 + tables * TABLE_RECORD.size])
        }
        self.em = int(unpack_from(">H", data, self.tables["head"] + 18)[0])
        (self.wide_offsets,) = unpack_from(">h", data, self.tables["head"] + 50)
        (self.metrics,) = unpack_from(">H", data, self.tables["hhea"] + 34)

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

    def glyph(self, character: str) -> int:
        """Return the index of a glyph, or of the box for a missing one."""
        return self.glyphs.get(character, MISSING_GLYPH)

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


@lru_cache(maxsize=2)
def load_typeface(bold: bool) -> Typeface:
    """Load the regular or the bold weight."""
    return Typeface((files("service.drawing") / "fonts" / FONT_FILES[bold]).read_bytes())


@lru_cache(maxsize=4096)
def layout_glyphs(words: str, bold: bool) -> tuple[tuple[int, int], ...]:
    """Return the glyphs of a text with their start positions, and the end position last."""
    at, places = 0, []
    for character in normalize("NFC", words):
        found = _find_glyph(character, bold)
        if found is not None:
            places.append((found[0], at))
            at += found[1]
    return (*places, (MISSING_GLYPH, at))


@lru_cache(maxsize=1024)
def _find_glyph(character: str, bold: bool) -> tuple[int, int] | None:
    """Return the glyph of a character and its advance, or None for an invisible character."""
    if category(character) in INVISIBLE_CATEGORIES:
        return None
    face = load_typeface(bold)
    glyph = face.glyph(character)
    return glyph, face.advance(glyph)


def text_width(words: str, size: float, bold: bool) -> float:
    """Return the width of a text."""
    return layout_glyphs(words, bold)[-1][1] * size / load_typeface(bold).em


def glyph_positions(words: str, size: float, bold: bool) -> list[tuple[int, int, float]]:
    """Return the glyphs of a text on a baseline from the origin, each with its position and the fraction of a point."""
    scale = size / load_typeface(bold).em
    starts = ((glyph, round(start * scale * SUBPIXEL_STEPS)) for glyph, start in layout_glyphs(words, bold)[:-1])
    return [(glyph, at // SUBPIXEL_STEPS, at % SUBPIXEL_STEPS / SUBPIXEL_STEPS) for glyph, at in starts]


@lru_cache(maxsize=4096)
def glyph_changes(glyph: int, size: float, bold: bool, right: float) -> ChangeGrid:
    """Return the coverage changes of a glyph shifted right from the origin; y grows downwards."""
    xs, ys, following = _glyph_points(glyph, bold)
    scale = size / load_typeface(bold).em
    return edge_changes(xs * scale + right, -ys * scale, following)


@lru_cache(maxsize=1024)
def _glyph_points(glyph: int, bold: bool) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.intp]]:
    """Return the outline points of a glyph in font units, and the index of the point that follows each."""
    contours = [_flatten_curves(knots) for knots in load_typeface(bold).knots(glyph)]
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

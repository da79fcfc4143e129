"""A canvas of points with a palette, and its PNG file."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from struct import pack
from zlib import crc32

from isal.isal_zlib import compress

from service.drawing.palette import OPAQUE, Blender, Ink
from service.drawing.polygon_fill import Coverage
from service.drawing.sprites import Gaps, gap_getter

COMPRESSION_LEVEL = 1  # a sixth of the time that zlib takes for files of this size, its level 3
ALL_BYTES = bytes(range(256))
SINGLE_BYTES = [bytes((number,)) for number in ALL_BYTES]
FIRST_COLOUR = SINGLE_BYTES[0]


class Canvas:
    """Points row by row, each the number of a colour in the palette; at first all have the same, mostly its first.

    Before each row stands a 0, since that is how the file wants it: the row is as it is, without a filter.
    """

    def __init__(self, wide: int, high: int, blender: Blender, paper: bytes = FIRST_COLOUR) -> None:
        self.wide, self.high, self.step = wide, high, wide + 1
        self.points = bytearray(paper) * (self.step * high)
        self.window = memoryview(self.points)
        self.blender, self.palette = blender, blender.palette
        self.used = [paper]
        """Numbers of the colours that were drawn with, each perhaps many times."""

    def background_under(self, start: int, gaps: Gaps, most: int) -> bytes:
        """The points in the gaps of a sprite, one if all are the same; nothing if they differ and are too many."""
        if gaps.places is None:
            below: Sequence[int] = self._points_of_grid(start, gaps)
        else:
            below = gap_getter(gaps, self.step)(self.window[start:]) if gaps.places else (0,)
        if below.count(below[0]) == len(below):
            return SINGLE_BYTES[below[0]]
        return bytes(below) if len(below) <= most else b""

    def _points_of_grid(self, start: int, gaps: Gaps) -> bytearray:
        """The points of a whole grid; only its first row where all points are alike."""
        points, wide = self.points, gaps.wide
        starts, row = range(start, start + gaps.high * self.step, self.step), points[start : start + wide]
        if row.count(row[0]) == wide and all(map(points.startswith, repeat(row), starts)):
            return row
        return bytearray().join([points[at : at + wide] for at in starts])

    def paint(self, x: int, y: int, cover: Coverage, ink: Ink) -> None:
        """Lay ink over the points that a shape covers."""
        solid = SINGLE_BYTES[self.palette[ink[:3]]] if ink[3] == OPAQUE else b""
        points, step, blend, used = self.points, self.step, self.blender.blend, self.used
        for down, right, levels, whole, rows in cover.spans_within(-x, -y, self.wide - x, self.high - y):
            start = (y + down) * step + x + right + 1
            end = start + len(levels)
            if whole and solid:
                used.append(solid)
                line = solid * len(levels)
                for lower in range(0, rows * step, step):
                    points[start + lower : end + lower] = line
                continue
            for lower in range(0, rows * step, step):
                above = blend(bytes(points[start + lower : end + lower]), levels, ink)
                used.append(above)
                points[start + lower : end + lower] = above

    def used_numbers(self) -> bytes:
        """The number of each colour that was drawn with, in the order of their first use."""
        return bytes(dict.fromkeys(b"".join(dict.fromkeys(self.used))))

    def png_bytes(self) -> bytes:
        """The bytes of the PNG file, with the colours that are used and no others, whatever else the palette holds."""
        head = pack(">LLBBBBB", self.wide, self.high, 8, 3, 0, 0, 0)
        used = self.used_numbers()
        colours = bytes(chain.from_iterable(map(self.palette.colours.__getitem__, used)))
        table = bytes.maketrans(used, ALL_BYTES[: len(used)])
        packed = compress(self.points.translate(table), COMPRESSION_LEVEL)
        chunks = (b"IHDR", head), (b"PLTE", colours), (b"IDAT", packed), (b"IEND", b"")
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            pack(">L", len(data)) + name + data + pack(">L", crc32(name + data)) for name, data in chunks
        )

    def rows(self) -> list[bytes]:
        """The points of each row."""
        return [bytes(self.points[end - self.wide : end]) for end in range(self.step, len(self.points) + 1, self.step)]

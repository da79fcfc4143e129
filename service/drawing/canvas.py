"""A canvas of points with a palette, and its PNG file."""

from __future__ import annotations

from itertools import chain
from struct import pack

import numpy as np
from isal.isal_zlib import compress, crc32
from numpy.typing import NDArray

from service.drawing.palette import OPAQUE, Blender, Ink
from service.drawing.polygon_fill import LEVEL_STEP, Coverage, LevelGrid

COMPRESSION_LEVEL = 1  # a sixth of the time of zlib's level 3 for files of this size
ALL_BYTES = bytes(range(256))
SINGLE_BYTES = [bytes((number,)) for number in ALL_BYTES]
FIRST_COLOUR = SINGLE_BYTES[0]


def different_bytes(points: bytes | bytearray) -> bytes:
    """Return the distinct bytes, ordered by first occurrence."""
    found = b""
    while points:
        found += points[:1]
        points = points.translate(None, found)
    return found


class Canvas:
    """Points row by row, each a palette number. All start with the same colour, usually the first of the palette.

    Each row is preceded by a 0, PNG's mark for a row without a filter.
    """

    def __init__(self, wide: int, high: int, blender: Blender, paper: bytes = FIRST_COLOUR) -> None:
        self.wide, self.high, self.step = wide, high, wide + 1
        self.points = bytearray(paper) * (self.step * high)
        self.flat = np.frombuffer(self.points, np.uint8)
        self.grid = self.flat.reshape(high, self.step)[:, 1:]
        """The same points in rows and columns."""
        self.blender, self.palette = blender, blender.palette
        self.used = [paper]
        """Numbers of the colours used so far; a number may occur many times."""
        self.painted: list[NDArray[np.int16]] = []
        """Further numbers, of parts that were painted in one step."""

    def paint(self, x: int, y: int, cover: Coverage, ink: Ink) -> None:
        """Lay ink over the points that a shape covers."""
        if cover.grid is not None:
            self._paint_grid(x + cover.left, y + cover.top, cover.grid, ink)
            return
        solid = SINGLE_BYTES[self.palette[ink[:3]]] if ink[3] == OPAQUE else b""
        points, step, blend, used = self.points, self.step, self.blender.blend, self.used
        for down, right, levels, whole, rows in cover.spans_within(-x, -y, self.wide - x, self.high - y):
            start = (y + down) * step + x + right + 1
            end = start + len(levels)
            if whole and solid:
                used.append(solid)
                self.grid[y + down : y + down + rows, x + right : x + right + len(levels)] = solid[0]
            elif rows > 1:
                row = np.frombuffer(levels, np.uint8).astype(np.uint16) * LEVEL_STEP
                self._lay(self.grid[y + down : y + down + rows, x + right : x + right + len(levels)], row, ink)
            else:
                above = blend(bytes(points[start:end]), levels, ink)
                used.append(above)
                points[start:end] = above

    def _paint_grid(self, left: int, top: int, levels: LevelGrid, ink: Ink) -> None:
        """Paint ink over the points of a grid that starts here, clipped to the canvas."""
        high, wide = levels.shape
        if left < 0 or top < 0 or left + wide > self.wide or top + high > self.high:
            levels = levels[max(-top, 0) : max(self.high - top, 0), max(-left, 0) : max(self.wide - left, 0)]
            left, top, (high, wide) = max(left, 0), max(top, 0), levels.shape
        if levels.size:
            self._lay(self.grid[top : top + high, left : left + wide], levels, ink)

    def _lay(self, points: NDArray[np.uint8], levels: LevelGrid, ink: Ink) -> None:
        above = self.blender.mixes_of(ink).lay(points + levels)
        points[:] = above
        self.painted.append(above)

    def used_numbers(self) -> bytes:
        """Return the number of each colour in use, in an order that depends only on the picture."""
        painted = (different_bytes(part.astype(np.uint8).tobytes()) for part in self.painted)
        return bytes(dict.fromkeys(b"".join((*dict.fromkeys(self.used), *painted))))

    def png_bytes(self) -> bytes:
        """Return the bytes of the PNG file. Its palette holds only colours in use."""
        head = pack(">LLBBBBB", self.wide, self.high, 8, 3, 0, 0, 0)
        used = self.used_numbers()
        colours = bytes(chain.from_iterable(map(self.palette.colours.__getitem__, used)))
        table = bytes.maketrans(used, ALL_BYTES[: len(used)])
        packed = compress(self.points.translate(table), COMPRESSION_LEVEL)
        chunks = (b"IHDR", head), (b"PLTE", colours), (b"IDAT", packed), (b"IEND", b"")
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            part
            for name, data in chunks
            for part in (pack(">L4s", len(data), name), data, pack(">L", crc32(data, crc32(name))))
        )

    def rows(self) -> list[bytes]:
        """Return the points of each row."""
        return [bytes(self.points[end - self.wide : end]) for end in range(self.step, len(self.points) + 1, self.step)]

"""A canvas of points with a palette, and its PNG file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from struct import pack
from zlib import compress, crc32

from service.draw.colour import LEVELS, OPAQUE, Colour, Ink, mixed
from service.draw.coverage import Cover
from service.draw.palette import Palette
from service.draw.stamp import Gaps, Stamp, gathered

QUICK = 3  # a third of the time of the usual 6, for a file a quarter larger
MOST_GROUND = 256
"""How many points of different colours may lie in the gaps of a stamp that is kept as it looks on them."""
MOST_PRINTS = 2048
"""At 3 kB each as a rule, and 8 kB at most, these are 6 to 16 MB: the cards of all games in both languages."""


class Canvas:
    """Points row by row, each the number of a colour in the palette; at first all have its first colour.

    Before each row stands a 0, since that is how the file wants it: the row is as it is, without a filter.
    """

    def __init__(self, wide: int, high: int, colours: Iterable[Colour]) -> None:
        self.wide, self.high, self.step = wide, high, wide + 1
        self.points = bytearray(self.step * high)
        self.palette = Palette(colours)
        self.tables: dict[tuple[int, Ink], bytes] = {}
        self.known: dict[tuple[Ink, bytes, bytes], bytes] = {}
        self.prints: dict[Print, list[bytearray]] = {}

    def lay(self, x: int, y: int, stamp: Stamp) -> None:
        """Lay a stamp with its origin here; a small one as it was painted before on the same ground."""
        left, top, step, across = x + stamp.left, y + stamp.top, self.step, stamp.wide
        inside = left >= 0 and top >= 0 and left + across <= self.wide and top + stamp.high <= self.high
        start = top * step + left + 1
        ground = self._ground(start, stamp.gaps) if stamp.gaps and inside else ()
        if not ground:
            for layer in stamp.layers:
                self.paint(x + layer.x, y + layer.y, layer.cover, layer.ink)
            return
        points = self.points
        for row in self._numbered(printed(stamp, ground)):
            points[start : start + across] = row
            start += step

    def _ground(self, start: int, gaps: Gaps) -> tuple[Colour, ...]:
        """The colours in the gaps of a stamp, or the one that they all have; nothing where they are too many."""
        points, colours = self.points, self.palette.colours
        if gaps.places is None:
            below: Sequence[int] = self._grid(start, gaps)
        else:
            below = gathered(gaps, self.step)(memoryview(points)[start:])[1:] if gaps.places else (0,)
        if below.count(below[0]) == len(below):
            return (colours[below[0]],)
        return tuple([colours[point] for point in below]) if len(below) <= MOST_GROUND else ()

    def _grid(self, start: int, gaps: Gaps) -> bytearray:
        """The points of a whole grid; only its first row where all points are alike."""
        points, wide = self.points, gaps.wide
        starts, row = range(start, start + gaps.high * self.step, self.step), points[start : start + wide]
        if row.count(row[0]) == wide and all(map(points.startswith, repeat(row), starts)):
            return row
        return bytearray().join([points[at : at + wide] for at in starts])

    def _numbered(self, print_: Print) -> list[bytearray]:
        """The rows of a print in the colours of this canvas."""
        rows = self.prints.get(print_)
        if rows is None:
            table = bytes(map(self.palette.__getitem__, print_.colours)).ljust(256)
            points = print_.points.translate(table)
            cut = [points[first:last] for first, last in print_.cuts]
            rows = self.prints[print_] = [cut[row] for row in print_.rows]
        return rows

    def paint(self, x: int, y: int, cover: Cover, ink: Ink) -> None:
        """Lay ink over what is there."""
        solid = bytes((self.palette[ink[:3]],)) if ink[3] == OPAQUE else b""
        points, step, known = self.points, self.step, self.known
        for down, right, levels, whole, rows in cover.within(-x, -y, self.wide - x, self.high - y):
            start = (y + down) * step + x + right + 1
            end = start + len(levels)
            if whole and solid:
                line = solid * len(levels)
                for lower in range(0, rows * step, step):
                    points[start + lower : end + lower] = line
                continue
            for lower in range(0, rows * step, step):
                below = bytes(points[start + lower : end + lower])
                above = known.get((ink, below, levels))
                if above is None:
                    above = known[ink, below, levels] = self._over(below, levels, ink)
                points[start + lower : end + lower] = above

    def _over(self, below: bytes, levels: bytes, ink: Ink) -> bytes:
        if len(below) == 1 or below.count(below[0]) < len(below):
            palette, colours = self.palette, self.palette.colours
            pairs = zip(below, levels, strict=True)
            return bytes([palette[mixed(colours[under], ink, level)] if level else under for under, level in pairs])
        return levels.translate(self._table(below[0], ink))

    def _table(self, under: int, ink: Ink) -> bytes:
        """The colour at each level of this ink over a colour."""
        table = self.tables.get((under, ink))
        if table is None:
            below = self.palette.colours[under]
            found = bytes(self.palette[mixed(below, ink, level)] for level in range(1, LEVELS + 1))
            table = self.tables[under, ink] = (bytes((under,)) + found).ljust(256)
        return table

    def file(self) -> bytes:
        """The bytes of the PNG file."""
        head = pack(">LLBBBBB", self.wide, self.high, 8, 3, 0, 0, 0)
        colours = bytes(part for colour in self.palette.colours for part in colour)
        chunks = (b"IHDR", head), (b"PLTE", colours), (b"IDAT", compress(self.points, QUICK)), (b"IEND", b"")
        return b"\x89PNG\r\n\x1a\n" + b"".join(
            pack(">L", len(data)) + name + data + pack(">L", crc32(name + data)) for name, data in chunks
        )

    def rows(self) -> list[bytes]:
        """The points of each row."""
        return [bytes(self.points[end - self.wide : end]) for end in range(self.step, len(self.points) + 1, self.step)]


@dataclass(frozen=True, eq=False, slots=True)
class Print:
    """A stamp as it looks on a ground: points, where different rows are among them, which row follows which, colours.

    The points are a bytearray because slices of one are laid on another without a copy between; nothing changes them.
    """

    points: bytearray
    cuts: tuple[tuple[int, int], ...]
    rows: tuple[int, ...]
    colours: tuple[Colour, ...]


@lru_cache(maxsize=MOST_PRINTS)
def printed(stamp: Stamp, ground: tuple[Colour, ...]) -> Print:
    """The print of a stamp."""
    canvas = Canvas(stamp.wide, stamp.high, ground)
    if len(ground) > 1 and stamp.gaps:
        for (row, column), colour in zip(stamp.gaps.open(), ground, strict=True):
            canvas.points[row * canvas.step + 1 + column] = canvas.palette[colour]
    for layer in stamp.layers:
        canvas.paint(layer.x - stamp.left, layer.y - stamp.top, layer.cover, layer.ink)
    rows = canvas.rows()
    places = {row: place for place, row in enumerate(dict.fromkeys(rows))}
    points = bytearray().join(places)
    used = bytes(sorted(set(points)))
    return Print(
        points.translate(bytes.maketrans(used, bytes(range(len(used))))),
        tuple((at, at + stamp.wide) for at in range(0, len(points), stamp.wide)),
        tuple(places[row] for row in rows),
        tuple(canvas.palette.colours[number] for number in used),
    )

"""A press lays stamps on canvases of one palette, and keeps their rows in its numbers for the next picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from service.drawing.canvas import Canvas
from service.drawing.palette import Palette
from service.drawing.palette_colour import Colour
from service.drawing.sprite_cache_prints import printed
from service.drawing.sprites import Stamp

MOST_GROUND = 256
"""How many points of different colours may lie in the gaps of a stamp that is kept as it looks on them."""
MOST_ROWS, MOST_PRESSES = 1024, 6
"""A press for each game, and a few for games that want more colours than one palette has; at 5 kB a stamp these are
30 MB at most."""


class Rows(NamedTuple):
    """A stamp in the numbers of a palette: its rows, and which numbers are in them.

    Rows are bytearrays because one is laid on another without a copy between; nothing changes them.
    """

    rows: list[bytearray]
    used: dict[int, None]


class Press:
    """Stamps by the ground that they lie on, in the numbers of a palette."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self.known: dict[tuple[Stamp, bytes], Rows] = {}

    def lay(self, canvas: Canvas, x: int, y: int, stamp: Stamp) -> None:
        """Lay a stamp with its origin here; a small one as it was painted before on the same ground."""
        left, top, step, across = x + stamp.left, y + stamp.top, canvas.step, stamp.wide
        inside = left >= 0 and top >= 0 and left + across <= canvas.wide and top + stamp.high <= canvas.high
        start = top * step + left + 1
        ground = canvas.ground(start, stamp.gaps, MOST_GROUND) if stamp.gaps and inside else b""
        if not ground:
            for layer in stamp.layers:
                canvas.paint(x + layer.x, y + layer.y, layer.cover, layer.ink)
            return
        points, found = canvas.points, self.known.get((stamp, ground)) or self._rows(stamp, ground)
        canvas.used.update(found.used)
        for row in found.rows:
            points[start : start + across] = row
            start += step

    def _rows(self, stamp: Stamp, ground: bytes) -> Rows:
        print_ = printed(stamp, tuple([self.palette.colours[number] for number in ground]))
        numbers = bytes(map(self.palette.__getitem__, print_.colours))
        points = print_.points.translate(numbers.ljust(256))
        cut = [points[first:last] for first, last in print_.cuts]
        if len(self.known) >= MOST_ROWS:
            self.known.clear()
        found = self.known[stamp, ground] = Rows([cut[row] for row in print_.rows], dict.fromkeys(numbers))
        return found


_presses: tuple[Press, ...] = ()


def press(colours: Sequence[Colour]) -> Press:
    """A press whose palette knows these colours, the first of them as its first."""
    global _presses  # noqa: PLW0603  # the latest first; a tuple, so that threads can look through it without a lock
    wanted, others = set(colours), [each for each in _presses if not each.palette.full]
    fit = (each for each in others if each.palette.colours[0] == colours[0] and each.palette.keys() >= wanted)
    found = next(fit, None) or Press(Palette(colours, shared=True))
    _presses = (found, *(each for each in others if each is not found))[:MOST_PRESSES]
    return found


def forget() -> None:
    """Drop what is kept."""
    global _presses  # noqa: PLW0603
    _presses = ()

"""The signs of Bardwood Grove: one for each resource, told apart by its form, and rows of them with numbers."""

from __future__ import annotations

from functools import cache, lru_cache
from math import cos, pi, sin

from engine.games.bardwood_grove.rules.effects import Effect
from engine.lettering import estimate_width
from engine.picture import Curve, Path, Plain, Text
from engine.signs import DARK, Outline, circle, scale_outline

GEM_GREEN = "#1f8a4c"
SIGN = 12.0
"""Height and width of the symbols in the paths below."""
SIGN_SIZES = (SIGN, 11.0, 10.0, 9.0, 8.0, 7.5)
"""How large they are where there is room, and where there is less and less."""


def backwards(curve: Curve) -> Curve:
    """Return a straight outline that runs the other way: a hole in the one around it."""
    return curve[::-1]


def box(left: float, top: float, right: float, low: float) -> Curve:
    """Return a rectangle."""
    return (left, top), (right, top), (right, low), (left, low)


def round_hole(radius: float) -> Curve:
    """Return a circle that runs the other way."""
    points = 12
    return tuple((radius * cos(-2 * pi * at / points), radius * sin(-2 * pi * at / points)) for at in range(points))


def ring(corners: int, radius: float, turn: float, hole: float) -> Outline:
    """Return a regular polygon with a smaller one cut out of it."""
    angles = [turn + 2 * pi * at / corners for at in range(corners)]
    outer = tuple((radius * cos(angle), radius * sin(angle)) for angle in angles)
    return outer, backwards(tuple((hole * cos(angle), hole * sin(angle)) for angle in angles))


def star() -> Outline:
    """Return a star with five points."""
    turns = [-pi / 2 + pi * at / 5 for at in range(10)]
    return (
        tuple((r * cos(angle), r * sin(angle)) for at, angle in enumerate(turns) for r in (2.6 if at % 2 else 6.2,)),
    )


FORMS: dict[str, Outline] = {
    "melody": (
        circle(2.9, -2.0, 3.4),
        (
            (-0.4, 3.4),
            (-0.4, -6.2),
            (0.9, -6.2),
            (1.6, -3.6, 4.6, -3.2, 4.4, 0.6),
            (3.6, -1.4, 2.2, -1.6, 0.9, -1.8),
            (0.9, 3.4),
        ),
    ),
    "lyrics": (
        ((-6.0, -5.4), (6.0, -5.4), (6.0, 2.6), (-0.6, 2.6), (-3.8, 6.0), (-3.4, 2.6), (-6.0, 2.6)),
        backwards(box(-3.8, -3.4, 3.8, -2.0)),
        backwards(box(-3.8, -0.7, 1.8, 0.7)),
    ),
    "wild": star(),
    "volume": (
        ((-6.2, -2.2), (-3.4, -2.2), (0.4, -5.8), (0.4, 5.8), (-3.4, 2.2), (-6.2, 2.2)),
        box(2.0, -2.4, 3.4, 2.4),
        box(4.8, -4.6, 6.2, 4.6),
    ),
    "coins": (circle(6.0), round_hole(4.4), circle(2.6)),
    "acoustic": (*ring(6, 6.4, pi / 2, 4.2), box(-1.0, -2.6, 1.0, 2.6)),
    "range": (*ring(4, 6.6, pi / 2, 3.9), circle(1.7)),
    "movement": (((-6.2, -1.8), (0.2, -1.8), (0.2, -5.4), (6.4, 0.0), (0.2, 5.4), (0.2, 1.8), (-6.2, 1.8)),),
    "tempo": (
        ((-2.2, -6.0), (2.2, -6.0), (5.0, 6.0), (-5.0, 6.0)),
        backwards(((-0.4, 3.2), (2.0, -4.4), (3.0, -3.9), (0.9, 3.2))),
    ),
    "fans": (circle(2.8, 0.0, -3.2), ((-5.4, 6.0), (-5.4, 0.2, 0.0, 0.2), (5.4, 0.2, 5.4, 6.0))),
    "gems": (
        ((-3.4, -5.2), (3.4, -5.2), (6.2, -1.4), (0.0, 6.2), (-6.2, -1.4)),
        backwards(((-3.2, -0.9), (3.2, -0.9), (0.0, 3.2))),
    ),
    "runes": (
        ((-4.2, -6.0), (4.2, -6.0), (4.2, 6.0), (-4.2, 6.0)),
        backwards(box(-0.6, -4.4, 0.6, 4.4)),
        backwards(((0.6, -3.6), (3.0, -1.2), (3.0, 0.2), (0.6, -2.2))),
        backwards(((0.6, -0.4), (3.0, 2.0), (3.0, 3.4), (0.6, 1.0))),
    ),
    "crests": (((-5.2, -6.0), (5.2, -6.0), (5.8, 2.0, 0.0, 6.4), (-5.8, 2.0, -5.2, -6.0)),),
    "boat": (((-6.2, 1.6), (6.2, 1.6), (3.8, 5.6), (-3.8, 5.6)), ((-0.8, -6.0), (0.6, -6.0), (5.4, 0.4), (-0.8, 0.4))),
    "lair": (
        circle(1.9, -4.0, -1.6),
        circle(1.9, 0.0, -3.8),
        circle(1.9, 4.0, -1.6),
        ((-4.0, 4.2), (-3.2, 0.0, 0.0, 0.0), (3.2, 0.0, 4.0, 4.2), (2.0, 6.4, 0.0, 4.8), (-2.0, 6.4, -4.0, 4.2)),
    ),
    "shop": (
        ((-4.8, -1.6), (4.8, -1.6), (5.6, 6.0), (-5.6, 6.0)),
        ((-2.9, -1.6), (-2.9, -6.6, 2.9, -6.6, 2.9, -1.6), (1.7, -1.6), (1.7, -5.0, -1.7, -5.0, -1.7, -1.6)),
    ),
    "bank": (
        ((-6.2, -2.2), (0.0, -6.4), (6.2, -2.2)),
        *(box(x - 1, -1.2, x + 1, 3.6) for x in (-4.0, 0.0, 4.0)),
        box(-6.0, 4.4, 6.0, 6.2),
    ),
    "performance": (
        (
            (-5.4, -5.4),
            (-3.6, -5.4),
            (-3.4, 3.4, 0.0, 3.4),
            (3.4, 3.4, 3.6, -5.4),
            (5.4, -5.4),
            (5.4, 5.4, 0.0, 5.4),
            (-5.4, 5.4, -5.4, -5.4),
        ),
        box(-1.9, -4.4, -1.0, 3.4),
        box(1.0, -4.4, 1.9, 3.4),
        box(-5.4, -4.0, 5.4, -2.6),
    ),
    "jetty": (((-6.2, 1.6), (6.2, 1.6), (3.8, 5.6), (-3.8, 5.6)), ((-0.8, -6.0), (0.6, -6.0), (5.4, 0.4), (-0.8, 0.4))),
    "conversion": (
        ((-6.0, -3.8), (2.4, -3.8), (2.4, -6.2), (6.2, -2.8), (2.4, 0.4), (2.4, -1.8), (-6.0, -1.8)),
        ((6.0, 3.8), (-2.4, 3.8), (-2.4, 6.2), (-6.2, 2.8), (-2.4, -0.4), (-2.4, 1.8), (6.0, 1.8)),
    ),
    "to": (((-5.0, -1.0), (1.0, -1.0), (1.0, -4.0), (5.6, 0.0), (1.0, 4.0), (1.0, 1.0), (-5.0, 1.0)),),
}
"""Resources, pieces and kinds of places."""


@lru_cache(maxsize=1024)
def draw_form(form: str, x: float, y: float, fill: str = DARK, size: float = SIGN) -> Path:
    """Draw a symbol around a point."""
    return Path(x, y, scale_outline(FORMS[form], size / SIGN), GEM_GREEN if form == "gems" and fill == DARK else fill)


@cache
def draw_effect(
    effect: Effect, x: float, y: float, fill: str = DARK, size: float = SIGN
) -> tuple[tuple[Plain, ...], float]:
    """Draw the symbols of an effect in a row, each with its number, and return where the row ends."""
    found: list[Plain] = []
    for kind, many in effect._asdict().items():
        if not many:
            continue
        found.append(draw_form(kind, x + size / 2, y, fill, size))
        x += size + size / 8
        if kind != "fans":
            number = str(many).replace("-", "−")
            found.append(Text(x, y + size * 0.34, number, size, fill, bold=True))
            x += estimate_width(number, size, bold=True)
        x += size / 4
    return tuple(found), x


@cache
def draw_exchange(
    cost: Effect, gain: Effect, x: float, y: float, extra: str = "", *, room: float = 0, fill: str = DARK
) -> tuple[Plain, ...]:
    """Draw a cost, perhaps with one more thing, an arrow, and the gain; smaller if there is little room."""
    found: tuple[Plain, ...] = ()
    for size in SIGN_SIZES:
        paid, end = draw_effect(cost, x, y, fill, size)
        more: tuple[Plain, ...] = ()
        if extra:
            more, end = (draw_form(extra, end + size / 2, y, fill, size),), end + size + size / 4
        got, last = draw_effect(gain, end + size * 1.05, y, fill, size)
        found = (*paid, *more, draw_form("to", end + size * 0.42, y, fill, size * 0.75), *got)
        if not room or last - size / 4 <= x + room:
            break
    return found

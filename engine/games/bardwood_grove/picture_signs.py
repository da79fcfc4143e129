"""The signs of Bardwood Grove: one for each resource, distinguished by its form, and rows of them with numbers."""

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
SIGN_SIZES = (13.0, SIGN, 11.0, 10.0, 9.0, 8.0, 7.0, 6.0)
"""Sizes of the symbols, the largest first; smaller ones are used where there is less room."""
LEAST_LETTERS = 11.0
"""Minimum size of the numbers next to symbols."""


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


GEM_INKS = {DARK: GEM_GREEN, "ink": "gem", "quiet": "gem"}
"""Gems are green on every light ground."""


@lru_cache(maxsize=2048)
def draw_form(form: str, x: float, y: float, fill: str = DARK, size: float = SIGN) -> Path:
    """Draw a symbol around a point."""
    ink = GEM_INKS.get(fill, fill) if form == "gems" else fill
    return Path(x, y, scale_outline(FORMS[form], size / SIGN), ink)


@cache
def draw_effect(
    effect: Effect, x: float, y: float, fill: str = DARK, size: float = SIGN
) -> tuple[tuple[Plain, ...], float]:
    """Draw the symbols of an effect in a row, each with its number, and return where the row ends."""
    shapes: list[Plain] = []
    letters = max(size, LEAST_LETTERS)
    for kind, many in effect._asdict().items():
        if not many:
            continue
        shapes.append(draw_form(kind, x + size / 2, y, fill, size))
        x += size + size / 8
        if kind != "fans":
            number = str(many).replace("-", "−")
            shapes.append(Text(x, y + letters * 0.35, number, letters, fill, bold=True))
            x += estimate_width(number, letters)
        x += size / 5
    return tuple(shapes), x


@cache
def fit_effect(effect: Effect, x: float, y: float, room: float, fill: str = DARK) -> tuple[tuple[Plain, ...], float]:
    """Draw the symbols of an effect as large as there is room for, and return where the row ends."""
    fit = (draw_effect(effect, x, y, fill, size) for size in SIGN_SIZES[1:])
    return next((drawn for drawn in fit if drawn[1] - 2 <= x + room), draw_effect(effect, x, y, fill, SIGN_SIZES[-1]))


@cache
def draw_exchange(
    cost: Effect,
    gain: Effect,
    x: float,
    y: float,
    extra: str = "",
    *,
    room: float,
    fill: str = DARK,
    apart: float = 0,
) -> tuple[Plain, ...]:
    """Draw a cost, perhaps with an extra price, an arrow, and the gain, with symbols as large as there is room for.

    The gain is drawn `apart` below the cost if that is not 0.
    """
    shapes: tuple[Plain, ...] = ()
    for size in SIGN_SIZES:
        paid, end = draw_effect(cost, x, y - apart / 2, fill, size)
        more: tuple[Plain, ...] = ()
        if extra:
            more, end = (draw_form(extra, end + size / 2, y - apart / 2, fill, size),), end + size * 1.25
        first = x if apart else end
        got, last = draw_effect(gain, first + size * 1.05, y + apart / 2, fill, size)
        shapes = (*paid, *more, draw_form("to", first + size * 0.42, y + apart / 2, fill, size * 0.75), *got)
        if max(end, last) - size / 5 <= x + room:
            break
    return shapes

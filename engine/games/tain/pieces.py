"""The pieces of Táin as shapes: wooden tokens, cattle, jewels, places and bars."""

from __future__ import annotations

from functools import cache, lru_cache
from math import cos, pi, sin

from engine.games.tain.tokens import EMPTY, KINGDOM_PLACES, LETTERS, ROUNDS, UNKNOWN
from engine.lettering import break_words, estimate_width
from engine.picture import Box, Curve, Disc, Group, Line, Path, Plain, Shape, Text
from engine.signs import CREAM, DARK, FAINT_ON_FELT, GOLD, ON_FELT, SEAT_COLOURS, scale_outline

GRASS, STONE, LAND, WOOD = "#4d7a3f", "#857d71", "#6d6130", "#5b3f28"
HILL, CELL, BAR, FACET_FILL = "#5a5128", "#2b251d", "#6b6257", "#b8872b"
HOLLOWS = {GRASS: ("#3d6432", "#557f4a"), STONE: ("#6d665b", "#8d867b"), LAND: ("#4c4421", ""), WOOD: ("#48311e", "")}
"""Colours of an empty place and of the symbol in it, by the ground below."""
SMALL = 12.0
"""Tokens no larger than this keep their clan's letter off their own."""


def turn_curve(curve: Curve, angle: float, size: float) -> Curve:
    """Turn an outline around the origin and scale it."""
    across, down = size * cos(angle), size * sin(angle)
    return tuple(
        tuple(
            part
            for x, y in zip(point[::2], point[1::2], strict=True)
            for part in (round(x * across - y * down, 2), round(x * down + y * across, 2))
        )
        for point in curve
    )


ARM: Curve = (
    (0.0, -0.1),
    (0.25, -0.75, 1.0, -0.8, 0.95, -0.05),
    (0.9, 0.25, 0.5, 0.2, 0.55, -0.05),
    (0.6, -0.3, 0.25, -0.3, 0.1, 0.08),
)
COW: Curve = (
    (-8.0, 0.4),
    (-8.2, -1.2),
    (-6.4, -3.2),
    (-7.2, -5.4, -6.6, -5.6),
    (-5.6, -4.2, -4.6, -3.8),
    (-3.6, -2.8),
    (5.8, -2.8),
    (8.0, -2.6, 8.0, 2.6),
    (6.8, 1.6),
    (6.6, 6.0),
    (4.6, 6.0),
    (4.2, 2.8),
    (-2.0, 2.8),
    (-2.4, 6.0),
    (-4.4, 6.0),
    (-4.8, 1.2),
    (-6.0, 0.8),
)
JEWEL: Curve = ((-3.6, -5.0), (3.6, -5.0), (6.6, -1.2), (0.0, 6.4), (-6.6, -1.2))
FACET: Curve = ((-4.4, -1.6), (0.0, 3.6), (4.4, -1.6))
SHIELD: Curve = ((-6.0, -7.0), (6.0, -7.0), (6.4, 2.0, 0.0, 8.0), (-6.4, 2.0, -6.0, -7.0))
LOW = 60.0
"""A kingdom no higher than this has no room for hills, and its herd is next to its name."""
HILLS: Curve = (
    (0.0, 0.0),
    (14.0, -46.0, 30.0, -20.0),
    (44.0, -64.0, 58.0, -18.0),
    (70.0, -30.0, 78.0, 0.0),
)
EYE: Curve = ((-9.0, 0.0), (0.0, -9.0, 9.0, 0.0), (0.0, 9.0, -9.0, 0.0))


@cache
def draw_triskele(x: float, y: float, size: float, fill: str) -> Path:
    """Draw three spirals, the back of every token."""
    return Path(x, y, tuple(turn_curve(ARM, at * 2 * pi / 3, size) for at in range(3)), fill)


@cache
def draw_token(x: float, y: float, owner: str, kind: str, radius: float) -> tuple[Plain, ...]:
    """Draw a wooden token: the letter of its kind, or a triskele if it lies face down."""
    seat = LETTERS.index(owner)
    face: Plain = (
        draw_triskele(x, y, radius * 0.66, CREAM)
        if kind == UNKNOWN
        else Text(x, y + radius * 0.35, kind, radius, CREAM, "middle", bold=True)
    )
    return (
        Disc(x, y + 2, radius, DARK, DARK, 1.2),
        Disc(x, y, radius, SEAT_COLOURS[seat], DARK, 1.2),
        Disc(x, y, radius * 0.82, "", CREAM, 0.8),
        face,
    )


@cache
def draw_place(x: float, y: float, ground: str, sign: str, radius: float) -> tuple[Plain, ...]:
    """Draw an empty place for a guard, a scout or a raider, with a faint sign of the tokens allowed there."""
    hollow, faint = HOLLOWS[ground]
    shapes: tuple[Plain, ...] = (Disc(x, y, radius, hollow),)
    if sign == "guard":
        return (*shapes, Path(x, y, (SHIELD,), faint))
    if sign == "scout":
        return (*shapes, Path(x, y, (EYE,), faint), Disc(x, y, 2.6, hollow))
    return shapes


@cache
def draw_guest(x: float, y: float, owner: str, kind: str, radius: float) -> tuple[Plain, ...]:
    """Draw a token away from home with the letter of its clan, so that nobody needs its colour."""
    far, small = radius * (0.7 if radius > SMALL else 0.9), max(6.0, radius * 0.36)
    return (
        *draw_token(x, y, owner, kind, radius),
        Disc(x - far, y - far, small, DARK),
        Text(x - far, y - far + small * 0.55, owner, max(10, small * 1.6), CREAM, "middle", bold=True),
    )


def draw_spot(x: float, y: float, owner: str, kind: str, ground: str, sign: str, radius: float) -> tuple[Plain, ...]:
    """Draw a place with the token that lies there, if any. A guard belongs to the clan of the board."""
    if kind == EMPTY:
        return draw_place(x, y, ground, sign, radius)
    return (draw_token if sign == "guard" else draw_guest)(x, y, owner, kind, radius)


@cache
def draw_captives(owner: str, kind: str, many: int, radius: float) -> tuple[Plain, ...]:
    """Draw captives of one kind as one token, with their number at its foot."""
    token, low = draw_guest(0, 0, owner, kind, radius), radius * 0.7
    if many == 1:
        return token
    return (*token, Disc(low, low, 6, DARK), Text(low, low + 3.5, str(many), 10, CREAM, "middle", bold=True))


@cache
def draw_cow(x: float, y: float) -> tuple[Plain, ...]:
    """Draw one head of cattle, 18 units long."""
    return (Path(x, y, scale_outline((COW,), 1.12), CREAM, DARK, 0.8),)


@cache
def draw_jewel(x: float, y: float) -> tuple[Plain, ...]:
    """Draw one jewel, 13 units wide."""
    return (Path(x, y, (JEWEL,), GOLD, DARK, 0.8), Path(x, y, (FACET,), FACET_FILL))


@cache
def draw_cell(width: float, height: float, low: float) -> tuple[Plain, ...]:
    """Draw the cell of a house: a dark room under a grate that reaches down to `low`."""
    many = int(width // 11)
    step = width / many
    bars = tuple(
        ((x - 2, 0.0), (x + 2, 0.0), (x + 2, low - 5), (x, low), (x - 2, low - 5))
        for x in (step * (at + 0.5) for at in range(many))
    )
    return (
        Box(0, 0, width, height, CELL, "", 8),
        Path(0, 0, bars, BAR),
        Box(4, low / 2 - 4, width - 8, 3, BAR),
    )


@cache
def draw_gate(x: float, y: float, width: float, number: str) -> tuple[Plain, ...]:
    """Draw a piece of wall with a gate and its number."""
    return (
        Line(((x - width / 2 + 7, y), (x + width / 2 - 7, y)), DARK, 4),
        Box(x - 11, y - 8, 22, 16, DARK, "", 5),
        Text(x, y + 5, number, 13, CREAM, "middle", bold=True),
    )


@cache
def draw_small_gate(width: float, number: str) -> tuple[Plain, ...]:
    """Draw a piece of wall, and the number of its gate above it to the right."""
    return (
        Line(((7 - width / 2, 0), (width / 2 - 7, 0)), DARK, 3),
        Text(width / 2 - 10, -15, number, 13, CREAM, "middle", bold=True),
    )


@cache
def draw_stack(seat: int, kind: str, many: int, name: str, width: float, wide: bool) -> tuple[Plain, ...]:
    """Draw the tokens of one kind on the shelf behind the screen, with their name and number."""
    radius, high = (21.0, 64.0) if wide else (19.0, 74.0)
    x, y = (34.0, 34.0) if wide else (width / 2, 27.0)
    shapes: list[Plain] = [Box(0, 0, width, high, WOOD, "", 10)]
    below = range(min(many, 3) - 1, 0, -1)
    shapes += [Disc(x + 2 * more, y - 3 * more, radius, SEAT_COLOURS[seat], DARK, 1.2) for more in below]
    shapes += draw_token(x, y, LETTERS[seat], kind, radius) if many else draw_place(x, y, WOOD, "", radius)
    size = 13.0 if wide else 11.0
    rows = break_words(name, width - 70 if wide else width - 4, size, 2)
    if wide:
        top = 35 - 8 * len(rows)
        shapes += [Text(66, top + 16 * at, row, size, ON_FELT, bold=True) for at, row in enumerate(rows)]
        shapes.append(Text(66, top + 2 + 16 * len(rows), f"×{many}", 15, ON_FELT, bold=True))
    else:
        shapes += [Text(width / 2, 58 + 11 * at, row, size, ON_FELT, "middle") for at, row in enumerate(rows)]
        shapes.append(Text(width - 4, 14, f"×{many}", 12, ON_FELT, "end", bold=True))
    return tuple(shapes)


@cache
def draw_clan_sign(seat: int, radius: float = 11) -> tuple[Plain, ...]:
    """Draw the letter of a clan on its wood."""
    y = radius * 1.27
    return (
        Disc(radius, y, radius, SEAT_COLOURS[seat], DARK, 1.2),
        Text(radius, y + radius * 0.45, LETTERS[seat], radius * 1.36, CREAM, "middle", bold=True),
    )


@cache
def draw_herd(x: float, y: float, many: int, room: float) -> tuple[Plain, ...]:
    """Draw a number and as many heads of cattle, closer together the more there are."""
    first = 27.0 + 11 * len(str(many))
    step = min(20.0, (room - first - 10) / max(many - 1, 1))
    number = Text(x + 11, y + 6, str(many), 16, CREAM, bold=True)
    return (number, *(cow for at in range(many) for cow in draw_cow(x + first + at * step, y)))


@cache
def draw_hoard(many: int, room: float) -> tuple[Plain, ...]:
    """Draw a number and as many jewels."""
    step = min(15.0, (room - 42) / max(many - 1, 1))
    number = Text(22, 6, str(many), 16, CREAM, "end", bold=True)
    return (number, *(jewel for at in range(many) for jewel in draw_jewel(36 + at * step, 0)))


@lru_cache(maxsize=256)
def draw_kingdom(stock: int, there: tuple[str, ...], title: str, width: float, height: float) -> tuple[Shape, ...]:
    """Draw the foreign kingdom: hills, its herd, and two places for raiders."""
    radius = min(height / 2 - 9, 25)
    places = width - KINGDOM_PLACES * (2 * radius + 8) - 8
    beside = 0 if height > LOW else estimate_width(title, 14) + 8
    shapes: list[Shape] = [
        Box(0, 0, width, height, LAND, "", 12),
        *((Path(places - 100, height - 30, (HILLS,), HILL),) if height > LOW else ()),
        Text(14, 22 if height > LOW else height / 2 + 5, title, 14, CREAM, bold=True),
        *draw_herd(3 + beside, height - 21 if height > LOW else height / 2, stock, places - 13 - beside),
    ]
    for place in range(KINGDOM_PLACES):
        token, x = there[place] if place < len(there) else "a" + EMPTY, places + (place + 0.5) * (2 * radius + 8)
        shapes.append(Group(x, height / 2, draw_spot(0, 0, token[0], token[1], LAND, "", radius)))
    return tuple(shapes)


@cache
def draw_count(piece: str, many: int) -> tuple[Plain, ...]:
    """Draw one piece and its number."""
    drawn = draw_cow(0, 0) if piece == "cattle" else draw_jewel(0, 0)
    return (*drawn, Text(13, 5, str(many), 14, CREAM, bold=True))


ROUND_STEP, ROUND_RADIUS = 29.0, 11.5


@cache
def draw_rounds(now: int) -> tuple[Plain, ...]:
    """Draw the track of rounds, with this one in gold."""
    shapes: list[Plain] = []
    for number in range(1, ROUNDS + 1):
        x = ROUND_RADIUS + 1 + (number - 1) * ROUND_STEP
        fill = GOLD if number == now else ""
        shapes.append(Disc(x, 0, ROUND_RADIUS, fill, FAINT_ON_FELT, 1.2))
        shapes.append(Text(x, 5, str(number), 13, DARK if fill else FAINT_ON_FELT, "middle", bold=number == now))
    return tuple(shapes)


ROUNDS_WIDTH = 2 * (ROUND_RADIUS + 1) + (ROUNDS - 1) * ROUND_STEP

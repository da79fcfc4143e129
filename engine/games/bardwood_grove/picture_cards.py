"""Cards, landmarks and pieces of Bardwood Grove as shapes at the origin. Equal ones are drawn once and cached."""

from __future__ import annotations

from functools import cache, lru_cache

from engine.games.bardwood_grove.picture_portraits import draw_portrait
from engine.games.bardwood_grove.picture_signs import draw_effect, draw_exchange, draw_form, fit_effect
from engine.games.bardwood_grove.rules.cards import Skill
from engine.games.bardwood_grove.rules.effects import NOTHING, Effect
from engine.lettering import LEADING, estimate_width, fit_rows
from engine.picture import Box, Curve, Disc, Path, Plain, Text
from engine.signs import CREAM, DARK, KAPPA, SEAT_COLOURS, SHADE, Outline, circle, scale_outline

Shapes = tuple[Plain, ...]
Size = tuple[float, float]
Seats = tuple[tuple[int, str], ...]
"""Seats with the letters of their pieces."""
Offer = tuple[Effect, Effect, str]
"""A cost, a gain, and an extra price; for a place without an exchange, a word about it."""
GOLD_EDGE, TINT, STRIP, SOFT = "#c99b2e", "#f0e0b4", "#5d5443", "#5b5141"
KIND_FILLS = {
    "lair": "#8a2f3c",
    "shop": "#8a5a12",
    "bank": "#8a5a12",
    "performance": "#2b5f94",
    "jetty": "#0d7a78",
    "conversion": "#655d4c",
}
"""Colours of the kinds of places. Each kind has a sign too."""
FADED = "#8b8470"
NAME_SIZES, CARD_SIZES, TEXT_SIZES = (12.0, 11.5, 11.0), (12.0, 11.5, 11.0, 10.5, 10.0), (11.5, 11.0)
PAWN: Outline = (
    (
        *((-7.4, 8.0), (-6.8, 2.2, -5.4, -1.8, -2.8, -3.4), (-6.6, -6.0, -4.8, -12.0, 0.0, -12.0)),
        *((4.8, -12.0, 6.6, -6.0, 2.8, -3.4), (5.4, -1.8, 6.8, 2.2, 7.4, 8.0)),
    ),
)
HULL: Outline = (((-11.0, -0.6), (11.0, -0.6), (7.0, 9.0), (-7.0, 9.0)), ((-1.0, -12.0), (9.0, -2.0), (-1.0, -2.0)))
SHIELD: Outline = (((-6.0, -7.0), (6.0, -7.0), (6.6, 1.0, 4.0, 5.0, 0.0, 7.5), (-4.0, 5.0, -6.6, 1.0, -6.0, -7.0)),)
TAB: Outline = (((-5.0, -7.0), (6.0, 0.0), (-5.0, 7.0)),)
LETTER_DROPS = {"pawn": 5.6, "boat": 8.0, "crest": 2.8}
PIECES = {"pawn": PAWN, "boat": HULL, "crest": SHIELD}
SIGN_OF_QUARTER = {"ur": (0, 1), "lr": (0, 0), "ll": (1, 0), "ul": (1, 1)}
"""By quarter of the dial: True if its middle is at the right end, and at the low end, of its square."""


@lru_cache(maxsize=2048)
def write(
    words: str,
    x: float,
    top: float,
    size: Size,
    sizes: tuple[float, ...],
    fill: str,
    *,
    bold: bool = False,
    **look: bool,
) -> Shapes:
    """Write words in rows in the middle of this height, or at its top. Words that do not fit are left to the label."""
    rows, letters = fit_rows(words, *size, sizes)
    free = 0 if look.get("high") else size[1] - len(rows) * letters * LEADING
    first = top + free / 2 + letters * 0.88
    return tuple(Text(x, first + at * letters * LEADING, row, letters, fill, bold=bold) for at, row in enumerate(rows))


@lru_cache(maxsize=1024)
def draw_piece(kind: str, seat: int, sign: str, x: float, y: float, scale: float = 1) -> Shapes:
    """Draw the pawn, boat or crest of a seat, with the letter of its player."""
    return (
        Path(x, y, scale_outline(PIECES[kind], scale), SEAT_COLOURS[seat], CREAM, 1.3),
        Text(x, y + LETTER_DROPS[kind] * scale, sign, 10, "#ffffff", "middle", bold=True),
    )


@cache
def draw_ghost(seat: int, x: float, y: float) -> Path:
    """Draw a hollow pawn, where the pawn of this seat was before."""
    return Path(x, y, scale_outline(PAWN, 0.75), CREAM, SEAT_COLOURS[seat], 1.6)


@cache
def draw_tab(seat: int, over: int, down: int) -> Path:
    """Draw a tab around the origin that points where a pawn went."""
    curves = tuple(tuple((x * over - y * down, x * down + y * over) for x, y in curve) for curve in TAB)
    return Path(0, 0, curves, SEAT_COLOURS[seat], CREAM, 1.5)


@lru_cache(maxsize=512)
def draw_badge(seat: int, sign: str, x: float, y: float, radius: float) -> Shapes:
    """Draw the disc of a seat with the letter of its player."""
    size = max(10.0, radius * 1.3)
    return (
        Disc(x, y, radius, SEAT_COLOURS[seat], CREAM, 1.2),
        Text(x, y + size * 0.36, sign, size, "#ffffff", "middle", bold=True),
    )


def draw_badges(seats: Seats, right: float, top: float) -> Shapes:
    """Draw discs of seats in pairs below each other, up to the right end."""
    return tuple(
        shape
        for at, (seat, sign) in enumerate(seats)
        for shape in draw_badge(seat, sign, right - 6.5 - at % 2 * 12, top + 6 + at // 2 * 12, 6)
    )


@cache
def draw_plaque(width: float, height: float, lit: bool) -> Shapes:
    """Draw a plaque: cream with a golden edge if it can be used now, else muted."""
    if not lit:
        return (Box(0, 0, width, height, "mute", "hedge", 8),)
    shadow = (Box(0, 2, width, height, SHADE, "", 8),) if height >= SMALL_PLAQUE else ()
    return *shadow, Box(0, 0, width, height, CREAM, GOLD_EDGE, 8, 2)


SMALL_PLAQUE = 30.0


@cache
def draw_sheet(width: float, height: float, lit: bool) -> Shapes:
    """Draw the face of a card with its shadow. Its edge is golden if it can be played now."""
    edge, thick = (GOLD_EDGE, 2.2) if lit else ("#d9c9a0", 1)
    return Box(0, 2, width, height, SHADE, "", 6), Box(0, 0, width, height, CREAM, edge, 6, thick)


@lru_cache(maxsize=512)
def draw_medal(kind: str, creature: str, x: float, y: float, radius: float, lit: bool) -> Shapes:
    """Draw the sign of a kind of place, or the portrait of the creature that lives there."""
    rim = KIND_FILLS[kind] if lit else FADED
    if not creature:
        return Disc(x, y, radius, rim), draw_form(kind, x, y, CREAM, radius * 1.2)
    ground, *art = draw_portrait(creature, radius - 2)
    shapes = (Path(x, y, shape.curves, shape.fill) for shape in art if isinstance(shape, Path))
    return Disc(x, y, radius, rim), Disc(x, y, radius - 2, ground.fill), *shapes


@lru_cache(maxsize=1024)
def draw_place(kind: str, creature: str, title: str, offer: Offer, crests: int, size: Size, lit: bool) -> Shapes:
    """Draw a landmark: sign or portrait, name, cost and gain. A low one leaves room for crests at its lower end."""
    (width, height), (cost, gain, extra) = size, offer
    ink, sizes = DARK if lit else "quiet", CARD_SIZES if kind in {"lair", "shop"} else NAME_SIZES
    tall = height >= TALL
    under = tall and bool(creature)
    radius = 0.0 if kind == "conversion" else 15.0 if under else min(18.0, height / 2 - 4) if creature else 12.0
    left = 2 * radius + 8 if radius else 5.0
    middle = height - radius - 4 if under else 20.0 if tall else height / 2
    medal = draw_medal(kind, creature, radius + 4, middle, radius, lit) if radius else ()
    low: Shapes = ()
    start, room = (5.0, width - 8) if tall and not under else (left, width - left - 3)
    room -= 13 * crests if height <= SMALL else 0
    if cost != NOTHING or gain != NOTHING:
        apart = 16 if under else 0
        low = draw_exchange(
            cost, gain, start, height - (20 if under else 11.5), extra, room=room, fill=ink, apart=apart
        )
    elif extra:
        low = write(extra, start, height - 21, (room, 15), TEXT_SIZES, ink)
    free = height - 2 * radius - 9 if under else height - (22 if low else 6)
    words = write(title, 5 if under else left, 3, (width - (8 if under else left + 3), free), sizes, ink, bold=True)
    return *draw_plaque(width, height, lit), *medal, *words, *low


@lru_cache(maxsize=512)
def draw_crests(seats: Seats, size: Size) -> Shapes:
    """Draw the crests or runes of seats on the upper edge of a landmark, or in a low one at its lower end."""
    width, height = size
    y = -0.4 if height > SMALL else height - 9
    pieces = (draw_piece("crest", seat, sign, width - 10 - at * 13, y, 0.8) for at, (seat, sign) in enumerate(seats))
    return tuple(shape for piece in pieces for shape in piece)


TALL = 60.0


@lru_cache(maxsize=1024)
def draw_small_place(kind: str, creature: str, offer: Offer, seats: Seats, size: Size, lit: bool) -> Shapes:
    """Draw a landmark on a small map: its sign or portrait, and its price if there is room."""
    (width, height), (cost, _, _) = size, offer
    ink = DARK if lit else "quiet"
    narrow = width < SMALL
    medal = draw_medal(kind, creature, width / 2 if narrow else 16, height / 2, 13 if creature else 11, lit)
    price = [(form, many) for form, many in cost._asdict().items() if many][:1]
    low = height / 2 + (6 if seats else 0)
    shapes = [*draw_plaque(width, height, lit), *medal]
    if price and not narrow:
        wide = draw_effect(Effect(**dict(price)), 0, 0, ink, 11)[1]
        shapes += draw_effect(Effect(**dict(price)), max(30.0, width - wide - 4), low, ink, 11)[0]
    step = min(9.0, (width - 32) / max(len(seats), 1))
    shapes += [Disc(width - 6 - at * step, 7, 4, SEAT_COLOURS[seat], CREAM, 1) for at, (seat, _) in enumerate(seats)]
    return tuple(shapes)


SMALL = 40.0


@cache
def ellipse(width: float, height: float) -> Outline:
    """Return an ellipse around the origin."""
    return (tuple(tuple(n * (height if at % 2 else width) / 2 for at, n in enumerate(p)) for p in circle(1)),)


@lru_cache(maxsize=1024)
def draw_region(region: str, seats: Seats, ghosts: tuple[int, ...], size: Size, look: str) -> Shapes:
    """Draw a clearing with its pawns, and hollow pawns that left. It may be lit, the viewer's own, or newly entered."""
    width, height = size
    across, down, crowd = width / 2, height / 2, len(seats) + len(ghosts)
    scale = 1.05 if width > SMALL else 0.85 if crowd <= PAIR else 0.75
    fill, line, thick = LOOKS[look]
    base = [Path(across, down, ellipse(width, height), fill, line, thick)]
    if look == "entered":
        base.append(Path(across, down, ellipse(width - 2, height - 2), "", FRESH, 2.2))
    name_y = 15.0 if crowd and height > SMALL + 10 else 11.0 if crowd else down + 4.5
    step = 9.5 * scale
    low = name_y + 13 * scale if crowd > PAIR else down + 9
    places = [(across + (step if at % 2 else -step), low + at // 2 * 18 * scale) for at in range(crowd)]
    if crowd % 2:
        places[-1] = across, places[-1][1]
    shapes: list[Plain] = [
        *base,
        Text(across, name_y, region, 12, DARK if look == "lit" else "ink", "middle", bold=True),
    ]
    for (seat, sign), (x, y) in zip(seats, places, strict=False):
        shapes += draw_piece("pawn", seat, sign, x, y, scale)
    shapes += [draw_ghost(seat, x, y) for seat, (x, y) in zip(ghosts, places[len(seats) :], strict=True)]
    return tuple(shapes)


PAIR = 2
FRESH = "#8fdcff"
LOOKS = {
    "": ("meadow", "", 1),
    "own": ("meadow", "#d99a1c", 3),
    "lit": (CREAM, GOLD_EDGE, 2),
    "entered": ("meadow", "deep", 4),
}
"""Fill, line and thickness of a clearing."""


@lru_cache(maxsize=512)
def draw_space(space: int, level: str, seats: Seats, size: Size, lit: bool) -> Shapes:
    """Draw a space of the river with the boats on it, and the level of legends that it opens."""
    width, height = size
    ink, middle = DARK if lit else "ink", height / 2
    narrow = width < NARROW_SPACE
    tag = 9 + estimate_width(level, 11) if level and not narrow else 0
    shapes: list[Plain] = [Box(0, 0, width, height, CREAM if lit else "", GOLD_EDGE if lit else "", 8, 2)]
    shapes.append(Text(4, middle + (-1 if level and narrow else 4.5), str(space), 12.5, ink, bold=True))
    if level and narrow:
        shapes.append(Text(4, height - 3, level, 11, DEEP if lit else "deep", bold=True))
    elif level:
        shapes += [
            Box(width - tag - 4, middle - 8, tag, 16, DEEP if lit else "deep", "", 4),
            Text(width - tag / 2 - 4, middle + 4, level, 11, CREAM if lit else "map", "middle", bold=True),
        ]
    if 23 * len(seats) <= width - 18 - tag:
        boats = (draw_piece("boat", seat, sign, 28 + at * 23, middle + 1) for at, (seat, sign) in enumerate(seats))
        return (*shapes, *(part for boat in boats for part in boat))
    return (*shapes, *draw_badges(seats, 48, middle - (6 if len(seats) <= PAIR else 12)))


NARROW_SPACE = 70.0
DEEP = "#1f5a80"


@lru_cache(maxsize=512)
def draw_legend(title: str, text: str, seats: Seats, size: Size, lit: bool) -> Shapes:
    """Draw a legend: its name, its criterion if there is room, and the seats that told it."""
    (width, height), ink = size, DARK if lit else "quiet"
    room = width - 14 - (0, 13, 25)[min(len(seats), 2)]
    if width > LEAST_TOLD and height > SMALL_LEGEND:
        words = (
            *write(title, 8, 2, (room, 14), CARD_SIZES, ink, bold=True),
            *write(text, 8, 15.5, (room, height - 15.5), (11.0,), ink, high=True),
        )
    else:
        words = write(title, 8, 0, (room, height), CARD_SIZES[1:], ink, bold=True)
    return (
        *draw_plaque(width, height, lit),
        *words,
        *draw_badges(seats, width - 2, height / 2 - (6 if len(seats) <= PAIR else 12)),
    )


SMALL_LEGEND, LEAST_TOLD = 28.0, 150.0


@cache
def draw_level(level: str, lyrics: int, gems: int, boat: int, cap: str, width: float) -> Shapes:
    """Draw the requirements of a level of legends, boat and lyrics, its gain, and its maximum worth."""
    return (
        Text(1, 11, level, 13, "deep", bold=True),
        draw_form("boat", 29, 7, "ink", 12),
        Text(37, 11, str(boat), 12, "ink", bold=True),
        *draw_exchange(Effect(lyrics=lyrics), Effect(gems=gems), 52, 7, "runes", room=120, fill="ink"),
        *((Text(width - 2, 11, cap, 11, "quiet", "end"),) if width > LONG_LEVEL else ()),
    )


LONG_LEVEL = 200.0


@lru_cache(maxsize=64)
def draw_event(title: str, text: str, later: str, size: Size, lit: bool) -> Shapes:
    """Draw the event in force, and the name of the later one if there is room. A flat one leaves room for the pools."""
    width, height = size
    flat = height < FLAT_EVENT
    room = width - 18
    named = write(title, 13, 2, (room - (POOLS if flat else 0), 16), (13.0, *CARD_SIZES[:3]), DARK, bold=True)
    told = write(text, 13, 18, (room, height - 19), TEXT_SIZES, SOFT, high=True)
    low = 20 + len(told) * TEXT_SIZES[0] * LEADING
    after = write(later, 13, height - 16, (room, 14), (11.0,), SOFT) if later and low + 14 < height else ()
    return (
        Box(0, 0, width, height, "#f3e4c0", GOLD_EDGE if lit else "", 7, 2),
        Box(0, 0, 5, height, "#c79a4e", "", 3),
        *named,
        *told,
        *after,
    )


FLAT_EVENT, POOLS = 50.0, 112.0


@cache
def draw_motif(title: str, gems: int, size: Size, lit: bool) -> Shapes:
    """Draw a motif token with its gems."""
    (width, height), ink = size, DARK if lit else "quiet"
    return (
        *draw_plaque(width, height, lit),
        *write(title, 7, 0, (width - 36, height), CARD_SIZES[1:], ink),
        *draw_effect(Effect(gems=gems), width - 28, height / 2, ink, 11)[0],
    )


@lru_cache(maxsize=512)
def draw_skill(skill: Skill, title: str, size: Size, lowered: bool, lit: bool) -> Shapes:
    """Draw a Skill: upper half, lower half with its volume, and the strip that pays when it is discarded."""
    width, height = size
    strip, band = height - 18, height - 37
    lower: Shapes = ()
    if skill.has_lower:
        cost = Effect(volume=skill.cost)
        lower = (
            Box(1, band, width - 2, 19, TINT),
            *draw_exchange(cost, skill.lower, 5, band + 9.5, room=width - 8),
            *((Box(5, band + 8.7, width - 10, 1.6, "#8a2f3c"),) if lowered else ()),
        )
    foot: Curve = (
        *((0.0, 0.0), (width, 0.0), (width, 12.0), (width, 18.0, width - 6, 18.0), (6.0, 18.0), (0.0, 18.0, 0.0, 12.0)),
    )
    return (
        *draw_sheet(width, height, lit),
        *draw_card_top(title, skill.upper, width, band),
        *lower,
        Path(0, strip, (foot,), STRIP),
        *fit_effect(skill.strip, 6, strip + 9, width - 9, CREAM)[0],
    )


@lru_cache(maxsize=1024)
def draw_card_top(title: str, effect: Effect, width: float, height: float) -> Shapes:
    """Draw the name of a card and its gain."""
    return (
        *write(title, 6, 2, (width - 10, height - 18), CARD_SIZES, DARK, bold=True, high=True),
        *fit_effect(effect, 6, height - 9, width - 9)[0],
    )


@lru_cache(maxsize=256)
def draw_card(title: str, kind: str, effect: Effect, size: Size) -> Shapes:
    """Draw a card that only gives: an Impro or an Instrument."""
    width, height = size
    return (
        *draw_sheet(width, height, lit=False),
        *draw_card_top(title, effect, width, height - 20),
        *write(kind, 4, height - 17, (width - 6, 14), (11.0,), SOFT),
    )


@lru_cache(maxsize=512)
def draw_row(form: str, fill: str, title: str, offer: Offer, size: Size) -> Shapes:
    """Draw a choice that is not a place: its sign, its name, its cost and its gain."""
    (width, height), (cost, gain, extra) = size, offer
    room = width - 34
    signs: Shapes = ()
    if cost != NOTHING:
        signs = draw_exchange(cost, gain, 31, height - 11, extra, room=room)
    elif gain != NOTHING:
        signs = draw_effect(gain, 31, height - 11)[0]
    return (
        *draw_plaque(width, height, lit=True),
        Disc(15, height / 2, 11, fill),
        draw_form(form, 15, height / 2, CREAM, 13),
        *write(title, 31, 2, (room, height - (21 if signs else 4)), CARD_SIZES, DARK, bold=True),
        *signs,
    )


@lru_cache(maxsize=64)
def draw_bard(title: str, instrument: str, effect: Effect, text: str, size: Size) -> Shapes:
    """Draw a bard that may be chosen, with the gain of its instrument and its power."""
    width, height = size
    return (
        *draw_sheet(width, height, lit=True),
        *write(title, 10, 4, (width - 18, 17), (14.0, 13.0, 12.0, 11.0), DARK, bold=True),
        *write(instrument, 10, 20, (width - 18, 15), TEXT_SIZES, SOFT),
        *draw_effect(effect, 10, 44)[0],
        *write(text, 10, 54, (width - 18, height - 56), NAME_SIZES, DARK, high=True),
    )


@lru_cache(maxsize=256)
def draw_quarter(slug: str, runes: int, movement: int, bonus: Effect, seat: int, radius: float, now: bool) -> Shapes:
    """Draw a quarter of a dial: its runes, or its bonus once they are gone, and its movement."""
    right, low = SIGN_OF_QUARTER[slug]
    x, y = right * radius, low * radius
    over, down = (-1, 1)[right == 0], (-1, 1)[low == 0]
    fill, ink = (SEAT_COLOURS[seat], CREAM) if now else ("#f0e4c8", DARK)
    far, pull = radius, radius * KAPPA
    pie: Curve = (
        (x, y),
        (x + over * far, y),
        (x + over * far, y + down * pull, x + over * pull, y + down * far, x, y + down * far),
    )
    middle_x, middle_y = x + over * radius * 0.43, y + down * radius * 0.43
    signs: Shapes = tuple(
        draw_form("runes", middle_x + 11 * (at - (runes - 1) / 2), middle_y + 8, ink, 11) for at in range(runes)
    )
    return (
        Path(0, 0, (pie,), fill, "#6d5c36", 1.2),
        *draw_effect(Effect(movement=movement), middle_x - 11, middle_y - 6, ink, 11)[0],
        *(signs or draw_effect(bonus, middle_x - 11, middle_y + 8, ink, 11)[0]),
    )


@lru_cache(maxsize=1024)
def draw_amount(kind: str, many: int, x: float, y: float, size: float, fill: str = "ink") -> Shapes:
    """Draw a symbol with its number, for the things of a seat."""
    return (
        draw_form(kind, x + size / 2, y, fill, size),
        Text(x + size + 3, y + size * 0.35, str(many), size, fill, bold=True),
    )


@lru_cache(maxsize=1024)
def draw_amounts(counted: tuple[tuple[str, int], ...], room: float, fill: str = "ink") -> Shapes:
    """Draw symbols with their numbers in a row, spread over the room."""
    letters = {size: max(size, 11.0) for size in (13.0, 12.0, 11.0, 10.0, 9.0)}
    numbers = {size: [estimate_width(str(many), letters[size]) for _, many in counted] for size in letters}
    size = next((size for size in letters if sum(numbers[size]) + (size + 4) * len(counted) <= room), 9.0)
    widths = [size + 2 + wide for wide in numbers[size]]
    gap, x = min(14.0, (room - sum(widths)) / len(widths)), 0.0
    shapes: list[Plain] = []
    for (kind, many), width in zip(counted, widths, strict=True):
        shapes.append(draw_form(kind, x + size / 2, 0, fill, size))
        shapes.append(Text(x + size + 2, letters[size] * 0.35, str(many), letters[size], fill, bold=True))
        x += width + gap
    return tuple(shapes)


@lru_cache(maxsize=256)
def draw_coin(form: str, many: int, words: str, size: Size, lit: bool) -> Shapes:
    """Draw something to spend: symbol, number and name on a plaque."""
    width, height = size
    line, thick = (GOLD_EDGE, 2) if lit else ("#d9c9a0", 1)
    tall = height >= SMALL - 4
    middle = 14 if tall else height / 2
    left = 3 if tall else 38 + 8 * (many >= TEN)
    return (
        Box(0, 0, width, height, CREAM, line, 7, thick),
        draw_form(form, 14, middle, DARK, 14 if tall else 13),
        Text(25, middle + 5, str(many), 15 if tall else 13, DARK, bold=True),
        *write(words, left, height - 16 if tall else 0, (width - left - 2, 15 if tall else height), (11.0,), SOFT),
    )


TEN = 10


@cache
def draw_volume(volume: int, limit: int, width: float) -> Shapes:
    """Draw the volume track, and how much of it is filled."""
    step = (width - 64) / limit
    return (
        draw_form("volume", 8, 0, "ink", 14),
        *(
            Box(19 + at * step, -6, step - 2, 12, GOLD_EDGE if at < volume else "map", "hedge", 2, 0.8)
            for at in range(limit)
        ),
        Text(width, 5, f"{volume}/{limit}", 13, "ink", "end", bold=True),
    )


@lru_cache(maxsize=256)
def draw_brag(number: str, title: str, top: str, size: Size, lit: bool) -> Shapes:
    """Draw a space of the brag area with the portrait and name of the creature on top."""
    (width, height), ink = size, DARK if lit else "quiet"
    if not top:
        return (*draw_plaque(width, height, lit), Text(16, height / 2 + 5, number, 13, ink, "middle", bold=True))
    return (
        *draw_plaque(width, height, lit),
        *draw_medal("lair", top, 16, height / 2, 12, lit=True),
        *write(title, 31, 0, (width - 34, height), CARD_SIZES[1:], ink, bold=True),
    )


@lru_cache(maxsize=512)
def draw_chip(title: str, effect: Effect, size: Size) -> Shapes:
    """Draw a card as its name and its gain, in one row."""
    width, height = size
    wide = fit_effect(effect, 0, 0, 56)[1]
    return (
        Box(0, 0, width, height, CREAM, "#d9c9a0", 6),
        *write(title, 6, 0, (width - wide - 9, height), CARD_SIZES[2:], DARK, bold=True),
        *fit_effect(effect, width - wide - 2, height / 2, 56)[0],
    )

"""The cards, tiles and tokens of Bardwood Grove as shapes beside an origin; equal ones are drawn once and kept."""

from __future__ import annotations

from functools import cache, lru_cache

from engine.games.bardwood_grove.picture_signs import draw_effect, draw_exchange, draw_form
from engine.games.bardwood_grove.rules.cards import Skill
from engine.games.bardwood_grove.rules.effects import NOTHING, Effect
from engine.lettering import break_words, cut_words, estimate_width
from engine.picture import Box, Curve, Disc, Group, Path, Plain, Text
from engine.signs import CREAM, DARK, FAINT_ON_FELT, GOLD, KAPPA, SHADE

Shapes = tuple[Plain, ...]
SEAT_FILLS = ("#7a2e39", "#f2c14e", "#2b5f94", "#6b4a86")
SEAT_INKS = (CREAM, DARK, CREAM, CREAM)
MEADOW, WATER, TINT, FAINT = "#4d7a3f", "#2b5f94", "#efe3c8", "#6a604f"
KIND_FILLS = {
    "lair": "#7a2e39",
    "shop": "#8a5a12",
    "bank": "#8a5a12",
    "performance": "#2b5f94",
    "jetty": "#2f6b57",
    "conversion": "#6a604f",
}
"""Colours of the kinds of places, which have signs of their own too."""
BAND, CORNER = 17.0, 6.0
SIGN_OF_QUARTER = {"ur": (0, 1), "lr": (0, 0), "ll": (1, 0), "ul": (1, 1)}
"""By quarter of the dial: whether its middle is at the right and at the low end of its square."""


@cache
def draw_badge(seat: int, sign: str, x: float, y: float, radius: float) -> Shapes:
    """Draw the piece of a seat: a disc with its number."""
    return (
        Disc(x, y, radius, SEAT_FILLS[seat], DARK, 1.2),
        Text(x, y + radius * 0.5, sign, radius * 1.4, SEAT_INKS[seat], "middle", bold=True),
    )


def draw_badges(seats: tuple[tuple[int, str], ...], right: float, y: float, radius: float) -> Shapes:
    """Draw pieces in a row that ends at the right."""
    step = 2 * radius + 1
    return tuple(
        shape
        for at, (seat, sign) in enumerate(reversed(seats))
        for shape in draw_badge(seat, sign, right - radius - at * step, y, radius)
    )


@cache
def draw_sheet(width: float, height: float, band: str, here: bool) -> Shapes:
    """Draw the face of a card with its shadow; a coloured edge at the left, and a golden line if it is within reach."""
    base = Box(0, 0, width, height, band or CREAM, "", CORNER)
    face = (Box(BAND, 0, width - BAND, height, CREAM, "", CORNER),) if band else ()
    line = (Box(1, 1, width - 2, height - 2, "", GOLD, CORNER, 2.5),) if here else ()
    return Box(0, 2, width, height, SHADE, "", CORNER), base, *face, *line


@lru_cache(maxsize=1024)
def draw_tile(
    kind: str,
    title: str,
    offer: tuple[Effect, Effect, str],
    seats: tuple[tuple[int, str], ...],
    size: tuple[float, float],
    here: bool,
) -> Shapes:
    """Draw a place: the symbol of its kind, its contents, its cost and gain, and the pieces of seats.

    Where nothing is exchanged, the third part of the offer is a word about it.
    """
    width, height = size
    cost, gain, extra = offer
    room = width - BAND - 9
    rows = break_words(title, room - 14 * len(seats), 11, 2, bold=True)
    top = (height - 22) / 2 + 11 - 6 * len(rows)
    low: Shapes = (Text(BAND + 5, height - 8, extra, 11, FAINT),)
    if cost != NOTHING or gain != NOTHING:
        low = draw_exchange(cost, gain, BAND + 5, height - 12, extra, room=room)
    return (
        *draw_sheet(width, height, KIND_FILLS[kind], here),
        draw_form(kind, BAND / 2 + 0.5, height / 2, CREAM, 13),
        *(Text(BAND + 5, top + 12 * at, row, 11, DARK, bold=True) for at, row in enumerate(rows)),
        *low,
        *draw_badges(seats, width - 4, 10, 6.5),
    )


@lru_cache(maxsize=256)
def draw_region(region: str, seats: tuple[tuple[int, str], ...], size: tuple[float, float], own: bool) -> Shapes:
    """Draw a region with its name and its pawns."""
    width, height = size
    flat = width > height
    step = min(19.0, (width - 32) / max(len(seats), 1)) if flat else 19.0
    places = [(width - 2 - step * (at + 0.5), height / 2) for at in range(4)] if flat else PAWNS
    return (
        Box(0, 0, width, height, MEADOW, "", 8),
        *((Box(1, 1, width - 2, height - 2, "", GOLD, 8, 2.5),) if own else ()),
        Text(
            9 if flat else width / 2,
            height / 2 + 5 if flat else 16,
            region,
            13,
            CREAM,
            "start" if flat else "middle",
            bold=True,
        ),
        *(
            shape
            for (seat, sign), (x, y) in zip(seats, places, strict=False)
            for shape in draw_badge(seat, sign, x, y, step / 2 - 1)
        ),
    )


PAWNS = [(11.0, 31.0), (30.0, 31.0), (11.0, 50.0), (30.0, 50.0)]


@lru_cache(maxsize=256)
def draw_space(space: int, level: str, seats: tuple[tuple[int, str], ...], width: float) -> Shapes:
    """Draw a space of the river with the boats on it."""
    radius, step = (7.5, 18.0) if 16 + 16 * len(seats) <= width else (5.5, 10.4)
    return (
        Box(0, 0, width, 32, WATER, "", 7),
        Text(6, 13, str(space), 11, CREAM, bold=True),
        *((Text(width - 6, 13, level, 11, GOLD, "end", bold=True),) if level else ()),
        *(
            shape
            for at, (seat, sign) in enumerate(seats)
            for shape in draw_badge(seat, sign, radius + 3 + at * step, 22, radius)
        ),
    )


@lru_cache(maxsize=256)
def draw_legend(title: str, text: str, level: str, seats: tuple[tuple[int, str], ...], width: float) -> Shapes:
    """Draw a legend: its level, its name and criterion, and who told it."""
    room, rows = width - 34 - 14 * len(seats), criterion_rows(text, width)
    height = legend_height(text, width)
    return (
        *draw_sheet(width, height, "#2f6b57", here=False),
        Text(BAND / 2 + 0.5, height / 2 + 4, level, 11, CREAM, "middle", bold=True),
        Text(BAND + 5, 14, cut_words(title, room, 11, bold=True), 11, DARK, bold=True),
        *(Text(BAND + 5, 28 + 12 * at, row, 10.5, FAINT) for at, row in enumerate(rows)),
        *draw_badges(seats, width - 4, 10, 6.5),
    )


def criterion_rows(text: str, width: float) -> tuple[str, ...]:
    """Return the criterion of a legend in one row or two."""
    return break_words(text, width - BAND - 10, 10.5, 2)


def legend_height(text: str, width: float) -> float:
    """Return the height of a legend with this criterion."""
    return 22.0 + 12 * len(criterion_rows(text, width))


MOST_ROWS = 3
"""How many rows the text of an event may have."""


@lru_cache(maxsize=64)
def draw_event(title: str, text: str, later: str, width: float, height: float, offer: bool) -> Shapes:
    """Draw the event in force, and the one after it if there is room."""
    rows = break_words(text, width - BAND - 12, 11.5, MOST_ROWS)
    step = 15.0 if len(rows) < MOST_ROWS else 11.5
    after = (Text(BAND + 6, 50, later, 11.5, FAINT),) if later and len(rows) == 1 else ()
    return (
        *draw_sheet(width, height, "#8a5a12", here=False),
        draw_form("conversion" if offer else "wild", BAND / 2 + 0.5, height / 2, CREAM, 13),
        Text(BAND + 6, 17, cut_words(title, width - BAND - 12, 12.5, bold=True), 12.5, DARK, bold=True),
        *(Text(BAND + 6, 18 + step + step * at, row, 11.5, DARK) for at, row in enumerate(rows)),
        *after,
    )


@cache
def draw_motif(title: str, gems: int, width: float) -> Shapes:
    """Draw a motif token with its gems."""
    signs, _ = draw_effect(Effect(gems=gems), width - 28, 15)
    rows = break_words(title, width - 36, 10.5, 2)
    return (
        *draw_sheet(width, 30, "", here=False),
        *(Text(7, 19 - 6 * (len(rows) - 1) + 12 * at, row, 10.5, DARK) for at, row in enumerate(rows)),
        *signs,
    )


@lru_cache(maxsize=512)
def draw_skill(skill: Skill, title: str, width: float, lowered: bool) -> Shapes:
    """Draw a Skill: upper half, lower half with its volume, and the strip that pays when it is discarded."""
    upper, _ = draw_effect(skill.upper, 8, 38)
    cost = Effect(volume=skill.cost)
    lower = draw_exchange(cost, skill.lower, 8, 57, room=width - 12) if skill.has_lower else ()
    strip, _ = draw_effect(skill.strip, 8, 76, CREAM)
    done = (Path(0, 0, (((6.0, 56.4), (width - 6, 56.4), (width - 6, 57.8), (6.0, 57.8)),), DARK),) if lowered else ()
    return (
        *draw_sheet(width, CARD, "", here=False),
        *(Text(8, 14 + 11 * at, row, 11, DARK, bold=True) for at, row in enumerate(name_rows(title, width))),
        *upper,
        *((Box(0, 47, width, 20, TINT),) if skill.has_lower else ()),
        *lower,
        *done,
        Box(0, 67, width, CARD - 67, FAINT, "", CORNER),
        *strip,
    )


CARD = 85.0
"""How high a card of the song or the hand is."""


def name_rows(title: str, width: float) -> tuple[str, ...]:
    """Return the name of a card in one row or two."""
    return break_words(title, width - 12, 11, 2, bold=True)


@lru_cache(maxsize=256)
def draw_card(title: str, kind: str, effects: tuple[Effect, ...], width: float) -> Shapes:
    """Draw a card that only gives: an Impro, an Instrument, or a side of a Fan."""
    rows: list[Plain] = []
    for at, effect in enumerate(effects):
        rows += draw_effect(effect, 8, 40 + 22 * at)[0]
    return (
        *draw_sheet(width, CARD, "", here=False),
        *(Text(8, 14 + 11 * at, row, 11, DARK, bold=True) for at, row in enumerate(name_rows(title, width))),
        *rows,
        Text(8, CARD - 9, cut_words(kind, width - 12, 11), 11, FAINT),
    )


@lru_cache(maxsize=128)
def draw_side(title: str, side: str, effect: Effect, width: float) -> Shapes:
    """Draw one side of a Fan that may be chosen."""
    return (
        *draw_sheet(width, 40, "#8a5a12", here=False),
        draw_form("fans", BAND / 2 + 0.5, 20, CREAM, 13),
        Text(BAND + 6, 15, cut_words(f"{side} · {title}", width - BAND - 12, 11, bold=True), 11, DARK, bold=True),
        *draw_effect(effect, BAND + 6, 28)[0],
    )


@lru_cache(maxsize=64)
def draw_bard(title: str, instrument: str, effect: Effect, text: str, width: float) -> Shapes:
    """Draw a bard that may be chosen, with what its instrument gives and its power."""
    signs, _ = draw_effect(effect, 12, 42)
    rows = break_words(text, width - 20, 10.5, 6)
    return (
        *draw_sheet(width, BARD, "", here=False),
        Text(12, 18, cut_words(title, width - 20, 13, bold=True), 13, DARK, bold=True),
        Text(12, 32, cut_words(instrument, width - 20, 11), 11, FAINT),
        *signs,
        *(Text(12, 60 + 12 * at, row, 10.5, DARK) for at, row in enumerate(rows)),
    )


BARD = 126.0


@lru_cache(maxsize=256)
def draw_quarter(slug: str, runes: int, movement: int, bonus: Effect, seat: int, now: bool, radius: float) -> Shapes:
    """Draw a quarter of a dial: its runes, or its bonus once they are gone, and its movement."""
    right, low = SIGN_OF_QUARTER[slug]
    x, y = right * radius, low * radius
    over, down = (-1, 1)[right == 0], (-1, 1)[low == 0]
    fill, ink = (SEAT_FILLS[seat], SEAT_INKS[seat]) if now else (TINT, DARK)
    far, pull = radius, radius * KAPPA
    pie: Curve = (
        (x, y),
        (x + over * far, y),
        (x + over * far, y + down * pull, x + over * pull, y + down * far, x, y + down * far),
    )
    middle_x, middle_y = x + over * radius * 0.42, y + down * radius * 0.42
    signs: list[Plain] = []
    if runes:
        step = 10.0
        signs = [
            draw_form("runes", middle_x + step * (at - (runes - 1) / 2), middle_y + 7, ink, 12) for at in range(runes)
        ]
    else:
        signs += draw_effect(bonus, middle_x - 11, middle_y + 7, ink, 11)[0]
    return (
        Path(0, 0, (pie,), fill, DARK, 1.4),
        *draw_effect(Effect(movement=movement), middle_x - 11, middle_y - 7, ink, 11)[0],
        *signs,
    )


@lru_cache(maxsize=1024)
def draw_amount(kind: str, many: int, size: float, fill: str, x: float = 0, y: float = 0) -> Shapes:
    """Draw a symbol with its number, for the things of a seat."""
    return (
        draw_form(kind, x + size / 2, y, fill, size),
        Text(x + size + 4, y + size * 0.34, str(many), size, fill, bold=True),
    )


@cache
def draw_volume(volume: int, limit: int, step: float) -> Shapes:
    """Draw the volume track, and how much of it is filled."""
    return (
        draw_form("volume", 8, 0, CREAM, 15),
        *(Box(22 + at * step, -7, step - 2, 14, GOLD if at < volume else FAINT, "", 2) for at in range(limit)),
        Text(27 + limit * step, 5, f"{volume}/{limit}", 14, CREAM, bold=True),
    )


@lru_cache(maxsize=256)
def draw_button(form: str, many: int, words: str, width: float, height: float) -> Shapes:
    """Draw a holding that may be touched to spend it, with its number and its name."""
    return (
        *draw_sheet(width, height, "", here=False),
        draw_form(form, 15, height / 2, DARK, 14),
        Text(27, height / 2 + 5, str(many), 14, DARK, bold=True),
        Text(48, height / 2 + 4, cut_words(words, width - 54, 11), 11, FAINT),
    )


@lru_cache(maxsize=256)
def draw_brag(number: int, names: tuple[str, ...], width: float) -> Shapes:
    """Draw a space of the brag area with the creatures on it, the last one on top."""
    rows = names[::-1][:2] if names else ("–",)
    top = 18.0 if len(rows) > 1 else 25.0
    return (
        *draw_sheet(width, 42, "#7a2e39", here=False),
        Text(BAND / 2 + 0.5, 26, str(number), 13, CREAM, "middle", bold=True),
        *(
            Text(BAND + 6, top + 15 * at, cut_words(row, width - BAND - 12, 11), 11, DARK)
            for at, row in enumerate(rows)
        ),
    )


@cache
def draw_level(level: str, lyrics: int, gems: int, boat: int) -> Shapes:
    """Draw the requirements of a level of legends, boat and lyrics, and its gain."""
    paid, end = draw_effect(Effect(lyrics=lyrics), 62, 9, CREAM)
    got, _ = draw_effect(Effect(gems=gems), end + 30, 9, CREAM)
    return (
        Text(2, 14, level, 13, GOLD, bold=True),
        draw_form("boat", 36, 9, CREAM, 13),
        Text(45, 13, str(boat), 12, CREAM, bold=True),
        *paid,
        draw_form("runes", end + 5, 9, CREAM),
        draw_form("to", end + 20, 9, CREAM, 9),
        *got,
    )


KEY_PART = 3
"""How many signs of the key are drawn together."""


@cache
def draw_key(names: tuple[tuple[str, str], ...], width: float) -> tuple[tuple[Group, ...], float]:
    """Draw the legend of the symbols, in rows of parts small enough to be cached; return its height too."""
    parts: list[list[Plain]] = []
    x, y = 0.0, 9.0
    for form, words in names:
        room = 16 + estimate_width(words, 11)
        if x and x + room > width:
            x, y = 0.0, y + 18
        if not x or len(parts[-1]) >= 2 * KEY_PART:
            parts.append([])
        parts[-1] += [draw_form(form, x + 6, y, FAINT_ON_FELT), Text(x + 15, y + 4, words, 11, FAINT_ON_FELT)]
        x += room + 10
    return tuple(Group(0, 0, tuple(part)) for part in parts), y + 10


@lru_cache(maxsize=1024)
def draw_amounts(counted: tuple[tuple[str, int], ...], step: float) -> Shapes:
    """Draw symbols with their numbers in a row."""
    return tuple(
        shape for at, (kind, many) in enumerate(counted) for shape in draw_amount(kind, many, 13, CREAM, at * step)
    )

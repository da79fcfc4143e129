"""Cards, Storytellers, scrolls and spots of Tír na nÓg as shapes, each drawn once and cached."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from engine.games.tir_na_nog.rules.cards import CARDS
from engine.games.tir_na_nog.texts.cards import hint
from engine.games.tir_na_nog.texts.names import card_name, letter
from engine.lettering import ELLIPSIS, LEADING, break_words, estimate_width, fit_rows
from engine.picture import Box, Disc, Group, Path, Plain, Shape, Text, flat
from engine.signs import (
    CREAM,
    DARK,
    DIM,
    FACES,
    GOLD,
    HOLLOW,
    SEAT_COLOURS,
    Outline,
    card_back,
    dashed_box,
    dashed_ring,
    interlace,
    scale_outline,
    shadow,
    sign,
)
from engine.words import Locale

SOFT = "#6a604f"
LOST, PALE = "#8d938c", "#f1e7d3"
PARCHMENT, ROLL = "#f3e4c0", "#cfae6d"
BROAD = 109.0
"""From this width on, the colour is on the left edge of a card. Narrower cards have it on top."""
LOW = 66.0
"""Maximum height of cards that only have room for value, sign, name and a few words."""
FLAT = 50.0
"""Maximum height of cards with a dot in place of their text, and value and sign close together."""
LINK = 9.6
"""Length of a link of the band on a card, so that bands differ only in the number of links."""
TIGHT = 66.0
"""Maximum width of cards with a dot in place of their text."""
SPOT = 28.0
LOWEST = 48.0
"""Cards below this height have their name next to value and sign."""
SMALLEST = 10.0
"""Size of the smallest letters on a card."""


class Card(NamedTuple):
    """A card to draw: its slug, and the colour and value it has now."""

    slug: str
    colour: str
    value: int

    @property
    def printed(self) -> bool:
        """True if colour and value are the printed ones."""
        return (self.colour, self.value) == (CARDS[self.slug].colour, CARDS[self.slug].value)


def printed_card(slug: str) -> Card:
    """Return a card with its printed colour and value."""
    return Card(slug, CARDS[slug].colour, CARDS[slug].value)


@lru_cache(maxsize=4096)
def card_shapes(card: Card, width: float, height: float, locale: Locale, corner: str = "") -> tuple[Plain, ...]:
    """Draw a card with value and sign on its colour, its name, and its effect in a few words."""
    draw = _low_card if height < LOWEST else _broad_card if width >= BROAD else _slim_card
    return draw(card, width, height, locale, corner)


def _low_card(card: Card, width: float, height: float, locale: Locale, corner: str) -> tuple[Plain, ...]:
    """Draw a card of one or two lines: value, sign and place on its colour, the name next to them."""
    face, edge = FACES[card.colour], 34.0
    rows, size = fit_rows(card_name(card.slug, locale), width - edge - 5, height - 3, (11, SMALLEST))
    step = size * LEADING
    top = height / 2 + size * 0.36 - (len(rows) - 1) * step / 2
    name = [Text(edge + 3, top + at * step, row, size, DARK, bold=True) for at, row in enumerate(rows)]
    return (
        Box(0, 0, width, height, face.fill, "", 5),
        Box(edge, 2, width - edge - 2, height - 4, CREAM, "", 4),
        Text(4, height / 2 + 2, str(card.value), 16, face.ink, bold=True),
        sign(card.colour, 24, height / 2 - 3.5, 13, face.ink),
        Text(edge / 2, height - 3.5, corner if card.printed else _was(card, locale), SMALLEST, face.ink, "middle"),
        *(name or flat((three_dots(edge + 6, height / 2, SOFT),))),
    )


def _broad_card(card: Card, width: float, height: float, locale: Locale, corner: str) -> tuple[Plain, ...]:
    face, room, edge = FACES[card.colour], width - 44, 34.0
    shapes: list[Plain] = [
        shadow(width, height, 7),
        Box(0, 0, width, height, face.fill, "", 7),
        Box(edge, 2.5, width - edge - 2.5, height - 5, CREAM, "", 5),
        *_value_and_sign(card, edge / 2, height),
    ]
    if not hint(card.slug, locale) and height > LOW:
        shapes.append(sign(card.colour, width - 26, height / 2 + 4, 34, PALE))
    if corner:
        shapes.append(Text(edge / 2, height - 5.5, corner, 10, face.ink, "middle"))
    if not card.printed and height <= FLAT:
        shapes.append(Disc(edge - 5, 6.5, 2.4, face.ink))
    elif not card.printed:
        shapes.append(Text(edge / 2, height - 6, _was(card, locale), 10, face.ink, "middle"))
    elif CARDS[card.slug].ailm and height > LOW:
        shapes.append(sign("fir", edge / 2, height - (23 if corner else 14), 15, face.ink))
    name, y = _name_lines(
        card_name(card.slug, locale), (edge + 6, 4.5, room, min(30, height - 8)), (12.5, 11, SMALLEST)
    )
    return (*shapes, *name, *_below_name(card, (edge + 6, y, room, height), locale))


def _value_and_sign(card: Card, x: float, height: float) -> tuple[Plain, ...]:
    """Draw the value above the sign, as large as the height allows."""
    line, letters, middle, size = (
        (23, 20, 41, 22) if height > LOW else (23, 20, 37, 18) if height > FLAT else (18, 17, 32, 17)
    )
    ink = FACES[card.colour].ink
    return Text(x, line, str(card.value), letters, ink, "middle", bold=True), sign(card.colour, x, middle, size, ink)


def _name_lines(
    name: str, place: tuple[float, float, float, float], sizes: tuple[float, ...]
) -> tuple[list[Plain], float]:
    """Write a name in letters as small as it needs. `place` is its left, top, width and height.

    Return the shapes and the top of the next line. Three dots replace a name that fits in no size.
    """
    x, y, room, height = place
    rows, size = fit_rows(name, room, height, sizes)
    step = min(size + 2, (height - 1) / max(1, len(rows)))
    shapes: list[Plain] = [Text(x, y + size + at * step, row, size, DARK, bold=True) for at, row in enumerate(rows)]
    return shapes or list(flat((three_dots(x, y + size, SOFT),))), y + size + max(1, len(rows)) * step


def _below_name(card: Card, place: tuple[float, float, float, float], locale: Locale) -> list[Plain]:
    """Write the effect of the card, or three dots if there is no room for all of it; else draw a band in its colour."""
    x, y, room, height = place
    about, lines = hint(card.slug, locale), int((height - 5 - y) // 12) + 1
    if about:
        broken = break_words(about, room, 11, lines) if lines > 0 else (ELLIPSIS,)
        if any(line.endswith(ELLIPSIS) for line in broken):
            return list(flat((three_dots(x + room / 2 - 8, height - 6, SOFT),))) if y <= height - 5 else []
        return [Text(x, y + at * 12, line, 11, SOFT) for at, line in enumerate(broken)]
    if y > height - 14:
        return []
    return [interlace(x, height - 11, (room - 4) // LINK * LINK, FACES[card.colour].fill, high=4)]


def _slim_card(card: Card, width: float, height: float, locale: Locale, corner: str) -> tuple[Plain, ...]:
    face, room, band = FACES[card.colour], width - 9, 22.0
    shapes: list[Plain] = [
        shadow(width, height, 6),
        Box(0, 0, width, height, face.fill, "", 6),
        Box(2, band, width - 4, height - band - 2, CREAM, "", 4),
        Text(7, 17, str(card.value), 16, face.ink, bold=True),
        sign(card.colour, width - 14, 11.5, 17, face.ink),
    ]
    if corner:
        shapes.append(Text(21, 16, corner, 10, face.ink))
    if not card.printed and width < TIGHT:
        shapes.append(Disc(width / 2 + 1, 11.5, 2.2, face.ink))
    elif not card.printed:
        shapes.append(Text(width / 2 + 1, 15.5, _was(card, locale), SMALLEST, face.ink, "middle"))
    elif CARDS[card.slug].ailm and width > TIGHT - 8:
        shapes.append(sign("fir", width - 31, 11.5, 14, face.ink))
    words = card_name(card.slug, locale)
    sizes = (11.0, SMALLEST) if width > TIGHT else (SMALLEST,)
    name, y = _name_lines(words, (5, band + 2, room, height - band - 5), sizes)
    return (*shapes, *name, *_below_name(card, (5, y, room, height), locale))


def _was(card: Card, locale: Locale) -> str:
    printed = CARDS[card.slug]
    return f"({letter(printed.colour, locale)}{printed.value})"


@lru_cache(maxsize=2048)
def tile_shapes(card: Card, width: float, height: float) -> tuple[Plain, ...]:
    """Draw a card with value and sign alone. A dot says that colour or value are not the printed ones."""
    face, letters = FACES[card.colour], 13 if height < 20 else 16  # noqa: PLR2004
    room = width - 8 - estimate_width(str(card.value), letters)
    shapes: list[Plain] = [
        Box(0, 0, width, height, face.fill, "", 4),
        Text(5, height / 2 + 5, str(card.value), letters, face.ink, bold=True),
        sign(card.colour, width - 3 - min(15, room) / 2, height / 2, min(15, height - 4, room), face.ink),
    ]
    if not card.printed:
        shapes.append(Disc(width - 3.5, 3.5, 2, face.ink))
    return tuple(shapes)


@lru_cache(maxsize=64)
def three_dots(x: float, y: float, fill: str) -> Group:
    """Draw three dots in place of words that do not fit. A touch shows the words."""
    return Group(x, y, tuple(Disc(2 + place * 6, 0, 1.8, fill) for place in range(3)))


@lru_cache(maxsize=512)
def empty_shapes(width: float, height: float, words: str = "") -> tuple[Plain, ...]:
    """Draw a place where a card may lie."""
    told = [Text(width / 2, height / 2 + 4, words, 11, DIM, "middle")] if words else []
    return (Box(0, 0, width, height, HOLLOW, "", 6), dashed_box(0, 0, width, height, DIM, corner=7), *told)


CLOAK: Outline = (
    (
        (0, -15.5),
        (5.6, -15.5, 8.6, -11.0, 7.4, -6.2),
        (11.2, -3.4, 12.6, 5.6, 13.0, 14.5),
        (-13.0, 14.5),
        (-12.6, 5.6, -11.2, -3.4, -7.4, -6.2),
        (-8.6, -11.0, -5.6, -15.5, 0, -15.5),
    ),
)


@lru_cache(maxsize=256)
def teller_shapes(
    seat: int, words: str, size: float = 1, *, lost: bool = False, own: bool = False
) -> tuple[Plain, ...]:
    """Draw a Storyteller around a point: a cloak with a hood, and the number of the seat."""
    fill = LOST if lost else SEAT_COLOURS[seat]
    return (
        Path(0, 0, scale_outline(CLOAK, size), fill, GOLD if own else CREAM, 1.6 if own else 1.1),
        Disc(0, -9 * size, 3.7 * size, DARK if lost else CREAM),
        Text(0, 10.5 * size, words, max(10, 13 * size), DARK if lost else "#ffffff", "middle", bold=True),
    )


class Teller(NamedTuple):
    """A Storyteller to draw: its seat, its sign, and whether it is lost or the viewer's."""

    seat: int
    words: str
    lost: bool
    own: bool


@lru_cache(maxsize=1024)
def spot_shapes(tellers: tuple[Teller, ...], *, marker: bool) -> tuple[Plain, ...]:
    """Draw a space between cards in a box of 28 by 28.

    It is a dashed ring, or the Storytellers there, with a golden rim for Balor's marker.
    """
    middle = SPOT / 2
    shapes: list[Shape] = [Disc(middle, middle, 14.0, HOLLOW, GOLD if marker else "", 3)]
    if not tellers and not marker:
        shapes.append(dashed_ring(middle, middle, 11, DIM))
    size, places = (0.92, ((0.0, 0.8),)) if len(tellers) == 1 else (0.72, ((-5.5, -2.2), (5.5, 3.8)))
    for each, (across, down) in zip(tellers, places, strict=False):
        drawn = teller_shapes(each.seat, each.words, size, lost=each.lost, own=each.own)
        shapes.append(Group(middle + across, middle + down, drawn))
    return flat(shapes)


@lru_cache(maxsize=256)
def scroll_shapes(width: float, height: float) -> tuple[Plain, ...]:
    """Draw a strip of parchment, rolled at both ends."""
    return (
        shadow(width, height, 5),
        Box(4, 2, width - 8, height - 4, PARCHMENT),
        Box(0, 0, 8, height, ROLL, "", 4),
        Box(width - 8, 0, 8, height, ROLL, "", 4),
    )


COUNTER = (Disc(0, 0, 13, CREAM),)


@lru_cache(maxsize=64)
def deck_shapes(count: int, width: float, height: float) -> tuple[Shape, ...]:
    """Draw the deck: a few card backs, and the number of cards."""
    if not count:
        return (Group(0, 0, empty_shapes(width, height)),)
    backs = [Group(2.5 * at, -2.5 * at, card_back(width, height)) for at in range(2)]
    x, y = width / 2 + 2.5, height / 2 - 2.5
    return (*backs, Group(x, y, COUNTER), Text(x, y + 5, str(count), 13, DARK, "middle", bold=True))


@lru_cache(maxsize=2048)
def stack_shapes(card: Card, count: int, width: float, height: float, locale: Locale) -> tuple[Shape, ...]:
    """Draw a card of a hand or a pile. Of two, the lower one shows."""
    top = Group(0, 0, card_shapes(card, width, height, locale))
    if count == 1:
        return (top,)
    lower = Group(4, 4, card_shapes(card, width, height, locale))
    y = 8 if height <= FLAT else height - 8  # not on the name
    told = Text(width - 6, y + 4, f"×{count}", 11, CREAM, "middle", bold=True)
    return lower, top, Disc(width - 6, y, 10, DARK), told

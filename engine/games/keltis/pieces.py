"""Cards, wish stones, rows and piles of Keltis as shapes, each drawn once and cached."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from engine.game import Seat
from engine.games.keltis.cards import ENDS, PILES, POINT, STONES, VALUE, Card, Row
from engine.games.keltis.labels import LABELS, pile_label, row_label, with_sign
from engine.games.keltis.view import KeltisView
from engine.games.keltis.words import card_code
from engine.lettering import estimate_width
from engine.picture import Box, Disc, Group, PartCache, Path, Plain, Shape, Text
from engine.signs import (
    CREAM,
    DARK,
    DIM,
    FACES,
    GOLD,
    HOLLOW,
    ON_FELT,
    SHADE,
    card_back,
    dashed_box,
    scale_outline,
    shadow,
    sign,
)
from engine.words import Locale

COLOURS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "P": "pink", "N": "grey"}


class Panel(NamedTuple):
    """Layout of a seat's rows on a narrow picture: left edge, distance and width of the columns, card, height."""

    left: float
    column: float
    width: float
    size: Size
    height: float


class Size(NamedTuple):
    """Measures of a card: its size, letters and sign, and the visible part of a card under another."""

    width: float
    height: float
    letters: float
    sign: float
    step: float
    frame: float = 4
    round: float = 7


HAND = Size(72, 82, 22, 36, 24)
LANE_CARD = Size(46, 55, 16, 23, 36, 2.5, 6)
LEAST_STEP = 20.0
"""The part of a card in a lane that must be visible, so that its value can be read."""
LEAST_STRIP = 15.0
"""The same for a card in a column."""
LANE_GROUND = "#ffffff12"
NEGATIVE = "#ffb49a"
PEBBLE_FILL = "#8a4f1d"
PLATE_HEIGHT = 40.0
PHONE = Size(50, 46, 16, 20, 21, 3, 6)
PHONE_PILE = Size(44, 52, 16, 22, 21, 3, 6)
PHONE_HAND = Size(41, 62, 17, 24, 22, 3, 6)


@lru_cache(maxsize=2048)
def card_shapes(card: Card, size: Size, locale: Locale) -> tuple[Plain, ...]:
    """Draw the top card: its value, the letter of its colour and its sign. An End card has a ring."""
    face, width, frame = FACES[COLOURS[card[0]]], size.width, size.frame
    code, x, y = card_code(card, locale), width / 2, size.height / 2 + size.letters * 0.42
    line, value = size.letters * 0.8 + frame + 1.5, size.letters
    room = width - 2 * frame - 9 - size.letters * 0.5
    if estimate_width(code[1:], value) > room:
        value *= 0.8
    fits = size != LANE_CARD and estimate_width(code[1:], value) <= room
    ring = [Disc(x, y, size.sign * 0.6, "", face.ink, max(1.2, size.sign / 16))] if card in ENDS else []
    return (
        shadow(width, size.height, size.round),
        Box(0, 0, width, size.height, CREAM, "", size.round),
        Box(frame, frame, width - 2 * frame, size.height - 2 * frame, face.fill, "", size.round - frame + 1),
        Text(frame + 4, line, code[1:], value, face.ink, bold=True),
        *([Text(width - frame - 4, line, code[0], max(10, size.letters * 0.62), face.ink, "end")] if fits else []),
        *ring,
        sign(COLOURS[card[0]], x, y, size.sign * (0.72 if ring else 1), face.ink),
    )


@lru_cache(maxsize=2048)
def strip_shapes(card: Card, size: Size, locale: Locale) -> tuple[Plain, ...]:
    """Draw the upper part of a card that lies under the next one: its value and a small sign."""
    face, width, frame = FACES[COLOURS[card[0]]], size.width, size.frame
    step, high = size.step, size.step + size.round
    middle, value = frame + (step - frame) / 2, card_code(card, locale)[1:]
    fits = estimate_width(value, size.letters) <= width - 2 * frame - 9 - step * 0.66
    letters = size.letters * (1 if fits else 0.8)
    return (
        Box(0, 0, width, high, CREAM, "", size.round),
        Box(frame, frame, width - 2 * frame, high - frame, face.fill, "", size.round - frame + 1),
        Text(frame + (4 if fits else 2), middle + letters * 0.36, value, letters, face.ink, bold=True),
        sign(COLOURS[card[0]], width - frame - 4 - step * 0.33, middle, step * 0.66, face.ink),
    )


@lru_cache(maxsize=2048)
def row_shapes(row: Row, pile: str, panel: Panel, locale: Locale, points: str, *, own: bool) -> tuple[Shape, ...]:
    """Draw the cards of a row, each under the next one, and its points. The viewer's rows have an area.

    The longer the row, the less shows of each card. Of very long rows the first cards are left out and counted.
    """
    size, x, y = panel.size, (panel.width - panel.size.width) / 2, panel.size.frame + 1
    shapes: list[Shape] = [Box(0, 0, panel.width, panel.height, HOLLOW, "", 8)] if own else []
    if not row:
        return (*shapes, sign(COLOURS[pile], panel.width / 2, panel.height / 2, size.sign, DIM))
    room = panel.height - 22 - size.height - y
    shown = row[-int(room // LEAST_STRIP) - 1 :]
    step = min(size.step, room / max(1, len(shown) - 1))
    for place, card in enumerate(shown[:-1]):
        shapes.append(Group(x, y + place * step, strip_shapes(card, size, locale)))
    shapes.append(Group(x, y + (len(shown) - 1) * step, card_shapes(shown[-1], size, locale)))
    if len(shown) < len(row):
        shapes.append(Group(panel.width - 10, y + 10, _badge_shapes(f"+{len(row) - len(shown)}")))
    shapes.append(Text(panel.width / 2, panel.height - 6, points, 13, ON_FELT, "middle", bold=True))
    return tuple(shapes)


TWIN = 8.0
"""Visible part of the lower one of two equal cards."""


@lru_cache(maxsize=1024)
def hand_shapes(card: Card, count: int, size: Size, locale: Locale) -> tuple[Shape, ...]:
    """Draw a card of the hand. Of two of a kind, the lower one shows on the right."""
    top = Group(0, 0, card_shapes(card, size, locale))
    if count == 1:
        return (top,)
    face, frame = FACES[COLOURS[card[0]]], size.frame
    wide, high = size.width - 2 * frame, size.height - 2 * frame
    lower = (
        Box(0, 0, size.width, size.height, CREAM, "", size.round),
        Box(frame, frame, wide, high, face.fill, "", size.round - frame + 1),
    )
    badge = Group(size.width - 2, size.height - 10, _badge_shapes(f"×{count}"))
    return (Group(TWIN, 0, lower), top, badge)


@lru_cache(maxsize=512)
def slot_shapes(pile: str, size: Size) -> tuple[Plain, ...]:
    """Draw the place where cards of a colour will lie."""
    return (
        dashed_box(0, 0, size.width, size.height, DIM),
        sign(COLOURS[pile], size.width / 2, size.height / 2, size.sign, DIM),
    )


@lru_cache(maxsize=1024)
def pile_shapes(pile: Row, name: str, size: Size, locale: Locale, *, closed: bool) -> tuple[Shape, ...]:
    """Draw a discard pile: edges of the cards below, the top card, the count, and a bar if the pile is closed."""
    if not pile:
        return (Box(0, 0, size.width, size.height, HOLLOW, "", size.round), *slot_shapes(name, size))
    below = [Group(2.5 * at, -2.5 * at, _edge_shapes(size)) for at in range(min(len(pile) - 1, 2), 0, -1)]
    count = Group(size.width - 4, size.height - 4, _badge_shapes(str(len(pile)))) if len(pile) > 1 else None
    bar = [Group(0, 0, _bar_shapes(size))] if closed else []
    return (*below, Group(0, 0, card_shapes(pile[-1], size, locale)), *bar, *([count] if count else []))


@lru_cache(maxsize=16)
def _edge_shapes(size: Size) -> tuple[Plain, ...]:
    return (Box(0, 0, size.width, size.height, CREAM, DIM, size.round),)


@lru_cache(maxsize=64)
def _badge_shapes(words: str) -> tuple[Plain, ...]:
    return Disc(0, 0, 10, DARK), Text(0, 4.2, words, 12 if len(words) == 1 else 10.5, CREAM, "middle", bold=True)


@lru_cache(maxsize=16)
def _bar_shapes(size: Size) -> tuple[Plain, ...]:
    wide, high = size.width, size.height
    bar = ((0, high - 8), (wide - 8, 0), (wide, 8), (8, high))
    return (Path(0, 0, (bar,), DARK, CREAM, 1.5),)


@lru_cache(maxsize=64)
def deck_shapes(count: int, width: float, height: float) -> tuple[Shape, ...]:
    """Draw the deck: card backs for its height, and the number of cards."""
    if not count:
        return Box(0, 0, width, height, HOLLOW, "", 7), dashed_box(0, 0, width, height, DIM)
    high = 1 if count < 5 else 2 if count < 25 else 3  # noqa: PLR2004  # a few, some, many
    backs = [Group(3 * at, -3 * at, card_back(width, height)) for at in range(high)]
    x, y = width / 2 + 3 * (high - 1), height / 2 - 3 * (high - 1)
    return (*backs, Disc(x, y, 14, CREAM, "#c79a3f", 1.5), Text(x, y + 5, str(count), 14, DARK, "middle", bold=True))


PEBBLE = (
    (
        (-15.5, 1.0),
        (-15.5, -8.5, -8.0, -13.5, 0.5, -13.2),
        (9.5, -13.0, 15.8, -7.5, 15.5, 1.2),
        (15.2, 9.5, 8.5, 13.2, -0.5, 13.4),
        (-9.0, 13.4, -15.5, 9.5, -15.5, 1.0),
    ),
)
GLINT = (((-10.0, -4.0), (-8.5, -9.0, -3.0, -11.0, 1.0, -10.6), (-3.5, -9.0, -7.5, -7.5, -10.0, -4.0)),)


@lru_cache(maxsize=64)
def stone_shapes(stone: int, size: float = 1, *, there: bool = True) -> tuple[Plain, ...]:
    """Draw a wish stone in a box of 34 by 30: a pebble with its number, or the place of one that is gone."""
    x, y = 17 * size, 15 * size
    digits = Text(x, y + 5.5 * size, str(stone), 16 * size, CREAM if there else DIM, "middle", bold=there)
    if not there:
        return Path(x, y, scale_outline(PEBBLE, size), "", DIM, 1), digits
    return (
        Path(x + size, y + 2 * size, scale_outline(PEBBLE, size), SHADE),
        Path(x, y, scale_outline(PEBBLE, size), PEBBLE_FILL),
        Path(x, y, scale_outline(GLINT, size), "#b37a45"),
        digits,
    )


def small_pebble() -> Plain:
    """Draw a pebble without a number, as a sign for wish stones in words."""
    return Disc(6, 9, 4.5, PEBBLE_FILL)


def line_of_stones(
    view: KeltisView, x: float, y: float, step: float, locale: Locale, size: float = 1
) -> Iterator[Shape]:
    """Draw the wish stones in the middle of the table, `step` apart. Stones that are gone leave their place."""
    for at, stone in enumerate(ORDERED_STONES):
        yield place_stone(stone, stone in view.line, x + at * step, y, locale, size)


ORDERED_STONES = sorted(STONES)


@lru_cache(maxsize=256)
def place_stone(stone: int, there: bool, x: float, y: float, locale: Locale, size: float) -> Group:
    """Draw a wish stone in the middle of the table, or the place of one that is gone."""
    label = LABELS[locale]["stone" if there else "gone"].format(stone=stone)
    return Group(x, y, stone_shapes(stone, size, there=there), f"stone:{stone}" if there else "", label)


DISCARDS: PartCache[Group] = PartCache(1024)


def line_of_piles(view: KeltisView, x: float, y: float, step: float, size: Size, locale: Locale) -> Iterator[Shape]:
    """Draw the discard piles, `step` apart."""
    for at, (name, pile) in enumerate(zip(PILES, view.piles, strict=True)):
        yield place_pile(view, name, pile, (x + at * step, y), size, locale)


def place_pile(view: KeltisView, name: str, pile: Row, place: tuple[float, float], size: Size, locale: Locale) -> Group:
    """Draw a discard pile that can be touched."""
    closed = name in view.closed

    def draw() -> Group:
        shapes = pile_shapes(pile, name, size, locale, closed=closed)
        return Group(*place, shapes, f"pile:{name}", pile_label(view, name, locale))

    return DISCARDS.find((name, pile, closed, place, size, locale), draw)


def place_deck(view: KeltisView, x: float, y: float, width: float, height: float, locale: Locale) -> Shape:
    """Draw the deck, which can be touched."""
    label = LABELS[locale]["deck"].format(deck=view.deck)
    return Group(x, y, deck_shapes(view.deck, width, height), "deck", label)


ROWS: PartCache[Group] = PartCache(4096)


def line_of_rows(view: KeltisView, seat: Seat, panel: Panel, y: float, locale: Locale) -> Iterator[Shape]:
    """Draw the six rows of a seat side by side; the viewer's can be touched."""
    for place in range(len(PILES)):
        yield place_row(view, seat, place, panel, y, locale)


def place_row(view: KeltisView, seat: Seat, at: int, panel: Panel, y: float, locale: Locale) -> Group:
    """Draw the area of one row of a seat."""
    row, own = view.rows[seat][at], seat == view.seat
    points = with_sign(view.scores[seat].counts[at].points) if row else ""

    def draw() -> Group:
        pile = PILES[at]
        drawn = row_shapes(row, pile, panel, locale, points, own=own)
        label = row_label(view, seat, pile, locale)
        return Group(panel.left + at * panel.column, y, drawn, f"row:{pile}" if own else "", label)

    whose = "" if own else view.called(seat, locale)
    return ROWS.find((at, row, points, own, whose, panel, y, locale), draw)


class Lane(NamedTuple):
    """Position of a seat's rows on a wide picture: all in one column, open or each folded to a plate."""

    left: float
    width: float
    folded: bool = False
    leftwards: bool = False
    """True if the cards end at the right, beside the discard piles."""


LANES: PartCache[Group] = PartCache(4096)


def lanes_of_seat(view: KeltisView, seat: Seat, lane: Lane, top: float, step: float, locale: Locale) -> Iterator[Shape]:
    """Draw the six rows of a seat below each other; the viewer's can be touched."""
    for place in range(len(PILES)):
        yield _place_lane(view, seat, place, lane, top + place * step, locale)


def _place_lane(view: KeltisView, seat: Seat, place: int, lane: Lane, y: float, locale: Locale) -> Group:
    row, own = view.rows[seat][place], seat == view.seat
    points = view.scores[seat].counts[place].points

    def draw() -> Group:
        pile = PILES[place]
        shapes = _plate(row, pile, points, lane, locale) if lane.folded else _open_row(row, pile, points, lane, locale)
        area = (Box(0, 0, lane.width, LANE_CARD.height, HOLLOW, "", 8),) if own else ()
        label = row_label(view, seat, pile, locale)
        return Group(lane.left, y, (*area, *shapes), f"row:{pile}" if own else "", label)

    whose = "" if own else view.called(seat, locale)
    return LANES.find((place, row, points, own, whose, lane, y, locale), draw)


def _open_row(row: Row, pile: str, points: int, lane: Lane, locale: Locale) -> Iterator[Shape]:
    """Draw the cards of a row side by side, with its direction and points at the outer end.

    Cards overlap more the longer the row is. If too little of them would show, the first ones are left out and counted.
    """
    size, edge = LANE_CARD, 0.0 if lane.leftwards else lane.width
    if not row:
        at = lane.width - size.width / 2 if lane.leftwards else size.width / 2
        yield sign(COLOURS[pile], at, size.height / 2, size.sign, DIM)
        return
    room = lane.width - 58 - size.width
    shown = row[-int(room // LEAST_STEP) - 1 :]
    step = min(size.step, room / max(1, len(shown) - 1))
    left = lane.width - size.width - step * (len(shown) - 1) if lane.leftwards else 0.0
    for place, card in enumerate(shown):
        yield Group(left + place * step, 0, card_shapes(card, size, locale))
    if len(shown) < len(row):
        yield Group(left + 10, size.height - 10, _badge_shapes(f"+{len(row) - len(shown)}"))
    align = "start" if lane.leftwards else "end"
    inner = 4.0 if lane.leftwards else -4.0
    yield Text(edge + inner, 24, with_sign(points), 16, GOLD if points >= 0 else NEGATIVE, align, bold=True)
    if pile != POINT:
        yield from _arrow(row, edge + inner * 3, 40)


def _plate(row: Row, pile: str, points: int, lane: Lane, locale: Locale) -> Iterator[Shape]:
    """Draw a row in brief: its last card, direction, length and points."""
    top, middle = (LANE_CARD.height - PLATE_HEIGHT) / 2, LANE_CARD.height / 2
    yield Box(0, top, lane.width, PLATE_HEIGHT, HOLLOW, "", 6)
    if not row:
        yield sign(COLOURS[pile], lane.width / 2, middle, 18, DIM)
        return
    face, value = FACES[COLOURS[row[-1][0]]], card_code(row[-1], locale)[1:]
    yield Box(0, top, 34, PLATE_HEIGHT, CREAM, "", 5)
    yield Box(2, top + 2, 30, PLATE_HEIGHT - 4, face.fill, "", 4)
    yield Text(17, middle + 6, value, 17 if len(value) < 3 else 13, face.ink, "middle", bold=True)  # noqa: PLR2004
    if pile != POINT:
        yield from _arrow(row, 44, middle)
    yield Text(53, middle + 5, f"×{len(row)}", 13, ON_FELT, bold=True)
    yield Text(lane.width - 5, middle + 5, with_sign(points), 14, GOLD if points >= 0 else NEGATIVE, "end", bold=True)


def _arrow(row: Row, x: float, y: float) -> Iterator[Shape]:
    """Draw a triangle for the direction of a row; none while its values are equal."""
    values = [VALUE[card] for card in row if card in VALUE]
    other = next((value for value in values if value != values[0]), None)
    if other is not None:
        way = -1 if other > values[0] else 1
        yield Path(x, y, (((-4.5, -3 * way), (4.5, -3 * way), (0, 4 * way)),), ON_FELT)

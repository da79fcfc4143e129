"""Cards, wish stones, rows and piles of Keltis as shapes, each drawn once and kept."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from engine.game import Seat
from engine.games.keltis.cards import ENDS, PILES, STONES, Card, Row
from engine.games.keltis.labels import LABELS, pile_label, row_label, with_sign
from engine.games.keltis.view import KeltisView
from engine.games.keltis.words import card_code
from engine.lettering import estimate_width
from engine.picture import Box, Disc, Group, PartCache, Path, Plain, Shape, Text, flat
from engine.signs import (
    CREAM,
    DARK,
    DIM,
    FACES,
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


class Size(NamedTuple):
    """Measures of a card: its size, letters and sign, and how much shows of a card under another."""

    width: float
    height: float
    letters: float
    sign: float
    step: float
    frame: float = 4
    round: float = 7


LARGE = Size(64, 90, 20, 38, 24)
MIDDLE = Size(64, 58, 17, 26, 21, 3.5, 6)
SMALL = Size(50, 46, 14, 20, 18, 2.5, 5)
TINY = Size(33, 38, 12, 16, 15.5, 2, 4)
PHONE = Size(52, 56, 17, 25, 21, 3, 6)
PHONE_HAND = Size(41, 62, 17, 24, 22, 3, 6)


@lru_cache(maxsize=2048)
def card_shapes(card: Card, size: Size, locale: Locale) -> tuple[Plain, ...]:
    """Draw the top card: its value, the letter of its colour and its sign. An End card has a ring."""
    face, width, frame = FACES[COLOURS[card[0]]], size.width, size.frame
    code, x, y = card_code(card, locale), width / 2, size.height / 2 + size.letters * 0.42
    line, value = size.letters * 0.8 + frame + 1.5, size.letters
    room = width - 2 * frame - 9 - size.letters * 0.5
    if estimate_width(code[1:], value, bold=True) > room:
        value *= 0.8
    fits = estimate_width(code[1:], value, bold=True) <= room
    ring = [Disc(x, y, size.sign * 0.6, "", face.ink, max(1.2, size.sign / 16))] if card in ENDS else []
    return (
        shadow(width, size.height, size.round),
        Box(0, 0, width, size.height, CREAM, "", size.round),
        Box(frame, frame, width - 2 * frame, size.height - 2 * frame, face.fill, "", size.round - frame + 1),
        Text(frame + 4, line, code[1:], value, face.ink, bold=True),
        *([Text(width - frame - 4, line, code[0], size.letters * 0.62, face.ink, "end")] if fits else []),
        *ring,
        sign(COLOURS[card[0]], x, y, size.sign * (0.72 if ring else 1), face.ink),
    )


@lru_cache(maxsize=2048)
def strip_shapes(card: Card, size: Size, locale: Locale) -> tuple[Plain, ...]:
    """Draw the upper part of a card that lies under the next one: its value and a small sign."""
    face, width, frame = FACES[COLOURS[card[0]]], size.width, size.frame
    step, high = size.step, size.step + size.round
    middle, value = frame + (step - frame) / 2, card_code(card, locale)[1:]
    fits = estimate_width(value, size.letters, bold=True) <= width - 2 * frame - 9 - step * 0.66
    letters = size.letters * (1 if fits else 0.8)
    return (
        Box(0, 0, width, high, CREAM, "", size.round),
        Box(frame, frame, width - 2 * frame, high - frame, face.fill, "", size.round - frame + 1),
        Text(frame + (4 if fits else 2), middle + letters * 0.36, value, letters, face.ink, bold=True),
        sign(COLOURS[card[0]], width - frame - 4 - step * 0.33, middle, step * 0.66, face.ink),
    )


def row_height(row: Row, size: Size) -> float:
    """Return the height of the area of a row."""
    return size.height + size.step * max(len(row) - 1, 0) + size.frame + 23


@lru_cache(maxsize=2048)
def row_shapes(
    row: Row, pile: str, width: float, size: Size, locale: Locale, points: str, *, own: bool
) -> tuple[Shape, ...]:
    """Draw the cards of a row, each under the next one, and its points. The viewer's rows have an area."""
    high, x, y = row_height(row, size), (width - size.width) / 2, size.frame + 1
    shapes: list[Shape] = [Box(0, 0, width, high, HOLLOW, "", 8)] if own else []
    if not row:
        return (*shapes, *flat((Group(x, y, slot_shapes(pile, size)),)))
    for card in row[:-1]:
        shapes.append(Group(x, y, strip_shapes(card, size, locale)))
        y += size.step
    shapes.append(Group(x, y, card_shapes(row[-1], size, locale)))
    shapes.append(Text(width / 2, high - 6, points, 13, ON_FELT, "middle", bold=True))
    return tuple(shapes)


TWIN = 8.0
"""How far the lower one of two equal cards looks out."""


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
        Path(x, y, scale_outline(PEBBLE, size), "#8a4f1d"),
        Path(x, y, scale_outline(GLINT, size), "#b37a45"),
        digits,
    )


@lru_cache(maxsize=64)
def held_shapes(count: int, size: float = 1) -> tuple[Shape, ...]:
    """Draw the hand of another seat: card backs side by side, and the number of cards."""
    backs = [Group(7 * size * at, 0, card_back(22 * size, 30 * size)) for at in range(min(count, 3))]
    x = 7 * size * len(backs) + 21 * size
    return (*backs, Text(x, 15 * size + 5, f"×{count}", 12 if size < 1 else 14, ON_FELT, bold=True))


def line_of_stones(view: KeltisView, x: float, y: float, step: float, locale: Locale) -> Iterator[Shape]:
    """Draw the wish stones in the middle of the table, `step` apart. Stones that are gone leave their place."""
    for at, stone in enumerate(ORDERED_STONES):
        yield place_stone(stone, stone in view.line, x + at * step, y, locale)


ORDERED_STONES = sorted(STONES)


@lru_cache(maxsize=256)
def place_stone(stone: int, there: bool, x: float, y: float, locale: Locale) -> Group:
    """Draw a wish stone in the middle of the table, or the place of one that is gone."""
    label = LABELS[locale]["stone" if there else "gone"].format(stone=stone)
    return Group(x, y, stone_shapes(stone, there=there), f"stone:{stone}" if there else "", label)


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


class Panel(NamedTuple):
    """Layout of a seat's rows: the left edge, the distance and width of its columns, and the size of the cards."""

    left: float
    column: float
    width: float
    size: Size


ROWS: PartCache[Group] = PartCache(4096)


def line_of_rows(view: KeltisView, seat: Seat, panel: Panel, y: float, locale: Locale) -> tuple[list[Shape], float]:
    """Draw the six rows of a seat; the viewer's can be touched. Return them and the lower end of the longest."""
    shapes: list[Shape] = [place_row(view, seat, at, panel, y, locale) for at in range(len(PILES))]
    return shapes, y + row_height(max(view.rows[seat], key=len), panel.size)


def place_row(view: KeltisView, seat: Seat, at: int, panel: Panel, y: float, locale: Locale) -> Group:
    """Draw the area of one row of a seat."""
    row, own = view.rows[seat][at], seat == view.seat
    points = with_sign(view.scores[seat].counts[at].points) if row else ""

    def draw() -> Group:
        pile = PILES[at]
        drawn = row_shapes(row, pile, panel.width, panel.size, locale, points, own=own)
        label = row_label(view, seat, pile, locale)
        return Group(panel.left + at * panel.column, y, drawn, f"row:{pile}" if own else "", label)

    whose = "" if own else view.called(seat, locale)
    return ROWS.find((at, row, points, own, whose, panel, y, locale), draw)

"""The table of Tír na nÓg as a picture: the Otherworld next to the viewer's Saga, the rivals and the hand below.

Everything fits 928 by 552, so that pages show it without scrolling. Spectators see the Saga of seat 0 in full.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.game import CHANCE, Seat
from engine.games.tir_na_nog.picture_narrow import draw_narrow
from engine.games.tir_na_nog.picture_otherworld import Grid, otherworld_shapes, place_deck
from engine.games.tir_na_nog.picture_seats import PLATE, Area, card_line, plate, saga_in_brief, saga_row, scroll
from engine.games.tir_na_nog.rules.saga import ROWS
from engine.games.tir_na_nog.rules.state import BALOR, ROUNDS
from engine.games.tir_na_nog.texts.labels import card_label
from engine.games.tir_na_nog.texts.names import PHASE_NAMES, SIDE_NAMES
from engine.games.tir_na_nog.texts.phrases import ASKED, SAY, who
from engine.games.tir_na_nog.view import View
from engine.lettering import cut_words, estimate_width
from engine.phrases import localise
from engine.picture import Box, Shape, Text
from engine.signs import GOLD, ON_FELT
from engine.words import Locale, capitalise

WIDTH, HEIGHT, EDGE = 928.0, 552.0, 14.0
TOP, BLOCK = 36.0, 106.0
"""Left edge of the cards, and height of a row of the Saga with its Geas."""
RIVALS_TOP, HAND_TOP, HAND_HEIGHT = 360.0, 466.0, 80.0
DECK_WIDTH, DECK_STEP = 72.0, 82.0
DUEL = 2


class Layout(NamedTuple):
    """Measures that depend on the number of seats."""

    cell: float
    gap: float
    scroll: float
    """Width of a Geas next to its row; 0 if it is above."""


LAYOUTS = {2: Layout(108, 26, 178), 3: Layout(94, 22, 0), 4: Layout(82, 22, 0), 5: Layout(74, 22, 0)}
CELL_HEIGHT = 88.0


def picture(view: View, locale: Locale, *, narrow: bool = False) -> tuple[Shape, ...]:
    """Draw the whole table."""
    if narrow:
        return draw_narrow(view, locale)
    own, *rivals = view.clockwise
    layout = LAYOUTS[view.seats]
    right = EDGE + (view.seats + 1) * (layout.cell + layout.gap)
    shapes: list[Shape] = [*_heading(view, right, locale)]
    if view.grid:
        grid = Grid(EDGE, TOP, layout.cell, CELL_HEIGHT, (layout.gap, 26.0))
        shapes += otherworld_shapes(view, grid, locale)
    shapes += _saga(view, own, Area(right, 4, WIDTH - EDGE - right), layout, locale)
    shapes += _balor(view, locale) if view.solo else _rivals(view, rivals, locale)
    shapes += _hand(view, locale)
    return (Box(0, 0, WIDTH, HEIGHT, "dusk"), *shapes)


def _heading(view: View, width: float, locale: Locale) -> Iterator[Shape]:
    """Write the round, the phase and the awaited seats above the Otherworld."""
    phase = "over" if view.over else "echtra" if view.asking.what == "echtra" else view.phase
    where = capitalise(SAY[locale]["round"].format(round=view.round, rounds=ROUNDS))
    words = f"{where} · {localise(PHASE_NAMES[phase], locale)}"
    yield Text(EDGE, 23, words, 14, ON_FELT, bold=True)
    left = EDGE + estimate_width(words, 14) + 10
    asked = asked_sentence(view, locale)
    if asked and left + estimate_width(asked, 12.5) <= width - 8:
        yield Text(left, 23, asked, 12.5, GOLD)


def asked_sentence(view: View, locale: Locale) -> str:
    """Say which seats and actions the table waits for."""
    names = [who(view, seat, locale) for seat in view.asked if seat != CHANCE]
    if not names:
        return "" if view.asked or view.over else SAY[locale]["paused"]
    return ASKED[locale].get(view.asking.what, SAY[locale]["asked"]).format(who=", ".join(names))


def _saga(view: View, seat: Seat, area: Area, layout: Layout, locale: Locale) -> Iterator[Shape]:
    """Draw a Saga in full, each row with the Geas that it scores."""
    yield from plate(view, seat, area, locale)
    for row in range(len(ROWS)):
        y = TOP + row * BLOCK
        if layout.scroll:
            if view.geas:
                yield scroll(view, row, Area(area.x, y, layout.scroll), BLOCK - 8, locale)
            left = area.x + layout.scroll + 6
            yield from saga_row(view, seat, row, Area(left, y, area.x + area.width - left), BLOCK - 8, locale)
        else:
            if view.geas:
                yield scroll(view, row, Area(area.x, y, area.width), 46, locale)
            yield from saga_row(view, seat, row, Area(area.x, y + 49, area.width + 4), 52, locale)


def _rivals(view: View, rivals: list[Seat], locale: Locale) -> Iterator[Shape]:
    """Draw the other seats' Sagas in brief, side by side."""
    width = (WIDTH - 2 * EDGE + 8) / len(rivals) - 8
    for place, seat in enumerate(rivals):
        area = Area(EDGE + place * (width + 8), RIVALS_TOP, width)
        yield from plate(view, seat, area, locale)
        yield from saga_in_brief(view, seat, area._replace(y=RIVALS_TOP + PLATE + 3), locale)


def _balor(view: View, locale: Locale) -> Iterator[Shape]:
    """Draw Balor's plate and his pile, whose cards the viewer touches to spare one."""
    side = SAY[locale]["side"].format(side=localise(SIDE_NAMES[view.side], locale))
    area = Area(EDGE, RIVALS_TOP, WIDTH - 2 * EDGE)
    yield from plate(view, BALOR, area, locale)
    yield Text(EDGE + 96, RIVALS_TOP + 19, side, 13, "faint")
    yield from card_line(view.pile, "pile", Area(EDGE, RIVALS_TOP + PLATE + 4, area.width), (92, 48), locale)


def _hand(view: View, locale: Locale) -> Iterator[Shape]:
    """Draw the viewer's hand with the chosen cards, the deck and the discards."""
    places = 3 if view.drawn else 2
    left = WIDTH - EDGE - places * DECK_STEP + (DECK_STEP - DECK_WIDTH)
    if not view.over:
        size = (DECK_WIDTH, HAND_HEIGHT - 4)
        yield from place_deck(view, (left, HAND_TOP + 2), size, DECK_STEP, locale, deck=True)
    if view.hand and not view.over:
        words = SAY[locale]["hand"].format(count=len(view.hand))
        yield Text(EDGE, HAND_TOP - 6, words, 13, ON_FELT, bold=True)
        yield from card_line(view.hand, "hand", Area(EDGE, HAND_TOP, left - EDGE - 16), (138, HAND_HEIGHT), locale)
    if view.answer:
        words = SAY[locale]["answer"].format(card=card_label(view.answer, locale).split(".")[0]).strip()
        yield Text(left - 16, HAND_TOP - 6, cut_words(words, 460, 13), 13, GOLD, "end", bold=True)

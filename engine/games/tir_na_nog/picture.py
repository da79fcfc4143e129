"""The table of Tír na nÓg as a picture: Geas, the Otherworld with its Storytellers, the Sagas, and the hand."""

from __future__ import annotations

from engine.game import CHANCE, Seat
from engine.games.tir_na_nog.picture_narrow import draw_narrow
from engine.games.tir_na_nog.picture_otherworld import Grid, deck_and_discards, otherworld_shapes
from engine.games.tir_na_nog.picture_seats import PLATE, Area, card_lines, plate, saga, scroll, scroll_height
from engine.games.tir_na_nog.rules.state import BALOR, ROUNDS
from engine.games.tir_na_nog.texts.labels import card_label
from engine.games.tir_na_nog.texts.names import PHASE_NAMES, SIDE_NAMES
from engine.games.tir_na_nog.texts.phrases import ASKED, SAY, who
from engine.games.tir_na_nog.view import View
from engine.lettering import cut_words
from engine.phrases import localise
from engine.picture import Box, Group, Shape, Text
from engine.signs import GOLD, ON_FELT, band
from engine.words import Locale

EDGE, GAP = 12.0, 34.0
WIDTHS = {3: 760.0, 4: 800.0, 5: 800.0, 6: 880.0}
CELL_WIDTHS = {3: 174.0, 4: 146.0, 5: 110.0, 6: 98.0}
"""By the columns of the Otherworld: how wide the picture and its cards are."""
CELL_HEIGHT, BESIDE = 86.0, 90.0
HAND = (122.0, 84.0)
DUEL = 2
TITLE = (Text(0, 0, "Tír na nÓg", 22, ON_FELT, bold=True),)


def picture(view: View, locale: Locale, *, narrow: bool = False) -> tuple[Shape, ...]:
    """Draw the whole table, from the Geas down to the viewer's hand."""
    if narrow:
        return draw_narrow(view, locale)
    columns = view.seats + 1
    width = WIDTHS[columns]
    shapes, y = _heading(view, width, locale)
    if view.grid:
        grid = _grid(columns, width, y)
        shapes += otherworld_shapes(view, grid, locale)
        x, height = width - EDGE - BESIDE + 6, CELL_HEIGHT - 8
        places = tuple((x, y + 4 + at * (height + 36)) for at in range(3))
        shapes += deck_and_discards(view, places, (BESIDE - 6, height), locale)
        y = grid.bottom(columns) + 16
    elif not view.over:
        places = tuple((EDGE + at * (BESIDE + 8), y + 4) for at in range(3))
        shapes += deck_and_discards(view, places, (BESIDE - 6, CELL_HEIGHT - 8), locale)
        y += CELL_HEIGHT + 20
    more, y = _others(view, y, width, locale)
    shapes += more
    if view.seat is not None:
        more, y = _full_saga(view, view.seat, y, width, 64, locale)
        shapes += more
    if view.hand and not view.over:
        more, y = _hand(view, y, width, locale)
        shapes += more
    return (Box(0, 0, width, y + 4, "felt"), *shapes)


def _heading(view: View, width: float, locale: Locale) -> tuple[list[Shape], float]:
    phase = "over" if view.over else "echtra" if view.asking.what == "echtra" else view.phase
    where = SAY[locale]["round"].format(round=view.round, rounds=ROUNDS)
    shapes: list[Shape] = [
        Group(EDGE + 2, 30, TITLE),
        Text(width - EDGE - 2, 23, f"{where} · {localise(PHASE_NAMES[phase], locale)}", 14, ON_FELT, "end"),
        *band(EDGE, 52, width - 2 * EDGE, GOLD),
    ]
    asked = asked_sentence(view, locale)
    if asked:
        shapes.append(Text(width - EDGE - 2, 41, cut_words(asked, width - 200, 12.5), 12.5, GOLD, "end"))
    across = (width - 2 * EDGE - 16) / 3
    shapes += [
        scroll(view, row, Area(EDGE + row * (across + 8), 64, across), 3, locale) for row in range(len(view.geas))
    ]
    return shapes, 64.0 + (scroll_height(3) + 15 if view.geas else 0)


def asked_sentence(view: View, locale: Locale) -> str:
    """Say what the table waits for."""
    names = [who(view, seat, locale) for seat in view.asked if seat != CHANCE]
    if not names:
        return "" if view.asked or view.over else SAY[locale]["paused"]
    return ASKED[locale].get(view.asking.what, SAY[locale]["asked"]).format(who=", ".join(names))


def _grid(columns: int, width: float, top: float) -> Grid:
    cell = CELL_WIDTHS[columns]
    across = columns * (cell + GAP) - GAP
    return Grid(EDGE + (width - 2 * EDGE - BESIDE - 6 - across) / 2, top, cell, CELL_HEIGHT, GAP)


def _others(view: View, y: float, width: float, locale: Locale) -> tuple[list[Shape], float]:
    """Draw the Sagas of the others: over the whole width in a duel, else two side by side."""
    others = view.others
    shapes: list[Shape] = []
    if view.seats == DUEL:
        for seat in others:
            balor = view.solo and seat == BALOR
            more, y = _pile(view, y, width, locale) if balor else _full_saga(view, seat, y, width, 44, locale)
            shapes += more
        return shapes, y
    half = (width - 2 * EDGE - 8) / 2
    for at, seat in enumerate(others):
        alone = at == len(others) - 1 and at % 2 == 0
        area = Area(EDGE + at % 2 * (half + 8), y, 2 * half + 8 if alone else half)
        shapes += plate(view, seat, area, locale)
        rows, bottom = saga(view, seat, Area(area.x, y + PLATE + 5, area.width), 26, locale)
        shapes += rows
        y = bottom + 4 if at % 2 or alone else y
    return shapes, y


def _full_saga(
    view: View, seat: Seat, y: float, width: float, height: float, locale: Locale
) -> tuple[list[Shape], float]:
    area = Area(EDGE, y, width - 2 * EDGE)
    rows, bottom = saga(view, seat, Area(EDGE, y + PLATE + 5, area.width), height, locale)
    return [*plate(view, seat, area, locale), *rows], bottom + 4


def _pile(view: View, y: float, width: float, locale: Locale) -> tuple[list[Shape], float]:
    """Draw Balor's plate and his pile, whose cards the viewer touches to spare one."""
    side = SAY[locale]["side"].format(side=localise(SIDE_NAMES[view.side], locale))
    shapes: list[Shape] = [*plate(view, BALOR, Area(EDGE, y, width - 2 * EDGE), locale)]
    shapes.append(Text(EDGE + 96, y + 19, side, 13, "faint"))
    cards, bottom = card_lines(view.pile, "pile", Area(EDGE, y + PLATE + 6, width - 2 * EDGE), (101, 50), locale)
    return shapes + cards, bottom + 6


def _hand(view: View, y: float, width: float, locale: Locale) -> tuple[list[Shape], float]:
    words = SAY[locale]["hand"].format(count=len(view.hand))
    shapes: list[Shape] = [Text(EDGE + 2, y + 15, words, 14, ON_FELT, bold=True)]
    shapes += band(EDGE + 150, y + 11, width - 2 * EDGE - 150, GOLD, 4)
    cards, y = card_lines(view.hand, "hand", Area(EDGE, y + 25, width - 2 * EDGE), HAND, locale)
    shapes += cards
    if view.answer:
        words = SAY[locale]["answer"].format(card=card_label(view.answer, locale).split(".")[0]).strip()
        shapes.append(Text(EDGE + 2, y + 12, words, 13, ON_FELT, bold=True))
        y += 20
    return shapes, y

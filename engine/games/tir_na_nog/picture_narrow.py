"""The table of Tír na nÓg as a picture for phones: at most 360 units wide, the viewer's hand last."""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Seat
from engine.games.tir_na_nog import picture_seats as seats
from engine.games.tir_na_nog.picture_otherworld import Grid, deck_and_discards, otherworld_shapes
from engine.games.tir_na_nog.picture_seats import PLATE, Area
from engine.games.tir_na_nog.rules.saga import ROWS
from engine.games.tir_na_nog.rules.state import BALOR, ROUNDS
from engine.games.tir_na_nog.texts.labels import card_label
from engine.games.tir_na_nog.texts.names import PHASE_NAMES, ROW_NAMES
from engine.games.tir_na_nog.texts.phrases import SAY
from engine.games.tir_na_nog.view import View
from engine.phrases import localise
from engine.picture import Box, Shape, Text
from engine.signs import GOLD, ON_FELT, band
from engine.words import Locale

WIDTH, EDGE, GAP = 360.0, 6.0, 31.0
CELL = (95.0, 60.0)
COLUMNS = 3
"""So many columns fit; an Otherworld with more of them is turned, since it always has three lines."""


def draw_narrow(view: View, locale: Locale) -> tuple[Shape, ...]:
    """Draw the Geas, the Otherworld, a line for each rival, then the viewer's Saga and hand."""
    phase = "over" if view.over else "echtra" if view.asking.what == "echtra" else view.phase
    where = SAY[locale]["round"].format(round=view.round, rounds=ROUNDS)
    shapes: list[Shape] = [
        Text(EDGE + 2, 23, "Tír na nÓg", 17, ON_FELT, bold=True),
        Text(WIDTH - EDGE, 14, where, 11, ON_FELT, "end"),
        Text(WIDTH - EDGE, 28, localise(PHASE_NAMES[phase], locale), 12, GOLD, "end", bold=True),
    ]
    y, lines = 36.0, 3 if view.solo else 2
    for row in range(len(view.geas)):
        shapes.append(seats.scroll(view, row, Area(EDGE, y, WIDTH - 2 * EDGE), lines, locale))
        y += seats.scroll_height(lines) + 4
    more, y = _otherworld(view, y + 4, locale)
    shapes += more
    for seat in view.others:
        more, y = _rival(view, seat, y, locale)
        shapes += more
    if view.seat is not None:
        more, y = _own_saga(view, view.seat, y, locale)
        shapes += more
    if view.hand and not view.over:
        more, y = _hand(view, y, locale)
        shapes += more
    return (Box(0, 0, WIDTH, y + 3, "felt"), *shapes)


def _otherworld(view: View, y: float, locale: Locale) -> tuple[list[Shape], float]:
    columns = view.seats + 1
    grid = Grid(EDGE, y, *CELL, GAP, turned=columns > COLUMNS)
    shapes: list[Shape] = []
    if view.grid:
        shapes += otherworld_shapes(view, grid, locale)
        y = grid.bottom(columns) + 10
    if view.over:
        return shapes, y
    places = tuple((EDGE + at * (CELL[0] + GAP), y) for at in range(3))
    return [*shapes, *deck_and_discards(view, places, (CELL[0], 44), locale)], y + 64


def _rival(view: View, seat: Seat, y: float, locale: Locale) -> tuple[list[Shape], float]:
    """Draw a rival in brief: a plate with regions, and below it the points of each row, or Balor's pile."""
    area = Area(EDGE, y, WIDTH - 2 * EDGE)
    shapes: list[Shape] = list(seats.plate(view, seat, area, locale))
    if view.solo and seat == BALOR:
        cards, bottom = seats.card_lines(view.pile, "pile", Area(EDGE, y + PLATE + 4, area.width), (65, 46), locale)
        return shapes + cards, bottom + 4
    return [*shapes, *_points(view, seat, y + PLATE, locale)], y + PLATE + 20


def _points(view: View, seat: Seat, y: float, locale: Locale) -> Iterator[Shape]:
    parts = [SAY[locale]["held"].format(held=view.held[seat])]
    for row, name in enumerate(ROWS):
        points = f" {seats.score_geas(view.geas[row], view.sagas[seat])}" if view.geas else ""
        parts.append(f"{localise(ROW_NAMES[name], locale)}{points}")
    yield Text(EDGE + 8, y + 13, " · ".join(parts), 11.5, ON_FELT)


def _own_saga(view: View, seat: Seat, y: float, locale: Locale) -> tuple[list[Shape], float]:
    """Draw the viewer's Saga, with the name of each row above its cards."""
    width = WIDTH - 2 * EDGE
    shapes: list[Shape] = list(seats.plate(view, seat, Area(EDGE, y, width), locale))
    y += PLATE + 4
    for row, name in enumerate(ROWS):
        points = f" · {seats.score_geas(view.geas[row], view.sagas[seat])}" if view.geas else ""
        shapes.append(Text(EDGE + 2, y + 10, localise(ROW_NAMES[name], locale) + points, 11.5, ON_FELT, bold=True))
        shapes += seats.saga_row(view, seat, row, Area(EDGE, y + 14, width + 4), 48, locale)
        y += 66
    return shapes, y


def _hand(view: View, y: float, locale: Locale) -> tuple[list[Shape], float]:
    words = SAY[locale]["hand"].format(count=len(view.hand))
    shapes: list[Shape] = [Text(EDGE + 2, y + 13, words, 13, ON_FELT, bold=True)]
    shapes += band(EDGE + 120, y + 9, WIDTH - 2 * EDGE - 122, GOLD, 3.5)
    cards, y = seats.card_lines(view.hand, "hand", Area(EDGE, y + 21, WIDTH - 2 * EDGE), (171.5, 66.5), locale)
    shapes += cards
    if view.answer:
        words = SAY[locale]["answer"].format(card=card_label(view.answer, locale).split(".")[0]).strip()
        shapes.append(Text(EDGE + 2, y + 12, words, 12, ON_FELT, bold=True))
        y += 20
    return shapes, y

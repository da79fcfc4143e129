"""The table of Tír na nÓg as a picture for phones: 360 by 505 units, the viewer's hand last."""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Seat
from engine.games.tir_na_nog import picture_seats as seats
from engine.games.tir_na_nog.picture_otherworld import Grid, otherworld_shapes, place_deck
from engine.games.tir_na_nog.picture_seats import Area
from engine.games.tir_na_nog.rules.saga import ROWS
from engine.games.tir_na_nog.rules.state import BALOR, ROUNDS
from engine.games.tir_na_nog.texts.labels import card_label
from engine.games.tir_na_nog.texts.names import PHASE_NAMES, SIDE_NAMES
from engine.games.tir_na_nog.texts.phrases import SAY
from engine.games.tir_na_nog.view import View
from engine.lettering import estimate_width, shorten_name
from engine.phrases import localise
from engine.picture import Box, Shape, Text
from engine.signs import GOLD, ON_FELT
from engine.words import Locale, capitalise

WIDTH, HEIGHT, EDGE = 360.0, 500.0, 6.0
TOP, CELL_WIDTH, GAP = 20.0, 102.0, 21.0
CELL_HEIGHTS = {3: (54.0, 22.0), 4: (44.0, 21.0), 5: (36.0, 20.0), 6: (33.0, 18.0)}
"""By number of card lines: the height of a card, and the gap between two lines."""
HAND_TOP, HAND_HEIGHT = 432.0, 62.0
SCROLL, END = 88.0, 54.0
RIVAL_LINE = 15.0
MOST_RIVALS = 2
"""Maximum number of rivals with room for their scores. With more, the scores are next to the picture."""
PILE_TILE = (31.0, 30.0)
ANSWER = 210.0
"""The room for the card that was chosen to discard. A longer name is replaced by colour and value."""


def draw_narrow(view: View, locale: Locale) -> tuple[Shape, ...]:
    """Draw a line for each rival or Balor's pile, then the Otherworld, and the viewer's Saga and hand below it."""
    phase = "over" if view.over else "echtra" if view.asking.what == "echtra" else view.phase
    where = capitalise(SAY[locale]["round"].format(round=view.round, rounds=ROUNDS))
    own, *rivals = view.clockwise
    shapes: list[Shape] = [
        Text(EDGE, 14, f"{where} · {localise(PHASE_NAMES[phase], locale)}", 12, ON_FELT, bold=True),
    ]
    y = TOP
    if view.solo:
        shapes += _balor(view, y, locale)
        y += RIVAL_LINE + 2 * (PILE_TILE[1] + 1)
    elif len(rivals) <= MOST_RIVALS:
        shapes += [_rival(view, seat, y + place * RIVAL_LINE, locale) for place, seat in enumerate(rivals)]
        y += len(rivals) * RIVAL_LINE + 3
    otherworld, y = _otherworld(view, y, locale)
    shapes += otherworld
    return (Box(0, 0, WIDTH, HEIGHT, "dusk"), *shapes, *_own_saga(view, own, y + 3, locale), *_hand(view, locale))


def _otherworld(view: View, top: float, locale: Locale) -> tuple[list[Shape], float]:
    """Draw the Otherworld, turned if it has more than three columns: it always has three lines. Return its end."""
    columns = view.seats + 1
    height, gap = CELL_HEIGHTS[columns]
    grid = Grid(EDGE, top, CELL_WIDTH, height, (GAP, gap), turned=columns > len(ROWS))
    return [*otherworld_shapes(view, grid, locale)] if view.grid else [], grid.bottom(columns) + 5


def _balor(view: View, y: float, locale: Locale) -> Iterator[Shape]:
    """Draw Balor's points, his reference card in words, and his pile, whose cards the viewer touches to spare one."""
    side = SAY[locale]["side"].format(side=localise(SIDE_NAMES[view.side], locale))
    name = view.called(BALOR, locale)
    yield Text(EDGE, y + 11, f"{name} · {side}", 12, ON_FELT)
    if view.balor_score:
        yield Text(WIDTH - EDGE, y + 12, str(view.balor_score.total), 14, GOLD, "end", bold=True)
    area = Area(EDGE, y + RIVAL_LINE, WIDTH - 2 * EDGE)
    yield from seats.tile_lines(view.pile, "pile", area, PILE_TILE, locale)


def _rival(view: View, seat: Seat, y: float, locale: Locale) -> Shape:
    """Write a rival in one line: the name, the points of each row and the cards in hand."""
    points = "/".join(str(seats.score_geas(geas, view.sagas[seat])) for geas in view.geas)
    held = SAY[locale]["held"].format(held=view.held[seat])
    parts = " · ".join(part for part in (points, "" if view.over else held) if part)
    name = shorten_name(view.called(seat, locale), 180, 12)
    return Text(EDGE, y + 12, f"{name} · {parts}", 12, ON_FELT)


def _own_saga(view: View, seat: Seat, y: float, locale: Locale) -> Iterator[Shape]:
    """Draw the viewer's Saga, each row after the Geas that it scores."""
    height = (HAND_TOP - 18 - y) / len(ROWS) - 3
    for row in range(len(ROWS)):
        top = y + row * (height + 3)
        if view.geas:
            yield seats.scroll(view, row, Area(EDGE, top, SCROLL), height, locale)
        area = Area(EDGE + SCROLL + 3, top, WIDTH - 2 * EDGE - SCROLL + 1)
        yield from seats.saga_row(view, seat, row, area, height, locale)


def _hand(view: View, locale: Locale) -> Iterator[Shape]:
    """Draw the viewer's hand, the discards and the drawn card, and write how many cards the deck has."""
    ends = 2 if view.drawn else 1
    left = WIDTH - EDGE - ends * (END + 4) + 4
    if not view.over:
        yield from place_deck(view, (left, HAND_TOP), (END, HAND_HEIGHT), END + 4, locale)
    if view.hand and not view.over:
        words = SAY[locale]["hand"].format(count=len(view.hand))
        yield Text(EDGE, HAND_TOP - 5, words, 12, ON_FELT, bold=True)
        area = Area(EDGE, HAND_TOP, left - EDGE - 6)
        yield from seats.card_line(view.hand, "hand", area, (104, HAND_HEIGHT), locale)
    if view.answer:
        card = card_label(view.answer, locale).split(".")[0]
        whole, brief = (
            SAY[locale]["answer"].format(card=each).strip() for each in (card, card[card.rindex("(") + 1 : -1])
        )
        words = whole if estimate_width(whole, 11) <= ANSWER else brief
        yield Text(left - 6, HAND_TOP - 5, words, 11, GOLD, "end", bold=True)

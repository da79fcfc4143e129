"""The table of Tír na nÓg as a picture: the Otherworld with its Storytellers, the Sagas, Balor's pile, the hand."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from engine.game import Seat
from engine.games.tir_na_nog.rules.cards import CARDS
from engine.games.tir_na_nog.rules.saga import ROWS
from engine.games.tir_na_nog.rules.state import BALOR, ROUNDS
from engine.games.tir_na_nog.texts.names import (
    PHASE_NAMES,
    ROW_NAMES,
    SIDE_NAMES,
    card_name,
    geas_name,
    letter,
    pick_of,
)
from engine.games.tir_na_nog.texts.phrases import SAY, who
from engine.games.tir_na_nog.texts.table_text import wrap_name
from engine.games.tir_na_nog.view import View
from engine.picture import Box, Disc, Group, Plain, Shape, Text
from engine.words import Locale

NARROWEST, WIDEST, EDGE = 720.0, 920.0, 16.0
CARD_WIDTH, CARD_HEIGHT, GAP = 112.0, 70.0, 34.0
SMALL_WIDTH, SMALL_HEIGHT, SMALL_STEP = 108.0, 42.0, 114.0
LABEL = 84.0
PAPER, INK, FAINT, WHITE, LIGHT = "#f6f1e4", "#2b2620", "#7a7160", "#ffffff", "#fffdf6"
FILLS = {"blue": "#2f6db3", "green": "#1f7a4d", "red": "#b8402a", "yellow": "#f2cf4a"}
DARK = frozenset({"blue", "green", "red"})
SEATS = ("#3b2f6b", "#7a3b69", "#0b6e6e", "#6b4a16", "#444444")
LOST, MARKER = "#c9c2b2", "#c8901a"
LETTER_SIZE = 16
"""How many letters of a name fit on one line of a card."""


def picture(view: View, locale: Locale, *, narrow: bool = False) -> tuple[Shape, ...]:  # noqa: ARG001  # one form so far
    """The whole table, from the Otherworld down to the viewer's hand."""
    (shapes, y), width = _heading(view, locale), _width(view)
    if any(view.grid):
        shapes += _otherworld(view, y, locale)
        y += 3 * CARD_HEIGHT + 2 * GAP + 24
    first = view.seat or 0
    for step in range(view.seats):
        seat = (first + step) % view.seats
        balor = view.solo and seat == BALOR
        more, y = _pile(view, y, width, locale) if balor else _saga(view, seat, y, width, locale)
        shapes += more
    if view.hand and not view.over:
        shapes.append(Text(EDGE, y + 16, SAY[locale]["hand"].format(count=len(view.hand)), 15, INK, bold=True))
        more, y = _small_cards(view.hand, EDGE, y + 26, width, locale)
        shapes += more
        y += 8
    return (Box(0, 0, width, y + 8, PAPER), *shapes)


def _width(view: View) -> float:
    """Room for the Otherworld and for the longest row; only a very long one has its cards lie closer."""
    columns = max(int(cell[1]) for cell in view.world.cells)
    longest = max(len(row) for seat in range(view.seats) for row in view.standing(seat))
    world, saga = columns * (CARD_WIDTH + GAP) - GAP, LABEL + longest * SMALL_STEP - (SMALL_STEP - SMALL_WIDTH)
    return min(WIDEST, max(NARROWEST, 2 * EDGE + world, 2 * EDGE + saga))


def _heading(view: View, locale: Locale) -> tuple[list[Shape], float]:
    phase = pick_of(PHASE_NAMES["over" if view.over else view.phase], locale)
    where = SAY[locale]["round"].format(round=view.round, rounds=ROUNDS)
    deck = SAY[locale]["deck"].format(deck=view.deck)
    shapes: list[Shape] = [
        Text(EDGE, 32, "Tír na nÓg", 22, INK, bold=True),
        Text(150, 32, f"{where} · {phase} · {deck}", 14, FAINT),
    ]
    for at, slug in enumerate(view.geas):
        label = f"{pick_of(ROW_NAMES[ROWS[at]], locale)} – {geas_name(slug, locale)}"
        if view.balor_score:
            label += f" · Balor {view.balor_score.counts[at].points}"
        shapes.append(Text(EDGE, 54 + at * 17, label, 13, INK))
    return shapes, 54 + len(view.geas) * 17 + 6


def _corner(cell: str, top: float) -> tuple[float, float]:
    """Where the box of a cell begins."""
    return EDGE + (int(cell[1]) - 1) * (CARD_WIDTH + GAP), top + "abc".index(cell[0]) * (CARD_HEIGHT + GAP)


def _otherworld(view: View, top: float, locale: Locale) -> list[Shape]:
    shapes: list[Shape] = []
    for cell, card in zip(view.world.cells, view.grid, strict=True):
        x, y = _corner(cell, top)
        shapes.append(Group(x, y, _cell(cell, card, locale)))
    if view.marker:
        x, y = _middle(view.marker, top)
        shapes.append(Disc(x, y, 17, PAPER, MARKER, 4))
    return shapes + _storytellers(view, top)


def _middle(spot: str, top: float) -> tuple[float, float]:
    """The middle of the cells around a spot."""
    corners = [_corner(spot[at : at + 2], top) for at in range(0, len(spot), 2)]
    x = sum(corner[0] for corner in corners) / len(corners) + CARD_WIDTH / 2
    return x, sum(corner[1] for corner in corners) / len(corners) + CARD_HEIGHT / 2


def _storytellers(view: View, top: float) -> list[Shape]:
    shapes: list[Shape] = []
    met: dict[str, int] = {}
    for seat, spots in enumerate(view.out):
        lost = view.lost(seat)
        for spot in spots:
            x, y = _middle(spot, top)
            y += 14 * met.get(spot, 0)
            met[spot] = met.get(spot, 0) + 1
            name = "B" if view.solo and seat == BALOR else str(seat)
            shapes.append(Disc(x, y, 13, LOST if spot in lost else SEATS[seat], WHITE, 1.5))
            shapes.append(Text(x, y + 5, name, 14, INK if spot in lost else WHITE, "middle", bold=True))
    return shapes


def _ink(card: str) -> str:
    return WHITE if card and CARDS[card].colour in DARK else INK


@lru_cache(maxsize=4096)
def _cell(cell: str, card: str, locale: Locale) -> tuple[Plain, ...]:
    """A cell of the Otherworld with its card; all of them are as many as fit."""
    taken = [Box(0, 0, CARD_WIDTH, CARD_HEIGHT, PAPER, "#d8cfb8", 8)]
    name = Text(CARD_WIDTH / 2, CARD_HEIGHT - 6, cell, 10, _ink(card), "middle")
    return (*(_card(card, locale) if card else taken), name)


def _card(card: str, locale: Locale) -> list[Plain]:
    printed = CARDS[card]
    ink = _ink(card)
    shapes: list[Plain] = [
        Box(0, 0, CARD_WIDTH, CARD_HEIGHT, FILLS[printed.colour], "#00000055", 8),
        Text(8, 20, str(printed.value), 18, ink, bold=True),
        Text(CARD_WIDTH - 8, 19, letter(printed.colour, locale), 14, ink, "end", bold=True),
    ]
    if printed.ailm:
        shapes.append(Text(CARD_WIDTH / 2, 17, "Ailm", 11, ink, "middle"))
    for at, line in enumerate(wrap_name(card_name(card, locale), LETTER_SIZE, 2)):
        shapes.append(Text(CARD_WIDTH / 2, 36 + at * 13, line, 12, ink, "middle"))
    return shapes


@lru_cache(maxsize=2048)
def _small(colour: str, value: int, card: str, locale: Locale) -> tuple[Plain, ...]:
    """A card as Sagas, hands and piles show it: letter and value above its name, and what is printed if it differs."""
    ink, printed = WHITE if colour in DARK else INK, CARDS[card]
    shapes = (
        Box(0, 0, SMALL_WIDTH, SMALL_HEIGHT, FILLS[colour], "#00000055", 6),
        Text(6, 17, f"{letter(colour, locale)}{value}", 15, ink, bold=True),
        Text(SMALL_WIDTH / 2, 34, wrap_name(card_name(card, locale), LETTER_SIZE, 1)[0], 11, ink, "middle"),
    )
    if (colour, value) == (printed.colour, printed.value):
        return shapes
    was = f"({letter(printed.colour, locale)}{printed.value})"
    return (*shapes, Text(SMALL_WIDTH - 6, 16, was, 11, ink, "end"))


def _small_cards(cards: Iterable[str], x: float, y: float, width: float, locale: Locale) -> tuple[list[Shape], float]:
    """As many cards to a line as there is room for, and where the lines end."""
    shapes: list[Shape] = []
    across, lines = int((width - EDGE - x - SMALL_WIDTH) // SMALL_STEP) + 1, 0
    for at, card in enumerate(cards):
        colour, value, lines = CARDS[card].colour, CARDS[card].value, at // across + 1
        left, top = x + at % across * SMALL_STEP, y + at // across * (SMALL_HEIGHT + 6)
        shapes.append(Group(left, top, _small(colour, value, card, locale)))
    return shapes, y + lines * (SMALL_HEIGHT + 6)


def _saga(view: View, seat: Seat, y: float, width: float, locale: Locale) -> tuple[list[Shape], float]:
    height = 3 * (SMALL_HEIGHT + 6) + 34
    you = SAY[locale]["you"] if seat == view.seat else ""
    shapes: list[Shape] = [
        Box(8, y, width - 16, height - 6, LIGHT if seat in view.asked else PAPER, "#d8cfb8", 6),
        Disc(EDGE + 12, y + 15, 11, SEATS[seat]),
        Text(EDGE + 12, y + 20, str(seat), 13, WHITE, "middle", bold=True),
        Text(EDGE + 32, y + 20, who(view, seat, locale) + you, 15, INK, bold=True),
    ]
    if view.scores:
        shapes.append(Text(width - EDGE, y + 20, str(view.scores[seat].total), 17, INK, "end", bold=True))
    rows = view.standing(seat)
    step = min(SMALL_STEP, (width - 2 * EDGE - LABEL - SMALL_WIDTH) / max(1, *(len(row) - 1 for row in rows)))
    for at, row in enumerate(rows):
        line = y + 28 + at * (SMALL_HEIGHT + 6)
        shapes.append(Text(EDGE, line + 26, pick_of(ROW_NAMES[ROWS[at]], locale), 13, FAINT))
        for slot, standing in enumerate(row):
            if standing:
                card = _small(standing.colour, standing.value, standing.card, locale)
                shapes.append(Group(EDGE + LABEL + slot * step, line, card))
    return shapes, y + height


def _pile(view: View, y: float, width: float, locale: Locale) -> tuple[list[Shape], float]:
    label = f"Balor – {SAY[locale]['side'].format(side=pick_of(SIDE_NAMES[view.side], locale))}"
    shapes: list[Shape] = [
        Disc(EDGE + 12, y + 15, 11, SEATS[BALOR]),
        Text(EDGE + 12, y + 20, "B", 13, WHITE, "middle", bold=True),
        Text(EDGE + 32, y + 20, label, 15, INK, bold=True),
    ]
    if view.balor_score:
        shapes.append(Text(width - EDGE, y + 20, str(view.balor_score.total), 17, INK, "end", bold=True))
    cards, y = _small_cards(view.pile, EDGE + LABEL, y + 32, width, locale)
    return shapes + cards, y + 8

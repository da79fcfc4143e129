"""The table of Keltis as a picture."""

from __future__ import annotations

from engine.game import Locale, Seat
from engine.games.keltis.cards import PILES, POINT, Card
from engine.games.keltis.text import SAY
from engine.games.keltis.view import KeltisView
from engine.games.keltis.words import COLOUR_NAMES
from engine.picture import Box, Disc, Shape, Text

WIDTH = 760.0
CARD_WIDTH, CARD_HEIGHT, STEP = 40.0, 30.0, 44.0
LEFT, TOP = 16.0, 56.0
PAPER, INK, FAINT = "#f6f1e4", "#2b2620", "#8a8170"
FILLS = {"R": "#d1495b", "Y": "#edae49", "G": "#3c896d", "B": "#30638e", "P": "#c77dba", "N": "#b9b4a8"}
DARK = frozenset("RGB")


def picture(view: KeltisView, locale: Locale) -> tuple[Shape, ...]:
    """Rows of every seat, discard piles, stones, and the viewer's hand."""
    shapes: list[Shape] = []
    y = TOP
    for seat in range(view.seats):
        shapes += _seat(view, seat, y, locale)
        y += _height(view, seat)
    shapes += _piles(view, y, locale)
    y += 64
    if view.hand and not view.over:
        shapes.append(Text(LEFT, y + 20, SAY[locale]["hand"].format(cards="").strip(), 14, INK, bold=True))
        for at, card in enumerate(view.hand):
            shapes += _card(LEFT + 130 + at * STEP, y, card)
        y += CARD_HEIGHT + 18
    paper = Box(0, 0, WIDTH, y + 8, PAPER)
    return (paper, *_heading(view, locale), *shapes)


def _heading(view: KeltisView, locale: Locale) -> list[Shape]:
    shapes: list[Shape] = [Text(LEFT, 34, "Keltis", 22, INK, bold=True)]
    words = f"{SAY[locale]['turn'].format(turn=view.turn)} · {SAY[locale]['deck'].format(deck=view.deck)}"
    shapes.append(Text(110, 34, words, 14, FAINT))
    for at, stone in enumerate(range(1, 10)):
        there = stone in view.line
        shapes.append(Disc(440 + at * 34, 29, 13, "#c8793a" if there else PAPER, "#c8793a", 1.5))
        shapes.append(Text(440 + at * 34, 34, str(stone), 14, "#ffffff" if there else "#c8793a", "middle", bold=there))
    return shapes


def _height(view: KeltisView, seat: Seat) -> float:
    return 34 + 36.0 * max(1, sum(bool(row) for row in view.rows[seat]))


def _seat(view: KeltisView, seat: Seat, y: float, locale: Locale) -> list[Shape]:
    score = view.scores[seat]
    name = view.called(seat, locale) + (SAY[locale]["you"] if seat == view.seat else "")
    shapes: list[Shape] = [
        Box(8, y, WIDTH - 16, _height(view, seat) - 6, "#fffdf6" if seat in view.asked else PAPER, "#d8cfb8", 6),
        Text(LEFT, y + 20, name, 15, INK, bold=True),
        Text(WIDTH - LEFT, y + 20, str(score.total), 17, INK, "end", bold=True),
    ]
    for at, stone in enumerate(view.stones[seat]):
        shapes.append(Disc(300 + at * 30, y + 15, 11, "#c8793a"))
        shapes.append(Text(300 + at * 30, y + 20, str(stone), 13, "#ffffff", "middle", bold=True))
    line = y + 28
    for pile, row, count in zip(PILES, view.rows[seat], score.counts, strict=False):
        if row:
            shapes.append(Text(LEFT, line + 20, COLOUR_NAMES[locale][pile].capitalize(), 13, FAINT))
            step = min(STEP, (WIDTH - 180) / len(row))
            for number, card in enumerate(row):
                shapes += _card(LEFT + 72 + number * step, line, card)
            shapes.append(Text(WIDTH - LEFT, line + 20, str(count.points), 13, FAINT, "end"))
            line += 36
    return shapes


def _piles(view: KeltisView, y: float, locale: Locale) -> list[Shape]:
    shapes: list[Shape] = [Text(LEFT, y + 18, SAY[locale]["piles"].split(",")[0], 14, INK, bold=True)]
    for at, (name, pile) in enumerate(zip(PILES, view.piles, strict=True)):
        x = LEFT + 130 + at * 96
        if pile:
            shapes += _card(x, y, pile[-1])
            shapes.append(Text(x + CARD_WIDTH + 6, y + 20, f"×{len(pile)}", 13, FAINT))
        else:
            shapes.append(Box(x, y, CARD_WIDTH, CARD_HEIGHT, PAPER, FILLS[name], 5, 1.5))
    return shapes


def _card(x: float, y: float, card: Card) -> list[Shape]:
    colour = card[0]
    ink = "#ffffff" if colour in DARK else INK
    shapes: list[Shape] = [Box(x, y, CARD_WIDTH, CARD_HEIGHT, FILLS[colour], "#00000033", 5)]
    shapes.append(Text(x + CARD_WIDTH / 2, y + 21, card, 15, ink, "middle", bold=colour != POINT))
    return shapes

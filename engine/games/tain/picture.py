"""The table of Táin as a picture."""

from __future__ import annotations

from engine.game import Seat
from engine.games.tain.text import SAY
from engine.games.tain.tokens import EMPTY, GATES, KINGDOM_PLACES, LETTERS, PASTURE, ROUNDS, UNKNOWN
from engine.games.tain.view import TainView
from engine.games.tain.words import held, tokens
from engine.picture import Box, Disc, Line, Shape, Text
from engine.words import Locale

WIDTH, BOARD, HEIGHT, TOP, LEFT = 780.0, 374.0, 212.0, 92.0, 12.0
KINGDOM_AT: dict[Locale, float] = {"en": 220.0, "fr": 290.0}  # behind the words about it
STEP, GAP, RADIUS, GATE = 54.0, 14.0, 18.0, 78.0
PAPER, INK, FAINT, GRASS, STONE = "#f6f1e4", "#2b2620", "#7a7263", "#dfe8cf", "#e2ddd2"
FILLS = ("#30638e", "#edae49", "#c77dba", "#3c896d")
INKS = ("#ffffff", INK, INK, "#ffffff")


def picture(view: TainView, locale: Locale, *, narrow: bool = False) -> tuple[Shape, ...]:  # noqa: ARG001  # one form so far
    """The kingdom, every clan's board with its gates, and the viewer's own tokens."""
    shapes: list[Shape] = [*_heading(view, locale)]
    for seat in range(view.seats):
        shapes += _board(view, seat, LEFT + (seat % 2) * (BOARD + 8), TOP + seat // 2 * (HEIGHT + 8), locale)
    y = TOP + (view.seats + 1) // 2 * (HEIGHT + 8)
    if view.seat is not None and not view.over:
        own = SAY[locale]["screen"].format(tokens=tokens(view.unused) or SAY[locale]["empty"])
        shapes.append(Text(LEFT, y + 20, own, 15, INK, bold=True))
        y += 34
    return (Box(0, 0, WIDTH, y + 6, PAPER), *shapes)


def _heading(view: TainView, locale: Locale) -> list[Shape]:
    say = SAY[locale]
    shapes: list[Shape] = [Text(LEFT, 32, "Táin", 24, INK, bold=True)]
    for number in range(1, ROUNDS + 1):
        x, now = 96.0 + number * 30, number == view.round
        shapes.append(Disc(x, 25, 12, INK if now else PAPER, FAINT, 1.5))
        shapes.append(Text(x, 30, str(number), 13, "#ffffff" if now else FAINT, "middle", bold=now))
    there = say["kingdom"].format(stock=view.stock, there="").rsplit(";", 1)[0].strip()
    shapes.append(Text(LEFT, 70, there, 15, INK, bold=True))
    for place in range(KINGDOM_PLACES):
        token = view.kingdom[place] if place < len(view.kingdom) else ""
        shapes += _place(KINGDOM_AT[locale] + place * STEP, 65, token[:1] or EMPTY, token[1:] or EMPTY)
    return shapes


def _board(view: TainView, seat: Seat, x: float, y: float, locale: Locale) -> list[Shape]:
    clan, say = view.clans[seat], SAY[locale]
    notes = (say["you"] if seat == view.seat else "") + (say["out"] if clan.out else "")
    name = f"{LETTERS[seat]}  {view.called(seat, locale)}{notes}"
    counts = f"{say['cattle'].format(clan.cattle)}   {say['jewels'].format(clan.jewels)}"
    screen = say["screens"].format(clan.unused, clan.used)
    line = INK if seat == view.active else "#d8cfb8"
    shapes: list[Shape] = [
        Box(x, y, BOARD, HEIGHT, "#fffdf6" if seat in view.asked else PAPER, line, 8, 2 if seat == view.active else 1),
        Disc(x + 18, y + 20, 8, FILLS[seat]),
        Text(x + 34, y + 26, name, 16, INK, bold=True),
        Text(x + BOARD - 12, y + 26, str(view.scores[seat].total), 18, INK, "end", bold=True),
        Text(x + 12, y + 50, counts, 14, INK),
        Text(x + BOARD - 12, y + 50, screen, 14, FAINT, "end"),
        Box(x + GATE, y + 60, PASTURE * STEP, 118, GRASS, "", 8),
        Box(x + GATE + PASTURE * STEP + GAP, y + 60, 2 * STEP, 118, STONE, "", 8),
        Text(x + 10, y + 101, say["scouts"], 12, FAINT),
        Text(x + 10, y + 153, say["guard"], 12, FAINT),
    ]
    for gate, number in enumerate(GATES):
        middle = x + GATE + (gate + 0.5) * STEP + (GAP if gate >= PASTURE else 0)
        shapes.append(Text(middle, y + 74, number, 12, FAINT, "middle"))
        shapes.append(Line(((middle - 22, y + 123), (middle + 22, y + 123)), FAINT, 1))
        shapes += _place(middle, y + 98, clan.owners[gate], clan.scouts[gate])
        shapes += _place(middle, y + 150, EMPTY if clan.guards[gate] == EMPTY else LETTERS[seat], clan.guards[gate])
    if clan.prisoners:
        shapes.append(Text(x + 12, y + 200, say["prisoners"].format(captives=held(clan.prisoners, locale)), 13, INK))
    return shapes


def _place(x: float, y: float, owner: str, kind: str) -> list[Shape]:
    if owner == EMPTY:
        return [Disc(x, y, RADIUS, PAPER, FAINT, 1)]
    seat = LETTERS.index(owner)
    shapes: list[Shape] = [Disc(x, y, RADIUS, FILLS[seat], INK, 1.5)]
    return [*shapes, Text(x, y + 6, owner + kind, 16, INKS[seat], "middle", bold=kind != UNKNOWN)]

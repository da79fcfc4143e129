"""The table of Keltis as a picture."""

from __future__ import annotations

from typing import NamedTuple

from engine.game import Seat
from engine.games.keltis.cards import ENDS, PILES, STONES, Card, Row
from engine.games.keltis.text import SAY
from engine.games.keltis.view import KeltisView
from engine.games.keltis.words import card_code, card_codes
from engine.picture import Box, Disc, Line, Shape, Text
from engine.words import Locale

WIDTH, EDGE, LEFT, RIGHT = 600.0, 8.0, 18.0, 582.0
TOP, SEAT, GAP, ROW, COLUMN = 80.0, 124.0, 8.0, 28.0, 294.0
BESIDE = 124.0  # where things begin that have their label before them
STONES_AT: dict[Locale, float] = {"en": BESIDE + 10, "fr": BESIDE + 24}
ROOM = 238.0  # for the cards of a row
PAPER, PANEL, INK, FAINT, ACCENT = "#ece4d3", "#fffcf5", "#2b2620", "#6a604f", "#9a5418"
PALE, GONE = "#ddd3be", "#b3a78e"
FILLS = {"R": "#b8324a", "Y": "#f2c14e", "G": "#2f7d5b", "B": "#2b5f94", "P": "#eba9d2", "N": "#d3cdbf"}
INKS = {"R": "#ffffff", "Y": INK, "G": "#ffffff", "B": "#ffffff", "P": INK, "N": INK}
NARROW, BROAD = frozenset(" .,:;'’|!()[]-ijlftrIJ"), frozenset("mwMW@%œæŒÆ—…")
LABELS: dict[Locale, dict[str, str]] = {
    "en": {
        "stones": "Wish stones",
        "no stones": "no stones",
        "piles": "Discards",
        "hand": "Your hand",
        "play": "to play",
        "draw": "to draw",
        "last": "last cards",
        "resigned": "resigned",
    },
    "fr": {
        "stones": "Pierres de Vœux",
        "no stones": "sans Pierre",
        "piles": "Défausses",
        "hand": "Votre main",
        "play": "à jouer",
        "draw": "à piocher",
        "last": "dernières cartes",
        "resigned": "abandon",
    },
}


class Size(NamedTuple):
    """How large a card is drawn, and its letters."""

    width: float
    height: float
    letters: float
    round: float


SMALL, MIDDLE, LARGE = Size(32, 24, 13, 4), Size(36, 26, 14, 4), Size(53, 38, 19, 6)


def picture(view: KeltisView, locale: Locale, *, narrow: bool = False) -> tuple[Shape, ...]:  # noqa: ARG001  # one form so far
    """Rows and stones of every seat, discard piles, the stones left, and the viewer's hand."""
    shapes = _heading(view, locale)
    y = TOP
    for seat in range(view.seats):
        shapes += _seat(view, seat, y, locale)
        y += SEAT + GAP
    shapes += _piles(view, y + 4, locale)
    y += MIDDLE.height + 16
    if view.hand and not view.over:
        shapes.append(Text(LEFT, y + 25, LABELS[locale]["hand"], 14, INK, bold=True))
        for at, card in enumerate(view.hand):
            shapes += _card(BESIDE + at * 58, y, card, LARGE, locale)
        y += LARGE.height + 14
    if view.answer is not None:
        cards = card_codes(view.answer, locale) or SAY[locale]["none"]
        shapes.append(Text(LEFT, y + 12, SAY[locale]["answer"].format(cards=cards), 14, INK))
        y += 26
    return (Box(0, 0, WIDTH, y, PAPER), *shapes)


def _heading(view: KeltisView, locale: Locale) -> list[Shape]:
    say = SAY[locale]
    words = f"{say['turn'].format(turn=view.turn)} · {say['deck'].format(deck=view.deck)}"
    shapes: list[Shape] = [
        Text(LEFT, 32, "Keltis", 22, INK, bold=True),
        Text(RIGHT, 31, words if not view.over else say["over"], 14, INK, "end"),
        Text(LEFT, 63, LABELS[locale]["stones"], 14 if locale == "en" else 12, INK, bold=True),
    ]
    if view.cause:
        shapes.append(Text(RIGHT, 63, say[view.cause], 13, ACCENT, "end", bold=True))
    for at, stone in enumerate(sorted(STONES)):
        shapes += _stone(STONES_AT[locale] + at * 25, 58, stone, there=stone in view.line)
    return shapes


def _stone(x: float, y: float, stone: int, *, there: bool = True) -> list[Shape]:
    return [
        Disc(x, y, 10, ACCENT if there else PAPER, "" if there else GONE, 1),
        Text(x, y + 5, str(stone), 13, "#ffffff" if there else GONE, "middle", bold=there),
    ]


def _seat(view: KeltisView, seat: Seat, y: float, locale: Locale) -> list[Shape]:
    score, you = view.scores[seat], SAY[locale]["you"] if seat == view.seat else ""
    name = _short(view.called(seat, locale), 222 - 9 * len(you), 15)
    shapes: list[Shape] = [
        Box(EDGE, y, WIDTH - 2 * EDGE, SEAT, PANEL, "", 6),
        Text(LEFT, y + 23, name + you, 15, INK, bold=True),
        Text(RIGHT, y + 24, _signed(score.total), 18, INK, "end", bold=True),
        *_stones(view.stones[seat], score.counts[-1].points, y + 18, locale),
        *_mark(view, seat, y, locale),
    ]
    for at, (pile, row) in enumerate(zip(PILES, view.rows[seat], strict=True)):
        x, line = LEFT + COLUMN * (at // 3), y + 37 + ROW * (at % 3)
        shapes += _row(row, x, line, locale) if row else _slot(x, line, pile, SMALL, locale)
        if row:
            words = _signed(score.counts[at].points, "+")
            shapes.append(Text(x + COLUMN - 24, line + 17, words, 12.5, FAINT, "end"))
    return shapes


def _stones(stones: tuple[int, ...], points: int, y: float, locale: Locale) -> list[Shape]:
    x = 258.0
    if not stones:
        return [Text(x - 9, y + 5, f"{LABELS[locale]['no stones']} {_signed(points, '+')}", 13, FAINT)]
    step = 22 if len(stones) <= 5 else 18  # noqa: PLR2004  # five count; more stand closer
    drawn: list[Shape] = []
    for at, stone in enumerate(sorted(stones)):
        drawn.append(Disc(x + at * step, y, 9, ACCENT))
        drawn.append(Text(x + at * step, y + 4.5, str(stone), 12, "#ffffff", "middle", bold=True))
    return [*drawn, Text(x + len(stones) * step - 5, y + 5, _signed(points, "+"), 13, FAINT)]


def _mark(view: KeltisView, seat: Seat, y: float, locale: Locale) -> list[Shape]:
    asked = seat in view.asked and view.phase in LABELS[locale]
    if not asked and seat not in view.resigned:
        return []
    words, fill = (view.phase, ACCENT) if asked else ("resigned", FAINT)
    return [
        Box(430, y + 9, 104, 19, fill, "", 9.5),
        Text(482, y + 22.5, LABELS[locale][words], 11.5, "#ffffff", "middle"),
    ]


def _row(row: Row, x: float, y: float, locale: Locale) -> list[Shape]:
    """Cards side by side; a long row overlaps, and then longer labels show more of their card."""
    letters = sum(map(len, row[:-1]))
    shapes: list[Shape] = []
    for at, card in enumerate(row):
        step = SMALL.width + 2
        if len(row) * step > ROOM and at < len(row) - 1:
            step = min(step, (ROOM - SMALL.width) * len(card) / letters)
        shapes += _card(x, y, card, SMALL, locale, min(step, SMALL.width))
        x += step
    return shapes


def _piles(view: KeltisView, y: float, locale: Locale) -> list[Shape]:
    shapes: list[Shape] = [Text(LEFT, y + 18, LABELS[locale]["piles"], 14, INK, bold=True)]
    for at, (name, pile) in enumerate(zip(PILES, view.piles, strict=True)):
        x = BESIDE + at * 78
        if not pile:
            shapes += _slot(x, y, name, MIDDLE, locale)
            continue
        card, label = _card(x, y, pile[-1], MIDDLE, locale)
        bar = Line(((x - 4, y + MIDDLE.height + 3), (x + MIDDLE.width + 4, y - 3)), INK, 2)
        shapes += (card, bar, label) if name in view.closed else (card, label)
        shapes.append(Text(x + MIDDLE.width + 6, y + 18, f"×{len(pile)}", 13, FAINT))
    return shapes


def _slot(x: float, y: float, pile: str, size: Size, locale: Locale) -> list[Shape]:
    sign = card_code(pile, locale)
    return [
        Box(x + 0.5, y + 0.5, size.width - 1, size.height - 1, "", PALE if size is SMALL else GONE, size.round, 1),
        Text(x + size.width / 2, y + size.height / 2 + 4.5, sign, 12, FAINT, "middle"),
    ]


def _card(x: float, y: float, card: Card, size: Size, locale: Locale, seen: float = 0) -> tuple[Shape, Shape]:
    seen, code = seen or size.width, card_code(card, locale)
    letters = min(size.letters, (seen - 5) / (0.74 * len(card)))
    line = INK if card in ENDS else PANEL if seen < size.width else ""
    return (
        Box(x, y, size.width, size.height, FILLS[card[0]], line, size.round),
        Text(x + seen / 2, y + size.height / 2 + letters * 0.36, code, letters, INKS[card[0]], "middle", bold=True),
    )


def _signed(points: int, plus: str = "") -> str:
    return f"{plus if points > 0 else ''}{points}".replace("-", "−")


def _short(words: str, room: float, size: float) -> str:
    """Words that fit, cut with an ellipsis if they must be; the widths are those of a broad typeface."""
    used = 0.0
    for at, letter in enumerate(words):
        used += size * (
            0.42
            if letter in NARROW
            else 1.05
            if letter in BROAD or letter > "\u2e7f"
            else 0.8
            if letter.isupper()
            else 0.7
        )
        if used > room:
            return words[: max(at - 1, 1)].rstrip() + "…"
    return words

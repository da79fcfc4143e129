"""The table of Keltis as a picture: rivals, the discard piles with the deck, the viewer's rows and hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.game import Seat
from engine.games.keltis import labels, pieces
from engine.games.keltis.labels import LABELS
from engine.games.keltis.picture_narrow import draw_narrow
from engine.games.keltis.pieces import LARGE, MIDDLE, SMALL, TINY, Panel, Size
from engine.games.keltis.text import SAY
from engine.games.keltis.view import KeltisView
from engine.games.keltis.words import card_codes
from engine.lettering import cut_words, estimate_width
from engine.picture import Box, Group, Shape, Text
from engine.signs import FAINT_ON_FELT, GOLD, ON_FELT, band
from engine.words import Locale

WIDTH, EDGE, COLUMN, GAP = 720.0, 12.0, 100.0, 8.0
BESIDE = EDGE + 6 * COLUMN  # where the column begins that has the deck, the stones and the hands of others
STONES_AT: dict[Locale, float] = {"en": 132, "fr": 160}
ACCENT, ON_ACCENT = "#9a5418", "#ffffff"
PLATE = 28.0
FULL = 400.0  # a panel that is wider has room for words
DUEL = 2
SIDE_BY_SIDE = {1: MIDDLE, 2: SMALL, 3: TINY}


def picture(view: KeltisView, locale: Locale, *, narrow: bool = False) -> tuple[Shape, ...]:
    """Draw the rows and stones of every seat, the discard piles, the stones left and the viewer's hand."""
    if narrow:
        return draw_narrow(view, locale)
    shapes = [*_heading(view, locale), *_line_of_stones(view, locale)]
    more, y = _others(view, view.others, 98, locale)
    shapes += [*more, *_piles(view, y + 8, locale)]
    y += LARGE.height + 22
    if view.seat is not None:
        more, y = _full_panel(view, view.seat, y, LARGE, locale)
        shapes += more
    if view.hand and not view.over:
        shapes += _hand(view, y + 8, locale)
        y += LARGE.height + 34
    if view.answer is not None:
        cards = card_codes(view.answer, locale) or SAY[locale]["none"]
        shapes.append(Text(EDGE, y + 18, SAY[locale]["answer"].format(cards=cards), 14, ON_FELT, bold=True))
        y += 28
    return (Box(0, 0, WIDTH, y + 6, "felt"), *shapes)


def _heading(view: KeltisView, locale: Locale) -> list[Shape]:
    say = SAY[locale]
    words = f"{say['turn'].format(turn=view.turn)} · {say['deck'].format(deck=view.deck)}"
    shapes: list[Shape] = [
        Text(EDGE + 2, 30, "Keltis", 22, ON_FELT, bold=True),
        Text(WIDTH - EDGE - 2, 29, words if not view.over else say["over"], 14, ON_FELT, "end"),
        *band(EDGE, 44, WIDTH - 2 * EDGE, GOLD),
    ]
    if view.cause:
        shapes.append(Text(WIDTH / 2, 29, say[view.cause], 14, GOLD, "middle", bold=True))
    return shapes


def _line_of_stones(view: KeltisView, locale: Locale) -> Iterator[Shape]:
    yield Text(EDGE + 2, 77, LABELS[locale]["stones"], 14, ON_FELT, bold=True)
    yield from pieces.line_of_stones(view, STONES_AT[locale], 57, 42, locale)


def _others(view: KeltisView, seats: Sequence[Seat], y: float, locale: Locale) -> tuple[list[Shape], float]:
    """Draw the panels of these seats: over the whole width in a duel, else two or three side by side."""
    shapes: list[Shape] = []
    side_by_side = 2 if len(seats) in (2, 4) else 3
    step = 1 if view.seats == DUEL else side_by_side
    for first in range(0, len(seats), step):
        line = seats[first : first + step]
        draw = _side_by_side(view, line, y, locale) if step > 1 else _full_panel(view, line[0], y, MIDDLE, locale)
        shapes += draw[0]
        y = draw[1]
    return shapes, y


def _full_panel(view: KeltisView, seat: Seat, y: float, size: Size, locale: Locale) -> tuple[list[Shape], float]:
    """Draw a seat over the whole width, with its stones in the column on the right."""
    shapes = [*_plate(view, seat, EDGE, y, WIDTH - 2 * EDGE, locale)]
    top = y + PLATE + 6
    rows, bottom = pieces.line_of_rows(view, seat, Panel(EDGE, COLUMN, COLUMN - GAP, size), top, locale)
    shapes += [*rows, *_column_of_stones(view, seat, top, locale)]
    return shapes, bottom + 8


def _side_by_side(view: KeltisView, seats: Sequence[Seat], y: float, locale: Locale) -> tuple[list[Shape], float]:
    shapes: list[Shape] = []
    width = (WIDTH - 2 * EDGE - GAP * (len(seats) - 1)) / len(seats)
    lowest = y
    for at, seat in enumerate(seats):
        left = EDGE + at * (width + GAP)
        size, column = SIDE_BY_SIDE[len(seats)], (width + 3) / 6
        panel = Panel(left, column, column - (GAP if size == MIDDLE else 3), size)
        rows, bottom = pieces.line_of_rows(view, seat, panel, y + 52, locale)
        shapes += [*_plate(view, seat, left, y, width, locale), *_small_stones(view, seat, left, y + 29, locale), *rows]
        lowest = max(lowest, bottom)
    return shapes, lowest + 8


def _plate(view: KeltisView, seat: Seat, x: float, y: float, width: float, locale: Locale) -> Iterator[Shape]:
    """Draw the name plate of a seat, with what the table waits for and the points."""
    words, you = LABELS[locale], SAY[locale]["you"] if seat == view.seat else ""
    state, asked = labels.seat_state(view, seat)
    points = labels.minus_sign(view.scores[seat].total)
    pill = estimate_width(words[state], 12) + 16 if state else 0
    held = words["held"].format(held=view.held[seat]) if width > FULL and not you and not view.over else ""
    left = x + width - 24 - 14 * len(points) - pill
    room = left - x - 28 - estimate_width(you, 15, bold=True) - estimate_width(held, 13)
    yield Box(x, y, width, PLATE, "panel", "", 8)
    yield Text(x + 12, y + 19.5, cut_words(view.called(seat, locale), room, 15, bold=True) + you, 15, "ink", bold=True)
    yield Text(x + width - 12, y + 20.5, points, 18, "ink", "end", bold=True)
    if held:
        yield Text(left - 10, y + 19, held, 13, "faint", "end")
    if state:
        yield Box(left, y + 4.5, pill, 19, ACCENT if asked else "faint", "", 9.5)
        yield Text(left + pill / 2, y + 18.2, words[state], 12, ON_ACCENT if asked else "panel", "middle")


def _column_of_stones(view: KeltisView, seat: Seat, y: float, locale: Locale) -> Iterator[Shape]:
    """Draw the wish stones of a seat in rows of three, and what they count."""
    stones, label = sorted(view.stones[seat]), labels.stones_label(view, seat, locale)
    points = labels.with_sign(view.scores[seat].counts[-1].points)
    if not stones:
        yield Text(BESIDE + 48, y + 18, label, 12, FAINT_ON_FELT, "middle")
        return
    placed = [Group(2 + at % 3 * 31, at // 3 * 27, pieces.stone_shapes(stone, 0.85)) for at, stone in enumerate(stones)]
    left, low = len(stones) % 3 * 31 + 6, len(stones) // 3 * 27 + 18
    told = Text(left, low, points, 14, ON_FELT, bold=True)
    yield Group(BESIDE, y, (*placed, told), "", label)


def _small_stones(view: KeltisView, seat: Seat, x: float, y: float, locale: Locale) -> Iterator[Shape]:
    """Draw the wish stones of a seat in a line, and how many cards it holds."""
    stones, label = sorted(view.stones[seat]), labels.stones_label(view, seat, locale)
    held = f"×{view.held[seat]}"
    yield Group(
        x + 2,
        y + 1,
        pieces.held_shapes(view.held[seat], 0.62),
        "",
        f"{LABELS[locale]['held'].format(held=view.held[seat])} {held}",
    )
    if not stones:
        yield Text(x + 62, y + 15, label, 12, FAINT_ON_FELT)
        return
    placed = [Group(at * 20, 0, pieces.stone_shapes(stone, 0.6)) for at, stone in enumerate(stones)]
    told = Text(len(stones) * 20 + 6, 14, labels.with_sign(view.scores[seat].counts[-1].points), 12, ON_FELT, bold=True)
    yield Group(x + 62, y + 1, (*placed, told), "", label)


def _piles(view: KeltisView, y: float, locale: Locale) -> Iterator[Shape]:
    """Draw the discard piles, each above the viewer's row of its colour, and the deck."""
    inset = (COLUMN - GAP - LARGE.width) / 2
    yield from pieces.line_of_piles(view, EDGE + inset, y, COLUMN, LARGE, locale)
    yield pieces.place_deck(view, BESIDE + 13, y, LARGE.width, LARGE.height, locale)


def _hand(view: KeltisView, y: float, locale: Locale) -> Iterator[Shape]:
    """Draw the cards of the hand. Two of a kind overlap."""
    yield Text(EDGE + 2, y + 12, LABELS[locale]["hand"], 14, ON_FELT, bold=True)
    yield from band(EDGE + 120, y + 8, WIDTH - 2 * EDGE - 120, GOLD, 4)
    for at, (card, count) in enumerate(labels.counted_hand(view).items()):
        shapes = pieces.hand_shapes(card, count, LARGE, locale)
        yield Group(EDGE + 4 + at * 88, y + 22, shapes, f"hand:{card}", labels.hand_label(card, count, locale))

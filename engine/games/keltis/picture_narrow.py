"""The table of Keltis as a picture for phones: at most 360 units wide, the viewer's hand last."""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Seat
from engine.games.keltis import labels, pieces
from engine.games.keltis.cards import PILES, Row
from engine.games.keltis.labels import LABELS
from engine.games.keltis.pieces import PHONE, PHONE_HAND, Panel
from engine.games.keltis.text import SAY
from engine.games.keltis.view import KeltisView
from engine.games.keltis.words import card_code, card_codes
from engine.lettering import cut_words, estimate_width
from engine.picture import Box, Group, Plain, Shape, Text
from engine.signs import DIM, FACES, GOLD, HOLLOW, ON_FELT, band, sign
from engine.words import Locale

WIDTH, EDGE, COLUMN = 360.0, 6.0, 58.0
FOLDED = 54.0
ACCENT = "#9a5418"


def draw_narrow(view: KeltisView, locale: Locale) -> tuple[Shape, ...]:
    """Draw a line for each rival, stones, piles and deck, then the viewer's rows and hand."""
    say = SAY[locale]
    shapes: list[Shape] = [
        Text(EDGE + 2, 22, "Keltis", 17, ON_FELT, bold=True),
        Text(WIDTH - EDGE, 21, say["over"] if view.over else say["turn"].format(turn=view.turn), 13, ON_FELT, "end"),
    ]
    y = 32.0
    if view.cause:
        shapes.append(Text(EDGE + 2, y + 12, say[view.cause], 13, GOLD, bold=True))
        y += 20
    for seat in view.others:
        shapes += _rival(view, seat, y, locale)
        y += FOLDED + 5
    shapes += [*pieces.line_of_stones(view, EDGE + 2, y + 2, 38.8, locale), *_piles(view, y + 40, locale)]
    y += 40 + PHONE.height + 12
    if view.seat is not None:
        more, y = _own_rows(view, view.seat, y, locale)
        shapes += more
    if view.hand and not view.over:
        shapes += _hand(view, y + 6, locale)
        y += PHONE_HAND.height + 30
    if view.answer is not None:
        cards = card_codes(view.answer, locale) or say["none"]
        shapes.append(Text(EDGE, y + 14, say["answer"].format(cards=cards), 13, ON_FELT, bold=True))
        y += 22
    return (Box(0, 0, WIDTH, y + 4, "felt"), *shapes)


def _rival(view: KeltisView, seat: Seat, y: float, locale: Locale) -> Iterator[Shape]:
    """Draw a rival in brief: name, stones and points, and the last card and length of each row."""
    yield Box(EDGE, y, WIDTH - 2 * EDGE, FOLDED, HOLLOW, "", 7)
    yield from _name(view, seat, y, locale)
    for at, (pile, row) in enumerate(zip(PILES, view.rows[seat], strict=True)):
        x = EDGE + 4 + at * 57.2
        yield Group(x, y + 29, _row_in_brief(pile, row, locale), "", labels.row_label(view, seat, pile, locale))


def _name(view: KeltisView, seat: Seat, y: float, locale: Locale) -> Iterator[Shape]:
    """Draw the name plate of a seat, with what the table waits for, its stones and points."""
    words, points = LABELS[locale], labels.minus_sign(view.scores[seat].total)
    state, asked = labels.seat_state(view, seat)
    stones = sorted(view.stones[seat])
    right = WIDTH - EDGE - 14 - 11.5 * len(points)
    across = len(stones) * 18 + 4
    pill = estimate_width(words[state], 11) + 12 if state else 0
    you = SAY[locale]["you"] if seat == view.seat else ""
    room = right - across - pill - EDGE - 20 - estimate_width(you, 14, bold=True)
    yield Box(EDGE, y, WIDTH - 2 * EDGE, 25, "panel", "", 7)
    yield Text(
        EDGE + 8, y + 17.5, cut_words(view.called(seat, locale), room, 14, bold=True) + you, 14, "ink", bold=True
    )
    yield Text(WIDTH - EDGE - 8, y + 18, points, 16, "ink", "end", bold=True)
    if stones:
        pebbles = tuple(Group(at * 18, 0, pieces.stone_shapes(stone, 0.5)) for at, stone in enumerate(stones))
        yield Group(right - across, y + 5, pebbles, "", labels.stones_label(view, seat, locale))
    if state:
        left = right - across - pill - 4
        yield Box(left, y + 4, pill, 17, ACCENT if asked else "faint", "", 8.5)
        yield Text(left + pill / 2, y + 16.2, words[state], 11, "#ffffff" if asked else "panel", "middle")


def _row_in_brief(pile: str, row: Row, locale: Locale) -> tuple[Plain, ...]:
    face = FACES[pieces.COLOURS[pile]]
    if not row:
        return (
            Box(0, 0, 54, 21, "", DIM, 4),
            sign(pieces.COLOURS[pile], 27, 10.5, 13, DIM),
        )
    value = card_code(row[-1], locale)[1:]
    return (
        Box(0, 0, 54, 21, face.fill, "", 4),
        sign(pieces.COLOURS[pile], 10, 10.5, 13, face.ink),
        Text(19, 15.5, value, 13, face.ink, bold=True)
        if len(value) == 1
        else Text(17.5, 15, value, 11.5, face.ink, bold=True),
        Text(51, 15, f"×{len(row)}", 9, face.ink, "end"),
    )


def _piles(view: KeltisView, y: float, locale: Locale) -> Iterator[Shape]:
    """Draw the discard piles and the deck in one line."""
    size = PHONE._replace(width=44)
    yield from pieces.line_of_piles(view, EDGE, y, 50, size, locale)
    yield pieces.place_deck(view, EDGE + 6 * 50, y, 40, size.height, locale)


def _own_rows(view: KeltisView, seat: Seat, y: float, locale: Locale) -> tuple[list[Shape], float]:
    """Draw the areas of the viewer's rows."""
    rows, bottom = pieces.line_of_rows(view, seat, Panel(EDGE + 1, COLUMN, COLUMN - 3, PHONE), y + 29, locale)
    return [*_name(view, seat, y, locale), *rows], bottom + 2


def _hand(view: KeltisView, y: float, locale: Locale) -> Iterator[Shape]:
    yield Text(EDGE + 2, y + 12, LABELS[locale]["hand"], 13, ON_FELT, bold=True)
    yield from band(EDGE + 92, y + 8, WIDTH - 2 * EDGE - 94, GOLD, 3.5)
    x = EDGE + 1
    for card, count in labels.counted_hand(view).items():
        shapes = pieces.hand_shapes(card, count, PHONE_HAND, locale)
        yield Group(x, y + 20, shapes, f"hand:{card}", labels.hand_label(card, count, locale))
        x += 43.4 if count == 1 else 43.4 + pieces.TWIN

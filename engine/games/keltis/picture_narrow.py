"""The table of Keltis as a picture for phones: 360 by 500 units, the viewer's hand last."""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Seat
from engine.games.keltis import labels, pieces
from engine.games.keltis.cards import PILES, Row
from engine.games.keltis.labels import LABELS
from engine.games.keltis.pieces import PHONE, PHONE_HAND, PHONE_PILE, Panel
from engine.games.keltis.text import SAY
from engine.games.keltis.view import KeltisView
from engine.games.keltis.words import card_code, card_codes
from engine.lettering import cut_words, estimate_width, fit_size, shorten_name
from engine.picture import Box, Group, Plain, Shape, Text
from engine.signs import DIM, FACES, FAINT_ON_FELT, GOLD, ON_FELT, sign
from engine.words import Locale

WIDTH, HEIGHT, EDGE, COLUMN = 360.0, 500.0, 6.0, 58.0
NAME_LINE, BRIEF_HEIGHT = 18.0, 22.0
HAND_TOP = HEIGHT - PHONE_HAND.height - 6


def draw_narrow(view: KeltisView, locale: Locale) -> tuple[Shape, ...]:
    """Draw stones and deck, a line for each rival, the piles, then the viewer's rows and hand."""
    own, *rivals = view.clockwise
    shapes: list[Shape] = [
        *pieces.line_of_stones(view, EDGE - 2, 4, 32, locale, 0.99),
        pieces.place_deck(view, 300, 7, 48, 28, locale),
    ]
    y = 38.0
    for seat in rivals:
        shapes += [*_name(view, seat, y, locale), *_rows_in_brief(view, seat, y + NAME_LINE, locale)]
        y += NAME_LINE + BRIEF_HEIGHT + 3
    shapes += pieces.line_of_piles(view, EDGE + (COLUMN - PHONE_PILE.width) / 2, y + 4, COLUMN, PHONE_PILE, locale)
    y += 4 + PHONE_PILE.height + 4
    shapes += _name(view, own, y, locale)
    y += NAME_LINE + 2
    panel = Panel(EDGE + 1, COLUMN, COLUMN - 3, PHONE, HAND_TOP - 20 - y)
    shapes += [*pieces.line_of_rows(view, own, panel, y, locale), *_hand(view, locale)]
    return (Box(0, 0, WIDTH, HEIGHT, "felt"), *shapes)


def _name(view: KeltisView, seat: Seat, y: float, locale: Locale) -> Iterator[Shape]:
    """Draw the name of a seat with its points, and its wish stones with their points."""
    stones, worth = sorted(view.stones[seat]), labels.with_sign(view.scores[seat].counts[-1].points)
    told = f"{' '.join(map(str, stones))}, {worth}" if stones else ""
    name, points = view.called(seat, locale), labels.minus_sign(view.scores[seat].total)
    across = estimate_width(told, 12) + 14 if told else 0
    room = WIDTH - 2 * EDGE - across - 24 - estimate_width(points, 14)
    size = fit_size(name, room, (13, 12, 11))
    shown = shorten_name(name, room, size)
    yield Group(EDGE, y, (Text(2, 13, shown, size, ON_FELT, bold=True),), "", name)
    yield Text(EDGE + estimate_width(shown, size) + 10, y + 13.5, points, 14, GOLD, bold=True)
    if told:
        shapes = (pieces.small_pebble(), Text(14, 13, told, 12, FAINT_ON_FELT))
        yield Group(WIDTH - EDGE - across, y, shapes, "", labels.stones_label(view, seat, locale))


def _rows_in_brief(view: KeltisView, seat: Seat, y: float, locale: Locale) -> Iterator[Shape]:
    for place, (pile, row) in enumerate(zip(PILES, view.rows[seat], strict=True)):
        shapes = _row_in_brief(pile, row, locale)
        yield Group(EDGE + 2 + place * COLUMN, y, shapes, "", labels.row_label(view, seat, pile, locale))


def _row_in_brief(pile: str, row: Row, locale: Locale) -> tuple[Plain, ...]:
    """Draw the last card of a row and how many cards it has."""
    face = FACES[pieces.COLOURS[pile]]
    if not row:
        return Box(0, 0, 54, BRIEF_HEIGHT, "", DIM, 4), sign(pieces.COLOURS[pile], 27, 11, 13, DIM)
    value = card_code(row[-1], locale)[1:]
    return (
        Box(0, 0, 54, BRIEF_HEIGHT, face.fill, "", 4),
        sign(pieces.COLOURS[pile], 9, 11, 12, face.ink),
        Text(24, 16, value, 14 if len(value) == 1 else 12, face.ink, "middle", bold=True),
        Text(52, 15.5, f"×{len(row)}", 11, face.ink, "end"),
    )


def _hand(view: KeltisView, locale: Locale) -> Iterator[Shape]:
    """Draw the viewer's hand, or each seat's number of cards, and the end of the match."""
    say, y = SAY[locale], HAND_TOP - 6
    if view.hand and not view.over:
        yield Text(EDGE + 2, y, LABELS[locale]["hand"], 12, ON_FELT, bold=True)
        x = EDGE + 1
        for card, count in labels.counted_hand(view).items():
            shapes = pieces.hand_shapes(card, count, PHONE_HAND, locale)
            yield Group(x, HAND_TOP, shapes, f"hand:{card}", labels.hand_label(card, count, locale))
            x += 43.4 if count == 1 else 43.4 + pieces.TWIN
    else:
        for place, line in enumerate(labels.hands_in_words(view, locale)):
            yield Text(EDGE + 2, HAND_TOP + 8 + place * 17, cut_words(line, WIDTH - 2 * EDGE, 12), 12, FAINT_ON_FELT)
    told = say[view.cause] if view.cause else ""
    if view.answer is not None:
        told = say["answer"].format(cards=card_codes(view.answer, locale) or say["none"])
    yield Text(WIDTH - EDGE, y, cut_words(told, 260, 12), 12, GOLD, "end", bold=True)

"""The table of Keltis as a picture: a lane for each colour, the viewer's hand below.

Left of the discard piles are the rivals: one rival's rows lie open, several are folded to plates. Right of them are the
viewer's rows; spectators see seat 0 there. Everything fits 928 by 552, so that pages show it without scrolling.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.game import Seat
from engine.games.keltis import labels, pieces
from engine.games.keltis.cards import PILES
from engine.games.keltis.labels import LABELS
from engine.games.keltis.picture_narrow import draw_narrow
from engine.games.keltis.pieces import HAND, LANE_CARD, Lane
from engine.games.keltis.text import SAY
from engine.games.keltis.view import KeltisView
from engine.games.keltis.words import card_codes
from engine.lettering import cut_words, estimate_width, fit_size, shorten_name
from engine.picture import Box, Group, Shape, Text
from engine.signs import FAINT_ON_FELT, GOLD, ON_FELT
from engine.words import Locale

WIDTH, EDGE = 928.0, 16.0
STONES_AT: dict[Locale, float] = {"en": 128, "fr": 160}
LANES_TOP, LANE_STEP = 68.0, 63.0
LANES_END = LANES_TOP + len(PILES) * LANE_STEP
RIVALS_END, PILES_AT, OWN_AT = 404.0, 436.0, 516.0
HAND_STEP = 84.0
DECK_AT = WIDTH - EDGE - 70


def picture(view: KeltisView, locale: Locale, *, narrow: bool = False) -> tuple[Shape, ...]:
    """Draw the rows and stones of every seat, the discard piles, the stones left and the viewer's hand."""
    if narrow:
        return draw_narrow(view, locale)
    own, *rivals = view.clockwise
    width = (RIVALS_END - EDGE + 8) / len(rivals)
    lanes = [Lane(EDGE + place * width, width - 8, len(rivals) > 1, leftwards=True) for place in range(len(rivals))]
    shapes: list[Shape] = [*_top_line(view, locale), *_lane_grounds(), *_piles(view, locale)]
    for seat, lane in zip((*rivals, own), (*lanes, Lane(OWN_AT, WIDTH - EDGE - OWN_AT)), strict=True):
        shapes += _heading(view, seat, lane, locale)
        shapes += pieces.lanes_of_seat(view, seat, lane, LANES_TOP, LANE_STEP, locale)
    shapes += _hand(view, locale)
    return (Box(0, 0, WIDTH, LANES_END + 106, "felt"), *shapes)


def _top_line(view: KeltisView, locale: Locale) -> Iterator[Shape]:
    """Draw the wish stones that are left, and the turn or the ending of the match."""
    say = SAY[locale]
    yield Text(EDGE, 28, LABELS[locale]["stones"], 14, ON_FELT, bold=True)
    yield from pieces.line_of_stones(view, STONES_AT[locale], 8, 40, locale)
    words = say["over"] if view.over else say["turn"].format(turn=view.turn)
    yield Text(WIDTH - EDGE, 28, words, 13, ON_FELT, "end")
    if view.cause:
        yield Text(WIDTH - EDGE - estimate_width(words, 13) - 16, 28, say[view.cause], 13, GOLD, "end", bold=True)


def _lane_grounds() -> Iterator[Shape]:
    for place in range(len(PILES)):
        yield Box(10, LANES_TOP - 2 + place * LANE_STEP, WIDTH - 20, LANE_STEP - 4, pieces.LANE_GROUND, "", 9)


def _heading(view: KeltisView, seat: Seat, lane: Lane, locale: Locale) -> Iterator[Shape]:
    """Draw the name of a seat above its rows, its points, and its wish stones with their points."""
    name, points = view.called(seat, locale), labels.minus_sign(view.scores[seat].total)
    stones = _stones(view, seat, folded=lane.folded)
    across, y = (0.0, 37.0) if lane.folded else (stones[1] + 8, 44.0)
    room = lane.width - across - 14 - estimate_width(points, 15)
    size = fit_size(name, room, (13, 12, 11))
    shown = shorten_name(name, room, size)
    yield Group(lane.left, y, (Text(0, 14, shown, size, ON_FELT, bold=True),), "", name)
    yield Text(lane.left + estimate_width(shown, size) + 8, y + 14.5, points, 15, GOLD, bold=True)
    if stones[0]:
        at = (lane.left, 50.0) if lane.folded else (lane.left + lane.width - stones[1], 43.0)
        yield Group(*at, stones[0], "", labels.stones_label(view, seat, locale))


def _stones(view: KeltisView, seat: Seat, *, folded: bool) -> tuple[tuple[Shape, ...], float]:
    """Return the wish stones of a seat, as pebbles or in one line of words, and their width."""
    stones, worth = sorted(view.stones[seat]), labels.with_sign(view.scores[seat].counts[-1].points)
    if not stones:
        return (), 0
    if folded:
        words = f"{' '.join(map(str, stones))}, {worth}"
        return (pieces.small_pebble(), Text(14, 13, words, 12, FAINT_ON_FELT)), 0
    pebbles = [Group(place * 25, 0, pieces.stone_shapes(stone, 0.7)) for place, stone in enumerate(stones)]
    told = Text(len(stones) * 25 + 5, 15, worth, 13, ON_FELT, bold=True)
    return (*pebbles, told), len(stones) * 25 + 5 + estimate_width(worth, 13)


def _piles(view: KeltisView, locale: Locale) -> Iterator[Shape]:
    yield Text(PILES_AT + LANE_CARD.width / 2, 58, LABELS[locale]["piles"], 12, FAINT_ON_FELT, "middle")
    for place, (name, pile) in enumerate(zip(PILES, view.piles, strict=True)):
        at = (PILES_AT, LANES_TOP + place * LANE_STEP)
        yield pieces.place_pile(view, name, pile, at, LANE_CARD, locale)


def _hand(view: KeltisView, locale: Locale) -> Iterator[Shape]:
    """Draw the cards of the hand, with two of a kind overlapping, the last answer and the deck."""
    words, top = LABELS[locale], LANES_END + 18
    if view.hand and not view.over:
        yield Text(EDGE, top - 9, words["hand"], 13, ON_FELT, bold=True)
        for place, (card, count) in enumerate(labels.counted_hand(view).items()):
            shapes = pieces.hand_shapes(card, count, HAND, locale)
            label = labels.hand_label(card, count, locale)
            yield Group(EDGE + place * HAND_STEP, top, shapes, f"hand:{card}", label)
    else:
        for place, line in enumerate(labels.hands_in_words(view, locale)):
            yield Text(EDGE, top + 10 + place * 19, cut_words(line, DECK_AT - 40, 13), 13, FAINT_ON_FELT)
    if view.answer is not None:
        cards = card_codes(view.answer, locale) or SAY[locale]["none"]
        yield Text(OWN_AT, top - 9, SAY[locale]["answer"].format(cards=cards), 13, GOLD, bold=True)
    yield pieces.place_deck(view, DECK_AT, top + 3, 62, HAND.height - 4, locale)

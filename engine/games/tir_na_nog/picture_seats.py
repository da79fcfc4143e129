"""Seats of Tír na nÓg on a picture: name plates, Sagas, Balor's pile, Geas and the viewer's hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from engine.game import Seat
from engine.games.tir_na_nog import pieces
from engine.games.tir_na_nog.pieces import Card
from engine.games.tir_na_nog.rules.cards import COLOURS
from engine.games.tir_na_nog.rules.geas import GEAS
from engine.games.tir_na_nog.rules.saga import MOST_PLAYED, ROWS, Saga, Standing
from engine.games.tir_na_nog.rules.score import pile_regions
from engine.games.tir_na_nog.rules.state import BALOR
from engine.games.tir_na_nog.texts import labels
from engine.games.tir_na_nog.texts.cards import geas_text
from engine.games.tir_na_nog.texts.names import ROW_NAMES, geas_name, letter
from engine.games.tir_na_nog.texts.phrases import SAY, who
from engine.games.tir_na_nog.view import View
from engine.lettering import break_words, cut_words, estimate_width, fit_size
from engine.phrases import localise
from engine.picture import Box, Group, PartCache, Shape, Text
from engine.signs import DARK, FACES, HOLLOW, ON_FELT, sign
from engine.words import Locale

PLATE = 28.0
ACCENT, ON_ACCENT = "#9a5418", "#ffffff"
REGION = 36.0
ROOMY = 370.0
"""A plate that is not wider has room for less."""
WHOLE = 500.0
"""A Saga wider than this gets a separate panel."""
TILE = 40.0
"""Cards that are lower show little more than value and sign."""


class Area(NamedTuple):
    """Place of a part: its left edge, its top and its width."""

    x: float
    y: float
    width: float


NAME_SIZES = (15, 13, 11.5)
"""How large the name of a player is, by its length."""


class Plate(NamedTuple):
    """All that a name plate shows."""

    seat: Seat
    sign: str
    name: str
    own: bool
    state: str
    """State of a seat: to play, or resigned."""
    points: str
    regions: tuple[int, ...]
    """By colour: the size of the largest region."""
    held: int | None
    """How many cards the seat holds, if that is shown."""


def plate(view: View, seat: Seat, area: Area, locale: Locale) -> tuple[Shape, ...]:
    """Draw the name plate of a seat: what the table waits for, cards in hand, regions, and at the end the points."""
    own, balor = seat == view.seat, view.solo and seat == BALOR
    state = "turn" if seat in view.asked else "resigned" if seat in view.resigned else ""
    score = view.scores[seat] if view.scores else view.balor_score if balor else None
    sizes = pile_regions(view.pile) if balor else view.sagas[seat].regions
    shown = Plate(
        seat,
        labels.teller_sign(view, seat),
        who(view, seat, locale),
        own,
        "" if own and area.width < ROOMY else state,
        str(score.total) if score else "",
        tuple([sizes[colour] for colour in COLOURS]),
        None if own or balor or view.over else view.held[seat],
    )
    return _plate_shapes(shown, area, locale)


@lru_cache(maxsize=1024)
def _plate_shapes(shown: Plate, area: Area, locale: Locale) -> tuple[Shape, ...]:
    return tuple(_draw_plate(shown, area, locale))


def _draw_plate(shown: Plate, area: Area, locale: Locale) -> Iterator[Shape]:
    x, y, width = area
    you, state = SAY[locale]["you"] if shown.own else "", shown.state
    right = x + width - 10
    yield Box(x, y, width, PLATE, "panel", "", 8)
    yield Group(x + 20, y + 14.4, pieces.teller_shapes(shown.seat, shown.sign, 0.74))
    if shown.points:
        yield Text(right, y + 20.5, shown.points, 18, "ink", "end", bold=True)
        right -= 13 * len(shown.points) + 12
    right -= REGION * len(COLOURS)
    yield from _regions(shown.regions, right, y, locale)
    right -= 8
    if shown.held is not None and (width > WHOLE or (width > ROOMY and not state)):
        words = SAY[locale]["held"].format(held=shown.held)
        yield Text(right, y + 19, words, 12.5, "faint", "end")
        right -= estimate_width(words, 12.5) + 8
    if state:
        words = labels.plate_word(state, locale)
        pill = estimate_width(words, 12) + 16
        right -= pill
        yield Box(right, y + 4.5, pill, 19, ACCENT if state == "turn" else "faint", "", 9.5)
        yield Text(right + pill / 2, y + 18.2, words, 12, ON_ACCENT if state == "turn" else "panel", "middle")
        right -= 8
    room = right - x - 38
    size = fit_size(shown.name + you, room, NAME_SIZES, bold=True)
    name = cut_words(shown.name, room - estimate_width(you, size, bold=True), size, bold=True) + you
    yield Text(x + 36, y + 19.5, name, size, "ink", bold=True)


def _regions(sizes: tuple[int, ...], x: float, y: float, locale: Locale) -> Iterator[Shape]:
    """Draw the sign of each colour with the size of its largest region."""
    for at, (colour, size) in enumerate(zip(COLOURS, sizes, strict=True)):
        label = f"{labels.plate_word('region', locale)} {letter(colour, locale)}{size}"
        yield Group(x + at * REGION, y + 5, _region_shapes(colour, size), "", label)


@lru_cache(maxsize=128)
def _region_shapes(colour: str, size: int) -> tuple[Shape, ...]:
    return (
        Box(0, 0, 18, 18, FACES[colour].fill, "", 4),
        sign(colour, 9, 9, 13, FACES[colour].ink),
        Text(21, 14, str(size), 13, "ink", bold=True),
    )


def saga(view: View, seat: Seat, area: Area, height: float, locale: Locale) -> tuple[tuple[Shape, ...], float]:
    """Draw the three rows of a Saga, each after its points so far. Return the shapes and the lower end."""
    own = seat == view.seat and not view.over
    return _saga_shapes(view.sagas[seat], own, view.geas, area, height, locale), area.y + len(ROWS) * (height + 5)


def saga_row(view: View, seat: Seat, row: int, area: Area, height: float, locale: Locale) -> tuple[Shape, ...]:
    """Draw the cards of one row of a Saga."""
    own = seat == view.seat and not view.over
    return _row_shapes(view.sagas[seat], row, own, area, height, locale)


@lru_cache(maxsize=1024)
def _saga_shapes(
    cards: Saga, own: bool, geas: tuple[str, ...], area: Area, height: float, locale: Locale
) -> tuple[Shape, ...]:
    shapes: list[Shape] = []
    before = 84.0 if area.width > WHOLE else 74.0
    for row, name in enumerate(ROWS):
        y = area.y + row * (height + 5)
        points = str(score_geas(geas[row], cards)) if geas else ""
        shapes.append(Box(area.x, y, before - 6, height, HOLLOW, "", 6))
        shapes += _row_words(localise(ROW_NAMES[name], locale), points, area.x + before / 2 - 3, y + height / 2, height)
        place = Area(area.x + before, y, area.width - before)
        shapes += _row_shapes(cards, row, own, place, height, locale)
    return tuple(shapes)


def _row_words(name: str, points: str, x: float, y: float, height: float) -> Iterator[Shape]:
    """Write the name of a row and its points, on two lines if there is room."""
    if height < TILE:
        yield Text(x, y + 4, f"{name} {points}".strip(), 10.5, ON_FELT, "middle", bold=True)
        return
    yield Text(x, y - 2, name, 13, ON_FELT, "middle")
    yield Text(x, y + 13, points, 14, ON_FELT, "middle", bold=True)


@lru_cache(maxsize=4096)
def _row_shapes(cards: Saga, row: int, own: bool, area: Area, height: float, locale: Locale) -> tuple[Shape, ...]:
    """Draw the cards of a row, and in the viewer's own row the place of the next card. Both can be touched."""
    step = area.width / _slots(cards, own=own)
    width = round(min(124.0, step - 4), 1)
    shapes: list[Shape] = []
    for slot, standing in enumerate(cards.standing[row]):
        if standing:
            label = (
                labels.place_label(cards, standing.place, locale) if own else labels.standing_label(standing, locale)
            )
            drawn = _saga_card(standing, width, height, locale)
            shapes.append(Group(area.x + slot * step, area.y, drawn, f"at:{standing.place}" if own else "", label))
    if own:
        slot, label = cards.slot(row), labels.row_label(cards, ROWS[row], locale)
        drawn = pieces.empty_shapes(width, height, str(slot + 1))
        shapes.append(Group(area.x + slot * step, area.y, drawn, f"row:{ROWS[row]}", label))
    return tuple(shapes)


def _slots(cards: Saga, *, own: bool) -> int:
    """Return how many places the longest row has; in the viewer's own Saga the next free place counts too."""
    longest = max(map(len, cards.rows))
    return max(MOST_PLAYED, longest, *(cards.slot(row) + 1 for row in range(len(ROWS)) if own))


def _saga_card(standing: Standing, width: float, height: float, locale: Locale) -> tuple[Shape, ...]:
    card = Card(standing.card, standing.colour, standing.value)
    if height < TILE:
        return pieces.tile_shapes(card, width, height, locale)
    return pieces.card_shapes(card, width, height, locale)


SCROLLS: PartCache[Group] = PartCache(1024)


@lru_cache(maxsize=4096)
def score_geas(slug: str, cards: Saga) -> int:
    """Return what a Geas scores for the cards of a Saga."""
    return GEAS[slug].score(cards)


def scroll(view: View, row: int, area: Area, lines: int, locale: Locale) -> Group:
    """Draw a Geas: its row and name, what it asks, and its points for the viewer and for Balor."""
    slug = view.geas[row]
    own = None if view.seat is None else score_geas(slug, view.sagas[view.seat])
    balor = view.balor_score.counts[row].points if view.balor_score else None

    def draw() -> Group:
        points = ([] if own is None else [str(own)]) + ([] if balor is None else [f"Balor {balor}"])
        name = f"{localise(ROW_NAMES[ROWS[row]], locale).capitalize()} – {geas_name(slug, locale)}"
        shapes = _scroll_shapes(name, geas_text(slug, locale), " · ".join(points), area.width, lines)
        return Group(area.x, area.y, shapes, "", labels.geas_label(view, row, view.seat, locale))

    return SCROLLS.find((slug, row, own, balor, area, lines, locale), draw)


GEAS_SIZES = (12.5, 11.5, 10.5)
"""How large the name on a scroll is, by its length."""


@lru_cache(maxsize=512)
def _scroll_shapes(name: str, text: str, points: str, width: float, lines: int) -> tuple[Shape, ...]:
    """Draw a scroll with this many lines of text. Points of several words go on its last line."""
    long = " " in points
    used, line = estimate_width(points, 12.5, bold=True) + 6, 28.5 + (lines - 1) * 12.5
    room = width - 28 - (0 if long else used)
    size = fit_size(name, room, GEAS_SIZES, bold=True)
    shapes: list[Shape] = [
        Group(0, 0, pieces.scroll_shapes(width, scroll_height(lines))),
        Text(14, 15.5, cut_words(name, room, size, bold=True), size, DARK, bold=True),
        Text(width - 14, line if long else 15.5, points, 12.5, ACCENT, "end", bold=True),
    ]
    for at, words in enumerate(break_words(text, width - 28, 10.5, lines - long)):
        shapes.append(Text(14, 28.5 + at * 12.5, words, 10.5, DARK))
    return tuple(shapes)


def scroll_height(lines: int) -> float:
    """Return the height of a scroll with this many lines of text."""
    return 24.0 + 12.5 * lines


def card_lines(
    cards: Iterable[str], kind: str, area: Area, size: tuple[float, float], locale: Locale
) -> tuple[list[Shape], float]:
    """Draw cards of a hand or a pile in lines, stacked by kind. Return the shapes and the lower end."""
    width, height = size
    across = max(1, int((area.width + 5) // (width + 5)))
    shapes: list[Shape] = []
    counted = Counter(cards)
    for at, (slug, count) in enumerate(counted.items()):
        x, y = area.x + at % across * (width + 5), area.y + at // across * (height + 7)
        shapes.append(_stack(slug, count, kind, x, y, size, locale))
    return shapes, area.y + -(-len(counted) // across) * (height + 7)


@lru_cache(maxsize=4096)
def _stack(slug: str, count: int, kind: str, x: float, y: float, size: tuple[float, float], locale: Locale) -> Group:
    """Draw cards of one kind on top of each other."""
    label = labels.card_label(slug, locale) + (f" ×{count}" if count > 1 else "")
    drawn = pieces.stack_shapes(pieces.printed_card(slug), count, *size, locale)
    return Group(x, y, drawn, f"{kind}:{slug}" if kind else "", label)

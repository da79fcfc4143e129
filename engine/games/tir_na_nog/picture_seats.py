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
from engine.games.tir_na_nog.rules.saga import MOST_PLAYED, ROWS, Saga
from engine.games.tir_na_nog.rules.score import pile_regions
from engine.games.tir_na_nog.rules.state import BALOR
from engine.games.tir_na_nog.texts import labels
from engine.games.tir_na_nog.texts.cards import geas_text
from engine.games.tir_na_nog.texts.names import ROW_NAMES, geas_name, letter
from engine.games.tir_na_nog.texts.phrases import SAY, who
from engine.games.tir_na_nog.view import View
from engine.lettering import ELLIPSIS, break_words, estimate_width, fit_rows, fit_size, wrap_words
from engine.phrases import localise
from engine.picture import Box, Group, PartCache, Shape, Text
from engine.signs import DARK, FACES, ON_FELT, sign
from engine.words import Locale, capitalise

PLATE = 28.0
ACCENT, ON_ACCENT = "#9a5418", "#ffffff"
REGION, SMALL_REGION = 36.0, 26.0
ROOMY = 370.0
"""A plate of at most this width has less room."""
LEAST_PLATE = 106.0
"""The room for letter and name that a plate keeps free of its player's state."""
WHOLE = 440.0
"""A wider plate shows the number of cards held."""
LOW = 50.0
"""Cards and scrolls below this height have less room for words."""
SLIM, TALL = 56.0, 70.0
"""A card below this width has no room for its name, unless it is tall enough."""
TILE_HEIGHT = 17.0
"""Height of a card that shows value and sign alone."""


class Area(NamedTuple):
    """Place of a part: its left edge, its top and its width."""

    x: float
    y: float
    width: float


NAME_SIZES = (15, 13, 11.5)
"""Size of a player's name, by its length."""


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
    """Number of cards that the seat holds, if it is shown."""


def plate(view: View, seat: Seat, area: Area, locale: Locale) -> tuple[Shape, ...]:
    """Draw the name plate of a seat: the awaited action, cards in hand, regions, and at the end the points."""
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
    step = REGION if width > ROOMY else SMALL_REGION
    right -= step * len(COLOURS)
    yield from _regions(shown.regions, right, y, step, locale)
    right -= 8
    if shown.held is not None and (width > WHOLE or (width > ROOMY and not state)):
        words = SAY[locale]["held"].format(held=shown.held)
        yield Text(right, y + 19, words, 12.5, "faint", "end")
        right -= estimate_width(words, 12.5) + 8
    words = labels.plate_word(state, locale) if state else ""
    pill = estimate_width(words, 12) + 16
    if words and right - pill - x >= LEAST_PLATE:
        right -= pill
        yield Box(right, y + 4.5, pill, 19, ACCENT if state == "turn" else "faint", "", 9.5)
        yield Text(right + pill / 2, y + 18.2, words, 12, ON_ACCENT if state == "turn" else "panel", "middle")
        right -= 8
    room = right - x - 38
    size = fit_size(shown.name + you, room, NAME_SIZES)
    if estimate_width(shown.name + you, size) <= room:
        yield Text(x + 36, y + 19.5, shown.name + you, size, "ink", bold=True)
        return
    lines, size = fit_rows(shown.name, room, 23, (11, 10))
    for place, line in enumerate(lines):
        yield Text(x + 36, y + 19 - 5.5 * (len(lines) - 1) + place * 11, line, size, "ink", bold=True)
    first = shown.name.split(" ")[0]
    if not lines and estimate_width(first, 10) <= room:
        yield Text(x + 36, y + 19, first, fit_size(first, room, (12, 11, 10)), "ink", bold=True)


def _regions(sizes: tuple[int, ...], x: float, y: float, step: float, locale: Locale) -> Iterator[Shape]:
    """Draw the sign of each colour with the size of its largest region."""
    for at, (colour, size) in enumerate(zip(COLOURS, sizes, strict=True)):
        label = f"{labels.plate_word('region', locale)} {letter(colour, locale)}{size}"
        yield Group(x + at * step, y + 5, _region_shapes(colour, size, step), "", label)


@lru_cache(maxsize=128)
def _region_shapes(colour: str, size: int, step: float) -> tuple[Shape, ...]:
    side = step / 2
    return (
        Box(0, 9 - side / 2, side, side, FACES[colour].fill, "", 4),
        sign(colour, side / 2, 9, side * 0.72, FACES[colour].ink),
        Text(side + 2, 13.6, str(size), 13 if step == REGION else 12, "ink", bold=True),
    )


def saga_in_brief(view: View, seat: Seat, area: Area, locale: Locale) -> tuple[Shape, ...]:
    """Draw the three rows of a Saga as lines of tiles, each after its points so far."""
    return _brief_shapes(view.sagas[seat], view.geas, area, locale)


def saga_row(view: View, seat: Seat, row: int, area: Area, height: float, locale: Locale) -> tuple[Shape, ...]:
    """Draw the cards of one row of a Saga."""
    own = seat == view.seat and not view.over
    return _row_shapes(view.sagas[seat], row, own, area, height, locale)


@lru_cache(maxsize=1024)
def _brief_shapes(cards: Saga, geas: tuple[str, ...], area: Area, locale: Locale) -> tuple[Shape, ...]:
    shapes: list[Shape] = []
    step = min(44.0, (area.width - 62) / _slots(cards, own=False))
    for row, name in enumerate(ROWS):
        y = area.y + row * (TILE_HEIGHT + 2)
        points = f" {score_geas(geas[row], cards)}" if geas else ""
        words = f"{localise(ROW_NAMES[name], locale)}{points}"
        shapes.append(Text(area.x + 2, y + 13, words, fit_size(words, 58, (11, 10)), ON_FELT, bold=bool(points)))
        for slot, standing in enumerate(cards.standing[row]):
            if standing:
                card = Card(standing.card, standing.colour, standing.value)
                drawn = pieces.tile_shapes(card, round(step - 2, 1), TILE_HEIGHT)
                label = labels.standing_label(standing, locale)
                shapes.append(Group(area.x + 62 + slot * step, y, drawn, "", label))
    return tuple(shapes)


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
            card = Card(standing.card, standing.colour, standing.value)
            low = height < LOW or (width < SLIM and height < TALL)
            drawn = pieces.tile_shapes(card, width, height) if low else pieces.card_shapes(card, width, height, locale)
            shapes.append(Group(area.x + slot * step, area.y, drawn, f"at:{standing.place}" if own else "", label))
    if own:
        slot, label = cards.slot(row), labels.row_label(cards, ROWS[row], locale)
        drawn = pieces.empty_shapes(width, height, str(slot + 1))
        shapes.append(Group(area.x + slot * step, area.y, drawn, f"row:{ROWS[row]}", label))
    return tuple(shapes)


def _slots(cards: Saga, *, own: bool) -> int:
    """Return the number of places in the longest row. In the viewer's own Saga the next free place counts too."""
    longest = max(map(len, cards.rows))
    return max(MOST_PLAYED, longest, *(cards.slot(row) + 1 for row in range(len(ROWS)) if own))


SCROLLS: PartCache[Group] = PartCache(1024)


@lru_cache(maxsize=4096)
def score_geas(slug: str, cards: Saga) -> int:
    """Return the score of a Geas for the cards of a Saga."""
    return GEAS[slug].score(cards)


def scroll(view: View, row: int, area: Area, height: float, locale: Locale) -> Group:
    """Draw a Geas: its name, its demand if there is room, and its points for the viewer and for Balor."""
    slug = view.geas[row]
    own = None if view.seat is None else score_geas(slug, view.sagas[view.seat])
    balor = view.balor_score.counts[row].points if view.balor_score else None

    def draw() -> Group:
        points = ([] if own is None else [str(own)]) + ([] if balor is None else [f"Balor {balor}"])
        row_name, words = localise(ROW_NAMES[ROWS[row]], locale), (geas_name(slug, locale), geas_text(slug, locale))
        shapes = _scroll_shapes(words, row_name, " · ".join(points), area.width, height)
        return Group(area.x, area.y, shapes, "", labels.geas_label(view, row, view.seat, locale))

    return SCROLLS.find((slug, row, own, balor, area, height, locale), draw)


GEAS_LINE = 12.5


def _place_points(name: str, room: float, used: float, most: int) -> tuple[float, tuple[str, ...], int]:
    """Return size and lines of a name, and the line that has room for the points; no lines if nothing fits."""
    broken = " ".join(wrap_words(name, room, 10, softly=True))
    for size, words in ((12, name), (11, name), (10, name), (10, broken)):
        names = break_words(words, room, size, most)
        if any(line.endswith(ELLIPSIS) for line in names):
            continue
        for at in (0, len(names) - 1):
            if estimate_width(names[at], size) + used <= room:
                return size, names, at
    return 10, (), 0


@lru_cache(maxsize=512)
def _scroll_shapes(words: tuple[str, str], row: str, points: str, width: float, height: float) -> tuple[Shape, ...]:
    """Draw a scroll.

    If the text does not fit whole, three dots replace it, and the name of the row replaces a long name; a touch shows
    both.
    """
    (name, text), room, used = words, width - 20, estimate_width(points, 12.5) + 6
    below = used > room / 3
    size, names, at = _place_points(name, room, 0 if below else used, min(3, int((height - 4) // 10) - below))
    if not names:
        size, names, at = 12, (capitalise(row),), 0
    step = min(size + 1.0, (height - 14) / max(1, len(names) - 1 + below))
    first = 14.0 if len(names) * step < height - 14 else 10.5
    shapes: list[Shape] = [Group(0, 0, pieces.scroll_shapes(width, height))]
    shapes += [Text(12, first + place * step, line, size, DARK, bold=True) for place, line in enumerate(names)]
    line = height - 5 if below else first + at * step
    shapes.append(Text(width - 10, line, points, 12.5, ACCENT, "end", bold=True))
    top = first + len(names) * step
    lines = int((height - top - (13 if below else 0)) // GEAS_LINE) + 1
    broken = break_words(text, room, 11, lines) if lines > 0 else ()
    if broken and not broken[-1].endswith(ELLIPSIS):
        shapes += [Text(12, top + place * GEAS_LINE, part, 11, DARK) for place, part in enumerate(broken)]
    elif top <= height - 3 - (12 if below else 0):
        shapes.append(pieces.three_dots(12, height - 6, DARK))
    return tuple(shapes)


def card_line(
    cards: Iterable[str], kind: str, area: Area, size: tuple[float, float], locale: Locale
) -> Iterator[Shape]:
    """Draw cards of a hand or a pile in one line, stacked by kind, and narrower if there are many."""
    counted = Counter(cards)
    step = min(size[0] + 6, (area.width + 6) / max(1, len(counted)))
    for place, (slug, count) in enumerate(counted.items()):
        yield _stack(slug, count, kind, area.x + place * step, area.y, (round(step - 6, 1), size[1]), locale)


def tile_lines(
    cards: Iterable[str], kind: str, area: Area, size: tuple[float, float], locale: Locale
) -> Iterator[Shape]:
    """Draw cards as tiles with value and sign in lines, stacked by kind."""
    across = int((area.width + 1) // size[0])
    for place, (slug, count) in enumerate(Counter(cards).items()):
        drawn = pieces.tile_shapes(pieces.printed_card(slug), size[0] - 2, size[1] - 1)
        label = labels.card_label(slug, locale) + (f" ×{count}" if count > 1 else "")
        x, y = area.x + place % across * size[0], area.y + place // across * (size[1] + 1)
        yield Group(x, y, drawn, f"{kind}:{slug}", label)


@lru_cache(maxsize=4096)
def _stack(slug: str, count: int, kind: str, x: float, y: float, size: tuple[float, float], locale: Locale) -> Group:
    """Draw cards of one kind on top of each other."""
    label = labels.card_label(slug, locale) + (f" ×{count}" if count > 1 else "")
    drawn = pieces.stack_shapes(pieces.printed_card(slug), count, *size, locale)
    return Group(x, y, drawn, f"{kind}:{slug}" if kind else "", label)

"""Draw a bracket as SVG: a box for each table, a column for each round, lines to where winners go."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from markupsafe import Markup

from engine.words import Locale
from service.i18n.catalogue import translate
from service.tournaments.views.bracket_view import LOSERS, Bracket, BracketColumn, BracketSeatShown, BracketTable

COLUMN, SPACE, EDGE = 196, 40, 1
"""Width of a box, gap between two columns, and margin for the strokes at the edges."""
ROW, HEAD, BETWEEN = 26, 30, 18
"""Height of a seat in a box, of a column heading, and of the gap between two boxes."""
BASELINE = 17
INSET = 10
NAME_CELLS = 19
"""Number of letters of a name that fit into a box; the text below the picture has the whole name."""
ELLIPSIS = "…"


@dataclass(frozen=True, slots=True)
class Box:
    """Position of a table in the picture."""

    x: float
    y: float
    height: float
    table: BracketTable | None

    @property
    def middle(self) -> float:
        """Height at which lines start and end."""
        return self.y + self.height / 2


def draw_bracket(bracket: Bracket, locale: Locale) -> Markup:
    """Return the picture. The text below describes it, so its label only says what it is."""
    seats = max((len(table.seats) for column in bracket.columns for table in column.tables if table), default=2)
    columns = _place_tree(bracket, seats) if bracket.is_tree else _place_stacks(bracket, seats)
    width = len(columns) * (COLUMN + SPACE) - SPACE + 2 * EDGE
    height = max(box.y + box.height for boxes in columns for box in boxes) + EDGE
    title = translate(locale, "tournament_page.bracket_of", stage=bracket.stage)
    parts = [_draw_heading(column, at, locale) for at, column in enumerate(bracket.columns)]
    if bracket.is_tree:
        parts += [_draw_line(*pair) for one, two in itertools.pairwise(columns) for pair in _follow(one, two)]
    parts += [_draw_box(box, locale) for boxes in columns for box in boxes]
    return Markup(
        '<svg class="bracket" role="img" aria-label="{}" viewBox="0 0 {:g} {:g}" width="{:g}" height="{:g}">{}</svg>'
    ).format(title, width, height, width, height, Markup().join(parts))


def _column_x(at: int) -> float:
    return EDGE + at * (COLUMN + SPACE)


def _place_tree(bracket: Bracket, seats: int) -> list[list[Box]]:
    """Place each table between the two tables its players come from."""
    height, found = seats * ROW, list[list[Box]]()
    for at, column in enumerate(bracket.columns):
        step = (height + BETWEEN) * 2**at
        top = HEAD + (step - height - BETWEEN) / 2
        found.append([Box(_column_x(at), top + step * n, height, table) for n, table in enumerate(column.tables)])
    return found


def _place_stacks(bracket: Bracket, seats: int) -> list[list[Box]]:
    """Stack the tables of a round, those of the losers' bracket below those of the winners'."""
    step = seats * ROW + BETWEEN
    upper = max(sum(table is not None and table.part != LOSERS for table in each.tables) for each in bracket.columns)
    found = []
    for at, column in enumerate(bracket.columns):
        boxes, rows = [], {False: 0, True: upper}
        for table in column.tables:
            low = table is not None and table.part == LOSERS
            room = HEAD + step * rows[low] + (BETWEEN if low else 0)
            boxes.append(Box(_column_x(at), room, ROW * (len(table.seats) if table else seats), table))
            rows[low] += 1
        found.append(boxes)
    return found


def _follow(one: Sequence[Box], two: Sequence[Box]) -> list[tuple[Box, Box]]:
    return [(box, two[at // 2]) for at, box in enumerate(one) if at // 2 < len(two)]


def _draw_heading(column: BracketColumn, at: int, locale: Locale) -> Markup:
    words = translate(locale, "tournament_page.round", number=column.round)
    return Markup('<text class="head" x="{:g}" y="{:g}">{}</text>').format(_column_x(at), BASELINE, words)


def _draw_line(one: Box, two: Box) -> Markup:
    x, bend = one.x + COLUMN, one.x + COLUMN + SPACE / 2
    return Markup('<path d="M{:g} {:g}H{:g}V{:g}H{:g}"/>').format(x, one.middle, bend, two.middle, two.x)


def _draw_box(box: Box, locale: Locale) -> Markup:
    table = box.table
    kind = "empty" if table is None else "low" if table.part == LOSERS else ""
    parts = [
        Markup('<rect class="{}" x="{:g}" y="{:g}" width="{:g}" height="{:g}" rx="5"/>').format(
            kind, box.x, box.y, COLUMN, box.height
        )
    ]
    if table is None:
        return parts[0]
    if table.is_bye:
        parts.append(_draw_text(box, 1, translate(locale, "tournament_page.bye"), "soft"))
    for row, seat in enumerate(table.seats):
        parts.append(_draw_seat(box, row, seat, is_over=table.is_over))
    return Markup().join(parts)


def _draw_seat(box: Box, row: int, seat: BracketSeatShown, *, is_over: bool) -> Markup:
    kind = "on" if seat.goes_on else "out" if is_over else ""
    name = _draw_text(box, row, shorten_name(seat.name), kind)
    if seat.score is None:
        return name
    score = str(seat.score).replace("-", "−")
    return name + Markup('<text class="{} score" x="{:g}" y="{:g}">{}</text>').format(
        kind, box.x + COLUMN - INSET, box.y + row * ROW + BASELINE, score
    )


def _draw_text(box: Box, row: int, words: str, kind: str) -> Markup:
    return Markup('<text class="{}" x="{:g}" y="{:g}">{}</text>').format(
        kind, box.x + INSET, box.y + row * ROW + BASELINE, words
    )


def shorten_name(name: str, cells: int = NAME_CELLS) -> str:
    """Shorten a name to fit into a box; letters of some scripts are twice as wide."""
    room, kept = cells, ""
    for letter in name:
        room -= 2 if east_asian_width(letter) in "WF" else 1
        if room < 0:
            return f"{kept[:-1].rstrip()}{ELLIPSIS}"
        kept += letter
    return kept

"""Sagas and score columns as lines of text."""

from __future__ import annotations

from itertools import zip_longest

from engine.game import Score, Seat
from engine.games.tir_na_nog.canvas import cut
from engine.games.tir_na_nog.cards import COLOURS
from engine.games.tir_na_nog.geas import GEAS
from engine.games.tir_na_nog.names import ROW_NAMES, card_name, letter, pick_of
from engine.games.tir_na_nog.saga import MOST_PLAYED, ROWS, Standing
from engine.games.tir_na_nog.view import View
from engine.games.tir_na_nog.words import WORDS
from engine.words import Locale

WIDTH = 100
LABEL = 12
SCORE_COLUMN = 14


def sign(colour: str, value: int, locale: Locale) -> str:
    """Colour and value in the shortest way: R7."""
    return f"{letter(colour, locale)}{value}"


def worth(standing: Standing, locale: Locale) -> str:
    """What a card counts as now, and in brackets what is printed on it where that differs."""
    now = sign(standing.colour, standing.value, locale)
    printed = sign(standing.printed_colour, standing.printed_value, locale)
    return now if now == printed else f"{now} ({printed})"


def saga_lines(view: View, seat: Seat, locale: Locale) -> list[str]:
    """The Saga of a seat: each row with its points so far, each card with its name above what it counts as."""
    rows = view.standing(seat)
    slots = max(MOST_PLAYED, *map(len, rows))
    width = (WIDTH - LABEL) // slots
    lines: list[str] = []
    for at, row in enumerate(rows):
        points = str(GEAS[view.geas[at]].score(view.sagas[seat])) if view.geas else ""
        label = f"  {pick_of(ROW_NAMES[ROWS[at]], locale):<6} {points:>2}"
        cells = [_cell(standing, width - 1, locale) for standing in row]
        cells += [("-", "")] * (slots - len(cells))
        lines.append((label.ljust(LABEL) + "".join(name.ljust(width) for name, _ in cells)).rstrip())
        below = (" " * LABEL + "".join(what.ljust(width) for _, what in cells)).rstrip()
        lines += [below] if below else []
    return lines


def _cell(standing: Standing | None, width: int, locale: Locale) -> tuple[str, str]:
    if standing is None:
        return {"en": "(hole)", "fr": "(trou)"}[locale], ""
    return cut(card_name(standing.card, locale), width), worth(standing, locale)


def region_sizes(sizes: dict[str, int], locale: Locale) -> str:
    """The largest regions by colour: B2 G4 R0 Y3."""
    return " ".join(sign(colour, sizes[colour], locale) for colour in COLOURS)


def score_lines(names: list[str], scores: tuple[Score, ...], locale: Locale) -> list[str]:
    """The score sheet: a column for each seat."""
    labels = list(dict.fromkeys(count.label for score in scores for count in score.counts))
    named = {label: _label(label, locale) for label in (*labels, "total")}
    width = max(map(len, named.values())) + 2
    column = min(SCORE_COLUMN, (WIDTH - width - 2) // len(scores))
    head = " " * (width + 2) + "".join(cut(name, column - 1).rjust(column) for name in names)
    rows = [head]
    for label in labels:
        points = [next((count.points for count in score.counts if count.label == label), None) for score in scores]
        cells = "".join(("-" if point is None else str(point)).rjust(column) for point in points)
        rows.append(f"  {named[label].ljust(width)}{cells}")
    totals = "".join(str(score.total).rjust(column) for score in scores)
    return [*rows, f"  {named['total'].ljust(width)}{totals}"]


def _label(label: str, locale: Locale) -> str:
    name = WORDS.name(label, locale)
    if label in COLOURS:
        return {"en": f"Regions, {name}", "fr": f"Régions, {name}"}[locale]
    return name


def in_columns(items: list[str], width: int) -> list[str]:
    """Short texts in two columns, read down line by line."""
    half = width // 2
    pairs = zip_longest(items[::2], items[1::2], fillvalue="")
    if any(len(item) >= half for item in items):
        return items
    return [(left.ljust(half) + right).rstrip() for left, right in pairs]

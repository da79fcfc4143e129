"""Estimates of a Saga: its points so far, and the prospects of its open places under its Geas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache, partial
from math import exp

from engine.games.tir_na_nog.rules.cards import CARDS, COLOURS, DECK
from engine.games.tir_na_nog.rules.geas import GEAS, LOWEST_POINTS, PAIR_POINTS
from engine.games.tir_na_nog.rules.saga import MOST_PLAYED, ROWS, Saga
from engine.games.tir_na_nog.rules.score import LEAST_REGION, single_points
from engine.games.tir_na_nog.rules.state import ROUNDS, STORYTELLERS
from engine.sums import add_up

WHOLE = ROUNDS * STORYTELLERS
SHARES: tuple[tuple[int, float], ...] = tuple(
    (value, count / len(DECK)) for value, count in sorted(Counter(CARDS[card].value for card in DECK).items())
)
CHOICES = 4
"""Rule of thumb: a seat chooses among this many cards for a place."""
MATCH = 0.72
"""Probability that a wanted colour is available."""
MIDDLING = 5.0
GOOD = 6.3
FREE = 99
EMPTY = -1
TOP, MIDDLE, BOTTOM = range(len(ROWS))

Promise = Callable[[int, int], float]


def best_of(worth: Callable[[int], float]) -> float:
    """Return the average worth of the best of some random cards."""
    ranked = sorted((worth(value), share) for value, share in SHARES)
    total = below = 0.0
    for points, share in ranked:
        upto = below + share
        total += points * (upto**CHOICES - below**CHOICES)
        below = upto
    return total


def points_to_come(gain: Callable[[int, int], int]) -> Promise:
    """Return an estimate for rows in which a card scores by its value and that of the card on its left."""

    @lru_cache(maxsize=1 << 12)
    def points(last: int, left: int) -> float:
        return best_of(lambda value: gain(value, last) + points(value, left - 1)) if left else 0.0

    return points


rising_points = points_to_come(lambda value, last: value if value > last else 0)
falling_points = points_to_come(lambda value, last: value if value < last else 0)
pair_points = points_to_come(lambda value, last: PAIR_POINTS * (last != EMPTY and abs(value - last) <= 1))


@lru_cache(maxsize=1 << 12)
def never_up(last: int, left: int) -> float:
    """Estimate the points to come in a row that may not rise and scores its total."""
    if not left:
        return 0.0
    return best_of(lambda value: value + never_up(value, left - 1) if value <= last else never_up(last, left - 1))


@lru_cache(maxsize=1 << 12)
def peak_points(last: int, up: bool, left: int) -> float:
    """Estimate the points to come in a row of peaks, those of the last card included."""
    now = last if up else 0
    if not left:
        return float(now)
    return best_of(lambda value: (now if value < last else 0) + peak_points(value, value > last, left - 1))


@lru_cache(maxsize=1 << 14)
def equal_points(values: tuple[int, ...], left: int) -> float:
    """Estimate the points to come in a row that wants equal values."""
    if not left:
        return 0.0

    def worth(value: int) -> float:
        had = values.count(value)
        return 2 * had + 2 * (had > 0) + equal_points(tuple(sorted((*values, value))), left - 1)

    return best_of(worth)


@lru_cache(maxsize=1 << 10)
def one_colour(best: int, run: int, left: int) -> float:
    """Estimate the score of the longest run of one colour."""
    if not left:
        return float(best * best) if best > 1 else 0.0
    longer = one_colour(max(best, run + 1), run + 1, left - 1)
    return MATCH * longer + (1 - MATCH) * one_colour(max(best, 1), 1, left - 1)


@lru_cache(maxsize=1 << 16)
def column(top: int, middle: int, bottom: int, wanted: tuple[bool, bool, bool]) -> float:
    """Estimate the score of a column if its highest, second or lowest card counts."""
    cells = (top, middle, bottom)
    if EMPTY not in cells:
        return _column(cells, wanted)
    gaps = [at for at, value in enumerate(cells) if value == EMPTY]
    return max(best_of(partial(_fill_cell, cells, at, wanted)) for at in gaps)


def _fill_cell(cells: tuple[int, ...], at: int, wanted: tuple[bool, bool, bool], value: int) -> float:
    filled = (*cells[:at], value, *cells[at + 1 :])
    return column(filled[TOP], filled[MIDDLE], filled[BOTTOM], wanted)


def _column(cells: tuple[int, ...], wanted: tuple[bool, bool, bool]) -> float:
    top, middle, bottom = cells
    points = 0
    if wanted[TOP] and top > max(middle, bottom):
        points += top
    if wanted[MIDDLE] and len({other for other in (top, bottom) if other > middle}) == 1:
        points += middle
    if wanted[BOTTOM] and bottom < min(top, middle):
        points += LOWEST_POINTS
    return float(points)


COLUMNS = ("benandonner", "knockgrafton", "fergus")
SEQUENCES: dict[str, tuple[Promise, int]] = {
    "oisin": (rising_points, EMPTY),
    "fionn": (falling_points, EMPTY),
    "deirdre": (never_up, FREE),
    "owney": (pair_points, EMPTY),
}
"""Rows whose promise depends only on their last card, and the stand-in for no card."""


@lru_cache(maxsize=1 << 15)
def hope(saga: Saga, geas: tuple[str, ...], rivals: tuple[tuple[int, ...], ...], prizes: tuple[int, ...]) -> float:
    """Estimate the points of a Saga at the end.

    `rivals` are the other seats' largest regions by colour, `prizes` the awards for regions of one colour.
    """
    points = add_up(_row(saga, slug) for slug in geas if slug not in COLUMNS)
    wanted = (geas[TOP] in COLUMNS, geas[MIDDLE] in COLUMNS, geas[BOTTOM] in COLUMNS)
    if any(wanted):
        points += add_up(_slot(saga, slot, wanted) for slot in range(max(MOST_PLAYED, *map(len, saga.rows))))
    left = max(0, WHOLE - len(saga.cards))
    sizes = saga.regions
    points += add_up(_region(sizes[colour], rivals[at], prizes, left) for at, colour in enumerate(COLOURS))
    return points + single_points(saga)


def _slot(saga: Saga, slot: int, wanted: tuple[bool, bool, bool]) -> float:
    cells = [row[slot] if slot < len(row) else EMPTY for row in saga.values]
    if slot < MOST_PLAYED:
        return column(cells[TOP], cells[MIDDLE], cells[BOTTOM], wanted)
    return float(cells[TOP] if wanted[TOP] and cells[TOP] > max(cells[MIDDLE:]) else 0)


def _row(saga: Saga, slug: str) -> float:
    """Return the points of a row, counted and estimated."""
    at = ROWS.index(GEAS[slug].row)
    values = saga.values[at]
    left = max(0, MOST_PLAYED - len(values) + values.count(EMPTY))
    last = values[-1] if values else EMPTY
    if slug in SEQUENCES:
        promise, start = SEQUENCES[slug]
        return GEAS[slug].score(saga) + promise(last if values else start, left)
    if slug == "etain":
        up = bool(values) and (not values[:-1] or values[-2] < last)
        return GEAS[slug].score(saga) - (last if up else 0) + peak_points(last, up, left)
    if slug == "cathbad":
        return GEAS[slug].score(saga) + equal_points(tuple(sorted(value for value in values if value >= 0)), left)
    return {"diarmuid": _diarmuid, "lir": _lir, "gollerus": _gollerus}[slug](saga, left)


def _diarmuid(saga: Saga, left: int) -> float:
    colours, values = saga.colours[TOP], saga.values[TOP]
    run, total = 0, 0
    while run < len(values) and values[-1 - run] >= 0 and colours[-1 - run] not in colours[len(colours) - run :]:
        total += values[-1 - run]
        run += 1
    more = min(len(COLOURS) - run, left)
    return max(GEAS["diarmuid"].score(saga), total + GOOD * more, GOOD * min(len(COLOURS), left))


def _lir(saga: Saga, left: int) -> float:
    colours = saga.colours[BOTTOM]
    run = 0
    while run < len(colours) and colours[-1 - run] == colours[-1]:
        run += 1
    best = round(GEAS["lir"].score(saga) ** 0.5)
    return one_colour(max(best, run), run, left)


def _gollerus(saga: Saga, left: int) -> float:
    total = 0.0
    for slot in range(max(MOST_PLAYED, len(saga.rows[MIDDLE]))):
        own = saga.colours[MIDDLE][slot] if slot < len(saga.rows[MIDDLE]) else ""
        around = {saga.colours[row][slot] if slot < len(saga.rows[row]) else "" for row in (TOP, BOTTOM)}
        gaps = sum(slot >= len(saga.rows[row]) for row in (TOP, BOTTOM))
        if own:
            chance = 1.0 if own in around else 1 - (1 - MATCH / 2) ** gaps
            total += saga.values[MIDDLE][slot] * chance
        elif left:
            total += MIDDLING * (MATCH if around - {""} else MATCH * 0.8)
    return total


@lru_cache(maxsize=1 << 14)
def _region(size: int, rivals: tuple[int, ...], prizes: tuple[int, ...], left: int) -> float:
    """Estimate the gain of a region: the awards by the rank it can expect, less while it is a single card."""
    if size < LEAST_REGION and not left:
        return 0.0
    slope = 1.1 / (0.35 + 0.12 * left)
    rank = add_up(1 / (1 + exp(min(30.0, (size - other) * slope))) for other in rivals)
    ranked, low = (*prizes, 0, 0, 0, 0), int(rank)
    points = ranked[low] + (ranked[low + 1] - ranked[low]) * (rank - low)
    return points if size >= LEAST_REGION else points * (0.45 + 0.25 * size)

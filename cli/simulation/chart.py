"""The chart of a simulation: scores, win rates with their intervals, and lengths."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10

from cli.simulation.statistics import Spread
from engine.picture import Box, Line, Shape, Text

WIDTH = 880.0
EDGE = 24.0
PLOT_LEFT = 190.0
PLOT_RIGHT = 690.0
ROW_HEIGHT = 46.0
RATE_HEIGHT = 30.0
PANEL_GAP = 30.0
MOST_BARS = 40
MOST_TICKS = 8
PAPER, INK, FAINT, RULE, LIGHT = "#f6f1e4", "#2b2620", "#7a7160", "#d8cfb8", "#fffdf6"
FILLS = ("#2f6db3", "#b8402a", "#1f7a4d", "#c8901a", "#7a3b69")
NICE_STEPS = (1, 2, 5, 10)


@dataclass(frozen=True)
class Distribution:
    """The values of one seat, or of one kind of match."""

    label: str
    values: tuple[float, ...]
    fill: int = 0


@dataclass(frozen=True)
class Rate:
    """A share of wins with its 95 % interval."""

    label: str
    share: float
    low: float
    high: float
    fill: int = 0


@dataclass(frozen=True)
class ChartWords:
    """The headings, in the language of the call."""

    title: str
    about: str
    scores: str
    rates: str
    lengths: str


@dataclass(frozen=True)
class Chart:
    """The contents of a chart."""

    words: ChartWords
    scores: tuple[Distribution, ...]
    rates: tuple[Rate, ...]
    lengths: tuple[Distribution, ...]


def draw_chart(chart: Chart) -> tuple[Shape, ...]:
    """Draw the three panels one below the other, each with its axis."""
    shapes: list[Shape] = [
        Text(EDGE, 38, chart.words.title, 22, INK, bold=True),
        Text(EDGE, 60, chart.words.about, 13, FAINT),
    ]
    y = 78.0
    for heading, rows in ((chart.words.scores, chart.scores), (chart.words.lengths, chart.lengths)):
        if heading == chart.words.lengths:
            more, y = _rate_panel(chart.words.rates, chart.rates, y)
            shapes += more
        more, y = _spread_panel(heading, rows, y)
        shapes += more
    return (Box(0, 0, WIDTH, y, PAPER), *shapes)


def describe_chart(chart: Chart) -> str:
    """Return the figures in words, for people who cannot see the picture."""
    lines = [chart.words.scores]
    lines += [f"{row.label}: {_spread_words(row)}" for row in chart.scores]
    lines += [chart.words.rates, *(f"{row.label}: {_rate_words(row)}" for row in chart.rates), chart.words.lengths]
    lines += [f"{row.label}: {_spread_words(row)}" for row in chart.lengths]
    return "\n".join(lines)


def _spread_words(row: Distribution) -> str:
    spread = Spread.of(row.values)
    return f"{spread.mean:.2f} ± {spread.deviation:.2f}"


def _rate_words(row: Rate) -> str:
    return f"{100 * row.share:.1f} %  ({100 * row.low:.1f} – {100 * row.high:.1f})"


def _panel(heading: str, y: float, height: float) -> list[Shape]:
    return [
        Text(EDGE, y + 18, heading, 15, INK, bold=True),
        Box(PLOT_LEFT, y + 28, PLOT_RIGHT - PLOT_LEFT, height, LIGHT, RULE, 4),
    ]


def _spread_panel(heading: str, rows: Sequence[Distribution], y: float) -> tuple[list[Shape], float]:
    """Draw a histogram for each row over one axis, each with its mean and standard deviation."""
    every = [value for row in rows for value in row.values]
    step = _bar_width(min(every), max(every))
    low = floor(min(every) / step) * step
    bars = floor((max(every) - low) / step) + 1
    scale = (PLOT_RIGHT - PLOT_LEFT - 16) / (bars * step)
    place = Axis(low, scale, 0.5)
    height = ROW_HEIGHT * len(rows)
    shapes = [*_panel(heading, y, height), *_ticks(place, low, low + bars * step - 1, y + 28, height)]
    for at, row in enumerate(rows):
        shapes += _histogram(row, place, step, y + 28 + at * ROW_HEIGHT)
    return shapes, y + 28 + height + 20 + PANEL_GAP


@dataclass(frozen=True)
class Axis:
    """The horizontal axis of a panel."""

    low: float
    scale: float
    half: float = 0
    """Half a unit if values are whole numbers, each filling the space up to the next with its mark in the middle."""

    def start(self, value: float) -> float:
        """Return where the space of a value begins."""
        return PLOT_LEFT + 8 + (value - self.low) * self.scale

    def at(self, value: float) -> float:
        """Return the middle of the space of a value."""
        return self.start(value + self.half)


def _histogram(row: Distribution, axis: Axis, step: float, top: float) -> list[Shape]:
    counts: dict[int, int] = {}
    for value in row.values:
        bar = floor((value - axis.low) / step)
        counts[bar] = counts.get(bar, 0) + 1
    most, fill, base = max(counts.values()), FILLS[row.fill % len(FILLS)], top + ROW_HEIGHT - 10
    shapes: list[Shape] = [Text(PLOT_LEFT - 10, top + 28, row.label, 13, INK, "end")]
    for bar, count in sorted(counts.items()):
        high = max((ROW_HEIGHT - 16) * count / most, 1)
        left = axis.start(axis.low + bar * step)
        shapes.append(Box(left, base - high, max(step * axis.scale - 1, 1), high, f"{fill}b0"))
    spread = Spread.of(row.values)
    left, right = (
        min(max(axis.at(spread.mean + side), PLOT_LEFT + 2), PLOT_RIGHT - 2)
        for side in (-spread.deviation, spread.deviation)
    )
    middle = axis.at(spread.mean)
    shapes += [
        Line(((left, base + 4), (right, base + 4)), INK, 2),
        Line(((middle, top + 4), (middle, base + 7)), INK, 2),
        Text(PLOT_RIGHT + 14, top + 28, _spread_words(row), 13, INK),
    ]
    return shapes


def _rate_panel(heading: str, rows: Sequence[Rate], y: float) -> tuple[list[Shape], float]:
    """Draw a bar for each share, with a line over its interval."""
    height = RATE_HEIGHT * len(rows)
    axis = Axis(0, (PLOT_RIGHT - PLOT_LEFT - 16) / 100)
    shapes = [*_panel(heading, y, height), *_ticks(axis, 0, 100, y + 28, height, " %")]
    for at, row in enumerate(rows):
        top = y + 28 + at * RATE_HEIGHT
        middle = top + RATE_HEIGHT / 2
        shapes += [
            Text(PLOT_LEFT - 10, middle + 5, row.label, 13, INK, "end"),
            Box(axis.at(0), top + 7, max(100 * row.share * axis.scale, 1), 16, f"{FILLS[row.fill % len(FILLS)]}b0"),
            Line(((axis.at(100 * row.low), middle), (axis.at(100 * row.high), middle)), INK, 2),
            *(
                Line(((axis.at(100 * end), middle - 5), (axis.at(100 * end), middle + 5)), INK, 2)
                for end in (row.low, row.high)
            ),
            Text(PLOT_RIGHT + 14, middle + 5, _rate_words(row), 13, INK),
        ]
    return shapes, y + 28 + height + 20 + PANEL_GAP


def _ticks(axis: Axis, low: float, high: float, top: float, height: float, unit: str = "") -> list[Shape]:
    """Draw numbers below a panel, at round values."""
    step = nice_step((high - low) / MOST_TICKS)
    shapes: list[Shape] = []
    value = ceil(low / step) * step
    while value <= high:
        x = axis.at(value)
        shapes.append(Line(((x, top), (x, top + height)), RULE, 1))
        shapes.append(Text(x, top + height + 16, f"{value:g}{unit}", 12, FAINT, "middle"))
        value += step
    return shapes


def nice_step(least: float) -> float:
    """Return the smallest of 1, 2, 5, 10, 20, 50 and so on that is at least this."""
    if least <= 1:
        return 1
    power = 10 ** floor(log10(least))
    return float(next(step * power for step in NICE_STEPS if step * power >= least))


def _bar_width(low: float, high: float) -> float:
    return nice_step((high - low + 1) / MOST_BARS)

"""Draw a forecast as SVG: a row for each round, a bar for its duration, a span for when it may end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from markupsafe import Markup

from engine.words import Locale
from service.i18n.catalogue import translate
from service.i18n.dates import NBSP
from service.timestamps import DAY
from service.tournaments.formats.forecast_model import Quantiles

WIDTH, LABELS, EDGE = 720, 128, 14
ROW, HEAD, BAR, SPAN = 34, 30, 12, 4
MOST_TICKS = 7
SHORT_MONTHS: Mapping[Locale, tuple[str, ...]] = {
    "en": tuple("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()),
    "fr": tuple("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.".split()),
}
STEPS = (1, 2, 7, 14, 28, 56, 91, 182, 364)
"""Possible numbers of days between two marks of the axis."""


@dataclass(frozen=True, slots=True)
class ForecastRow:
    """A row of the picture: start, end and forced end."""

    label: str
    starts: Quantiles | None
    ends: Quantiles
    bound: int | None


def draw_forecast(at: int, rows: Sequence[ForecastRow], locale: Locale) -> Markup:
    """Return the picture. A table below has the same figures, so its label only says what it is."""
    end = max(at + DAY, *(row.ends.late for row in rows))
    height = HEAD + ROW * len(rows)

    def place(time: int) -> float:
        return LABELS + (WIDTH - LABELS - EDGE) * min(1, max(0, (time - at) / (end - at)))

    parts = [_draw_tick(place(tick), tick, height, locale) for tick in _list_ticks(at, end)]
    for number, row in enumerate(rows):
        parts.append(_draw_row(row, HEAD + ROW * number, place, at, end))
    return Markup(
        '<svg class="forecast" role="img" aria-label="{}" viewBox="0 0 {} {}" width="{}" height="{}">{}</svg>'
    ).format(translate(locale, "tournament_page.forecast_picture"), WIDTH, height, WIDTH, height, Markup().join(parts))


def _list_ticks(at: int, end: int) -> list[int]:
    """Return the days marked on the axis: few enough to read, from the first midnight on."""
    step = next((days for days in STEPS if (end - at) <= MOST_TICKS * days * DAY), STEPS[-1]) * DAY
    first = (at // DAY + 1) * DAY
    return list(range(first, end + 1, step))


def _draw_tick(x: float, at: int, height: int, locale: Locale) -> Markup:
    day = datetime.fromtimestamp(at / 1000, UTC)
    words = f"{day.day}{NBSP}{SHORT_MONTHS[locale][day.month - 1]}"
    anchor = "end" if x > WIDTH - 3 * EDGE else "middle"
    return Markup(
        '<path class="tick" d="M{:.1f} {}V{}"/><text class="day" x="{:.1f}" y="14" text-anchor="{}">{}</text>'
    ).format(x, HEAD - 8, height, x, anchor, words)


def _draw_row(row: ForecastRow, y: float, place: Callable[[int], float], at: int, end: int) -> Markup:
    middle, start = y + ROW / 2, place(row.starts.middle if row.starts else at)
    early, half, late = (place(time) for time in (row.ends.early, row.ends.middle, row.ends.late))
    parts = [
        Markup('<text x="0" y="{:.1f}">{}</text>').format(middle + 4, row.label),
        Markup('<rect class="bar" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" rx="3"/>').format(
            min(start, half), middle - BAR / 2, max(2.0, half - start), BAR
        ),
        Markup('<rect class="span" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" rx="2"/>').format(
            early, middle - SPAN / 2, max(2.0, late - early), SPAN
        ),
        Markup('<circle cx="{:.1f}" cy="{:.1f}" r="5"/>').format(half, middle),
    ]
    if row.bound is not None and row.bound <= end:
        x = place(row.bound)
        parts.append(Markup('<path class="bound" d="M{:.1f} {:.1f}V{:.1f}"/>').format(x, y + 4, y + ROW - 4))
    return Markup().join(parts)

"""Draw a forecast as SVG: a row for each round, a bar for its duration, a lighter one for when it may still end."""

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

EDGE, BAR, FOOT = 14, 12, 18
SHORT_MONTHS: Mapping[Locale, tuple[str, ...]] = {
    "en": tuple("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()),
    "fr": tuple("janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.".split()),
}
STEPS = (1, 2, 7, 14, 28, 56, 91, 182, 364)
"""Possible numbers of days between two marks of the axis."""


@dataclass(frozen=True, slots=True)
class ChartForm:
    """Sizes of a picture, and the key of the text that says where its figures are."""

    width: int
    labels: int
    """Width of the column with the names of the rounds."""
    row: int
    head: int
    most_ticks: int
    about: str


WHOLE = ChartForm(720, 128, 34, 30, 7, "tournament_page.forecast_picture")
SMALL = ChartForm(320, 76, 24, 26, 3, "tournament_page.forecast_small")
"""For the page of the tournament, where the list of rounds is below."""


@dataclass(frozen=True, slots=True)
class ForecastRow:
    """A row of the picture: start, end and forced end."""

    label: str
    starts: Quantiles | None
    ends: Quantiles
    bound: int | None


def draw_forecast(at: int, rows: Sequence[ForecastRow], locale: Locale, form: ChartForm = WHOLE) -> Markup:
    """Return the picture. The page has the same figures in words, so its label only says what it is."""
    begin = min(at, *(row.starts.middle for row in rows if row.starts), at)
    end = max(at + DAY, *(row.ends.late for row in rows))
    below = form.head + form.row * len(rows)
    height = below + FOOT * (begin < at)

    def place(time: int) -> float:
        share = min(1, max(0, (time - begin) / (end - begin)))
        return form.labels + (form.width - form.labels - EDGE) * share

    ticks = _list_ticks(begin, end, form.most_ticks)
    parts = [_draw_tick(place(tick), tick, below, locale, form) for tick in ticks]
    for number, row in enumerate(rows):
        parts.append(_draw_row(row, form.head + form.row * number, place, at, end, form))
    if begin < at:
        parts.append(_draw_now(place(at), below, locale, form))
    return Markup(
        '<svg class="forecast" role="img" aria-label="{}" viewBox="0 0 {} {}" width="{}" height="{}">{}</svg>'
    ).format(translate(locale, form.about), form.width, height, form.width, height, Markup().join(parts))


def _list_ticks(begin: int, end: int, most: int) -> list[int]:
    """Return the days marked on the axis: few enough to read, from the first midnight on."""
    step = next((days for days in STEPS if (end - begin) <= most * days * DAY), STEPS[-1]) * DAY
    first = (begin // DAY + 1) * DAY
    return list(range(first, end + 1, step))


def _draw_tick(x: float, at: int, height: int, locale: Locale, form: ChartForm) -> Markup:
    day = datetime.fromtimestamp(at / 1000, UTC)
    words = f"{day.day}{NBSP}{SHORT_MONTHS[locale][day.month - 1]}"
    anchor = "end" if x > form.width - 3 * EDGE else "middle"
    return Markup(
        '<path class="tick" d="M{:.1f} {}V{}"/><text class="day" x="{:.1f}" y="14" text-anchor="{}">{}</text>'
    ).format(x, form.head - 8, height, x, anchor, words)


def _draw_now(x: float, height: int, locale: Locale, form: ChartForm) -> Markup:
    words = translate(locale, "tournament_page.forecast_now")
    return Markup(
        '<path class="now" d="M{:.1f} {}V{}"/><text class="now" x="{:.1f}" y="{}" text-anchor="middle">{}</text>'
    ).format(x, form.head - 8, height, x, height + FOOT - 5, words)


def _draw_row(row: ForecastRow, y: float, place: Callable[[int], float], at: int, end: int, form: ChartForm) -> Markup:
    middle, start = y + form.row / 2, place(row.starts.middle if row.starts else at)
    half, late = place(row.ends.middle), place(row.ends.late)
    left = min(start, half)
    parts = [Markup('<text x="0" y="{:.1f}">{}</text>').format(middle + 4, row.label)]
    for kind, right in (("span", late), ("bar", half)):
        parts.append(
            Markup('<rect class="{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{}" rx="{}"/>').format(
                kind, left, middle - BAR / 2, max(BAR, right - left), BAR, BAR // 2
            )
        )
    if row.bound is not None and row.bound <= end:
        x = place(row.bound)
        parts.append(Markup('<path class="bound" d="M{:.1f} {:.1f}V{:.1f}"/>').format(x, y + 4, y + form.row - 4))
    return Markup().join(parts)

"""Ratings on a player's page: the number and its history as a small curve, described in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from markupsafe import Markup

from engine.games import GAMES
from engine.words import Locale
from service.i18n.catalogue import translate
from service.i18n.dates import MONTHS, NBSP
from service.tournaments.formats.skill import Skill
from service.tournaments.ratings import ratings
from service.tournaments.ratings.ratings import GameRating, RatingPoint

WIDTH, HEIGHT, EDGE = 320, 96, 6
DOT = 3.5
LEAST_SPAN = 60
"""Minimum number of points over the height of a curve, so that a rating that hardly moves looks flat."""


@dataclass(frozen=True)
class ShownRating:
    """A rating as the page shows it."""

    title: str
    skill: Skill
    peak: int
    curve: Markup
    course: str
    """The curve in words."""


def describe_ratings(player: str, at: int, locale: Locale) -> list[ShownRating]:
    """Return a player's ratings at this time, those with most matches first."""
    found = sorted(ratings.list_ratings(player, at), key=lambda each: (-each.skill.matches, each.game))
    return [_describe_rating(each, at, locale) for each in found]


def _describe_rating(rating: GameRating, at: int, locale: Locale) -> ShownRating:
    course = describe_course(rating.history, locale)
    curve = draw_curve(rating.history, datetime.fromtimestamp(at / 1000, UTC).date(), course)
    return ShownRating(GAMES[rating.game].presentation.title[locale], rating.skill, rating.peak, curve, course)


def describe_course(history: Sequence[RatingPoint], locale: Locale) -> str:
    """Return a sentence about how a rating rose and fell."""
    first, last = history[0], history[-1]
    if len(history) == 1:
        return translate(
            locale, "site.player.course_of_a_day", rating=last.skill.rating, day=_say_day(last.day, locale)
        )
    shown = [point.skill.rating for point in history]
    return translate(
        locale,
        "site.player.course",
        first=first.skill.rating,
        first_day=_say_day(first.day, locale),
        last=last.skill.rating,
        last_day=_say_day(last.day, locale),
        least=min(shown),
        most=max(shown),
    )


def _say_day(day: date, locale: Locale) -> str:
    number = "1er" if locale == "fr" and day.day == 1 else str(day.day)
    return f"{number}{NBSP}{MONTHS[locale][day.month - 1]} {day.year}"


def draw_curve(history: Sequence[RatingPoint], today: date, words: str) -> Markup:
    """Return the history of a rating as SVG: a stepped line within the band of its deviation."""
    begin, span = history[0].day, max(1, (today - history[0].day).days)
    xs = [EDGE + (WIDTH - 2 * EDGE) * (day - begin).days / span for day in (*(point.day for point in history), today)]
    xs[-1] = WIDTH - EDGE
    shown = [point.skill.rating for point in history]
    room = max(0, LEAST_SPAN - (max(shown) - min(shown))) / 2
    least, most = min(shown) - room, max(shown) + room

    def place_points(parts: int) -> list[tuple[float, float]]:
        """Return the corners of the line at this many deviations, clipped to the picture."""
        corners = []
        for at, (_, skill) in enumerate(history):
            share = (skill.rating + parts * skill.deviation - least) / (most - least)
            y = min(HEIGHT, max(0, HEIGHT - EDGE - share * (HEIGHT - 2 * EDGE)))
            corners += [(xs[at], y), (xs[at + 1], y)]
        return corners

    line = place_points(0)
    return Markup(
        '<svg class="curve" viewBox="0 0 {} {}" role="img" aria-label="{}">'
        '<polygon points="{}"/><polyline points="{}"/><circle cx="{:.1f}" cy="{:.1f}" r="{}"/></svg>'
    ).format(
        WIDTH,
        HEIGHT,
        words,
        _join_points([*place_points(1), *reversed(place_points(-1))]),
        _join_points(line),
        *line[-1],
        DOT,
    )


def _join_points(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)

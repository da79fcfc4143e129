"""The result of a finished match for one reader: margin, what decided it, places and parts."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.game import Count, Score, final_scores, show_totals, winners
from service.i18n.catalogue import translate
from service.play.views import Viewer

BAR = 40
"""Length of the longest bar in the table of parts."""
DUEL = 2
RESIGNED = "resign"
"""The end of a match of two in which one resigned."""


@dataclass(frozen=True)
class ScorePart:
    """One part of the score: the points of each seat, and for two seats a bar towards the seat that gained."""

    label: str
    points: Sequence[int | None]
    bar: int | None = None
    """Length, negative if the first seat gained; None for more than two seats."""


@dataclass(frozen=True)
class MatchResult:
    """The result of a finished match for one reader."""

    headline: str
    decided: str
    """The part with the largest difference, in a sentence; empty if nothing decided it."""
    places: Sequence[int]
    """Place of each seat, 1 for the winners."""
    parts: Sequence[ScorePart]
    totals: Sequence[str]
    """Points of each seat, or its outcome in a game without points."""
    totals_label: str


def describe_result(viewer: Viewer, headline: str) -> MatchResult | None:
    """Return the result of a match with scores, or None. `headline` is used if there is no margin to show."""
    state, game, locale = viewer.match_state.state, viewer.game, viewer.locale
    if not state.over or state.house.ended == "cancelled":
        return None
    scores = final_scores(game, state)
    totals, best = [score.total for score in scores], winners(game, state)
    name = game.presentation.words.name
    labels = dict.fromkeys(count.label for score in scores for count in score.counts)
    points = {label: [_points(score.counts, label) for score in scores] for label in labels}
    longest = max((abs(_difference(row)) for row in points.values()), default=0) or 1
    parts = [
        ScorePart(name(label, locale), row, round(_difference(row) / longest * BAR) if len(row) == DUEL else None)
        for label, row in points.items()
    ]
    return MatchResult(
        _tell_margin(viewer, totals, best) or headline,
        _tell_decision(viewer, points, totals, best),
        _find_places(scores, best, state.house.resigned),
        parts,
        show_totals(game, state, locale),
        translate(locale, "pages.match.total" if game.rules.points else "pages.match.outcome"),
    )


def _find_places(scores: Sequence[Score], best: Sequence[int], resigned: Collection[int]) -> list[int]:
    """Return the place of each seat. Seats that resigned come last, whatever their points."""
    ranks = [(seat in best, seat not in resigned, score.total, score.ties) for seat, score in enumerate(scores)]
    return [1 + sum(other > rank for other in ranks) for rank in ranks]


def _points(counts: Sequence[Count], label: str) -> int | None:
    return next((count.points for count in counts if count.label == label), None)


def _signed(points: int | None) -> str:
    return str(points or 0).replace("-", "−")


def _difference(row: Sequence[int | None]) -> int:
    """Return the lead of the second of two seats in one part."""
    return (row[-1] or 0) - (row[0] or 0)


def _tell_margin(viewer: Viewer, totals: Sequence[int], best: Sequence[int]) -> str:
    """Return the reader's outcome and margin, or an empty string.

    It is empty for spectators, ties, games without points and matches that ended by resignation.
    """
    seat, locale = viewer.seat, viewer.locale
    others = [total for other, total in enumerate(totals) if other != seat]
    resigned = viewer.match_state.state.house.ended == RESIGNED
    if seat is None or len(best) != 1 or not others or not viewer.game.rules.points or resigned:
        return ""
    if seat == best[0]:
        margin = totals[seat] - max(others)
        return translate(locale, "match_page.result.you_won_by", count=margin) if margin > 0 else ""
    margin = totals[best[0]] - totals[seat]
    won_by = translate(locale, "match_page.result.won_by", name=viewer.view().names[best[0]], count=margin)
    return won_by if margin > 0 else ""


def _tell_decision(
    viewer: Viewer, points: dict[str, list[int | None]], totals: Sequence[int], best: Sequence[int]
) -> str:
    """Return who resigned, or the part in which the winner gained most over the next seat."""
    house, names = viewer.match_state.state.house, viewer.view().names
    if house.ended == RESIGNED:
        return " ".join(translate(viewer.locale, "core.resign", who=names[seat]) for seat in sorted(house.resigned))
    if len(best) != 1 or len(totals) < DUEL:
        return ""
    first = best[0]
    second = max((seat for seat in range(len(totals)) if seat != first), key=lambda seat: totals[seat])
    gains = {label: (row[first] or 0) - (row[second] or 0) for label, row in points.items()}
    label, gain = max(gains.items(), key=lambda part: part[1], default=("", 0))
    if gain <= 0 or totals[first] < totals[second]:
        return ""
    words = viewer.game.presentation.words
    return translate(
        viewer.locale,
        "match_page.result.decided",
        part=words.name(label, viewer.locale),
        name=names[first],
        points=_signed(points[label][first]),
        other=names[second],
        less=_signed(points[label][second]),
    )

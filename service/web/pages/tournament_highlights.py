"""Highlights of a tournament for its page: small boards, a chart of its rounds, and winners with their finals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from engine.words import Locale
from service.bounded_cache import BoundedCache
from service.db.models.matches import MatchRow
from service.db.models.tournaments import PairingRow, TournamentRow
from service.i18n.catalogue import render, translate
from service.play.access import readable_by
from service.timestamps import HOUR, now
from service.tournaments.formats.forecast_model import Quantiles
from service.tournaments.rounds.standings import StandingLine
from service.tournaments.tournament_caches import ENDED
from service.tournaments.views.bracket_view import BRACKET_FORMATS
from service.tournaments.views.forecast import RoundTimes, forecast_tournament
from service.tournaments.views.overview import list_stages, show_pairings
from service.tournaments.views.tournament_shapes import PairingShown, RoundShown
from service.web.pages.forecast_drawing import SMALL, ForecastRow, draw_forecast

MOST_BOARDS = 6
MOST_FORECAST = 64
"""Maximum number of entrants for which the chart is on the page itself. With more it takes too long."""
MOST_CHARTED = 12
"""Maximum number of rounds in the chart."""
MOST_WINNERS = 3


@dataclass(frozen=True)
class EndOnPage:
    """The likely end of a tournament with a chart of its rounds, or the reason why it is not known."""

    picture: Markup = Markup()
    likely: int = 0
    late: int = 0
    unknown: str = ""


_ends: BoundedCache[tuple[str, int, int, Locale], EndOnPage] = BoundedCache(64)


@dataclass(frozen=True)
class SmallBoard:
    """A match whose board is shown small, as spectators see it."""

    match: str
    names: Sequence[str]
    scores: Sequence[int | None]


def list_boards(pairings: Sequence[PairingShown], viewer: str | None) -> list[SmallBoard]:
    """Return the running matches among these tables that the viewer may watch."""
    watched = _find_watched([each for each in pairings if not each.over], "running", viewer)
    return [_show_board(each) for each in watched[:MOST_BOARDS]]


def _find_watched(tables: Sequence[PairingShown], status: str, viewer: str | None) -> list[PairingShown]:
    ids = [each.match for each in tables if not each.is_bye]
    found = MatchRow.select(MatchRow.id).where(MatchRow.id.in_(ids) & (MatchRow.status == status) & readable_by(viewer))
    watched = {row.id for row in found}
    return [each for each in tables if each.match in watched]


def _show_board(table: PairingShown) -> SmallBoard:
    return SmallBoard(table.match, [seat.name for seat in table.seats], [seat.score for seat in table.seats])


def list_finals(row: TournamentRow, viewer: str | None, locale: Locale) -> list[SmallBoard]:
    """Return the matches of the final, if the last stage was a knockout that one table decided."""
    stages = list_stages(row.id)
    if not stages or stages[-1].format not in BRACKET_FORMATS:
        return []
    mine = (PairingRow.tournament == row.id) & (PairingRow.stage == stages[-1].name) & ~PairingRow.void
    last = PairingRow.select().where(mine).order_by(PairingRow.round.desc(), PairingRow.place).limit(MOST_BOARDS)
    tables = show_pairings(row, list(last), locale)
    # The matches of a series have the same players at exchanged seats.
    final = [each for each in tables if each.round == tables[0].round]
    if len({frozenset(seat.player for seat in each.seats) for each in final}) > 1:
        return []
    return [_show_board(each) for each in _find_watched(final, "over", viewer)]


def list_winners(sections: Sequence[tuple[int, Sequence[StandingLine]]]) -> list[tuple[int, list[StandingLine]]]:
    """Return the first three places of each section."""
    return [(number, [line for line in lines if line.rank <= MOST_WINNERS]) for number, lines in sections]


def forecast_end(row: TournamentRow, rounds: Sequence[RoundShown], entrants: int, locale: Locale) -> EndOnPage | None:
    """Return when the tournament will be over, with a chart of its rounds; None for one that has ended or is large.

    It is computed again after an hour, and when the log has grown. Moves alone do not change it.
    """
    if row.state in ENDED or not 0 < entrants <= MOST_FORECAST:
        return None
    key = (row.id, row.head_seq, now() // HOUR, locale)
    return _ends.get_or_make(key, lambda: _forecast_end(row, rounds, locale))


def _forecast_end(row: TournamentRow, rounds: Sequence[RoundShown], locale: Locale) -> EndOnPage:
    forecast = forecast_tournament(row, None)
    if forecast.ends is None:
        return EndOnPage(unknown=render(forecast.reason, locale) if forecast.reason else "")
    many = len({each.stage for each in rounds}) > 1
    begun = {(each.stage, each.number): each.started_at for each in rounds}

    def chart_round(
        each: RoundShown | RoundTimes, start: int, ends: Quantiles, bound: int | None = None
    ) -> ForecastRow:
        key = "round_short" if many else "round"
        label = translate(locale, f"tournament_page.{key}", number=each.number)
        return ForecastRow(f"{each.stage} {label}" if many else label, Quantiles(start, start, start), ends, bound)

    played = [
        chart_round(each, each.started_at, Quantiles(each.over_at, each.over_at, each.over_at))
        for each in rounds
        if each.started_at is not None and each.over_at is not None
    ]
    coming = [
        chart_round(each, begun.get((each.stage, each.number)) or each.starts.middle, each.ends, each.bound)
        for each in forecast.rounds
    ]
    picture = draw_forecast(forecast.at, [*played, *coming][:MOST_CHARTED], locale, SMALL)
    return EndOnPage(picture, forecast.ends.middle, forecast.ends.late)

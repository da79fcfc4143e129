"""Forecasts: when rounds and tournaments will be over."""

from __future__ import annotations

from engine.words import Locale
from service.i18n.catalogue import render
from service.tournaments.tournament_store import find_tournament
from service.tournaments.views.forecast import TournamentForecast, forecast_tournament
from service.web.openapi.blueprint import Blueprint
from service.web.request_context import current_player_id, response_locale
from service.web.schemas.tournament_forecast import TournamentForecastShown

blueprint = Blueprint(
    "tournament-forecasts",
    __name__,
    url_prefix="/v1/tournaments",
    description="When a tournament will be over, estimated from past play.",
)


@blueprint.get("/<named:tournament>/forecast", scope="optional")
def get_forecast(tournament: str) -> TournamentForecastShown:
    """Read the forecast.

    The tournament is simulated 400 times: tables take as many turns as finished matches of this game and number of
    seats, players answer as they did the last 200 times, and clocks, weekends, leave and the ends of the document
    apply. The same tournament gives the same numbers for an hour, unless somebody books leave or something is played.

    Nobody can see an individual player's times: only organisers see who may delay a round, and nobody does while fewer
    than 8 tables are open. Everybody is then assumed to answer like the average player. If there is too little data,
    `reason` says why, and there are no numbers.
    """
    reader = current_player_id()
    return describe_forecast(forecast_tournament(find_tournament(tournament, reader), reader), response_locale())


def describe_forecast(forecast: TournamentForecast, locale: Locale) -> TournamentForecastShown:
    """Return a forecast for an answer."""
    why = None if forecast.reason is None else render(forecast.reason, locale)
    return TournamentForecastShown.of(forecast, reason=forecast.unknown or None, why=why)

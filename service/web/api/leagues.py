"""Leagues: everybody plays the same deal against the same bots."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from flask import Response, request

from service.db.models.tournaments import TournamentRow
from service.tournaments import leagues
from service.tournaments.leagues import NewLeague
from service.web import auth, idempotency, pagination
from service.web.api.matches import describe_row
from service.web.openapi.blueprint import Blueprint
from service.web.request_context import (
    OPTIONAL_TOKEN_DOC,
    current_config,
    current_player,
    current_player_id,
    response_locale,
)
from service.web.schemas.leagues import (
    LEAGUE_EXAMPLE,
    NEW_LEAGUE_EXAMPLE,
    STANDING_EXAMPLE,
    LeaguePageSchema,
    LeagueShownSchema,
    NewLeagueBodySchema,
    StandingPageSchema,
)
from service.web.schemas.matches import (
    MATCH_EXAMPLE,
    MatchShownSchema,
)

DEPRECATED_SINCE = "@1794873600"
"""The day from which on tournaments do what leagues did, as RFC 9745 writes it."""
SUCCESSOR = "/v1/tournaments"

blueprint = Blueprint(
    "leagues",
    __name__,
    url_prefix="/v1/leagues",
    description="One deal for all, against bots; deprecated: a league is a same-deal tournament, `/v1/tournaments`.",
)


@blueprint.after_request
def name_successor(response: Response) -> Response:
    """Say with every good answer that leagues are tournaments now, and where this one is."""
    if response.status_code >= HTTPStatus.BAD_REQUEST:
        return response
    league = (request.view_args or {}).get("league")
    path = f"{SUCCESSOR}/{league}" if league else SUCCESSOR
    link = f'<{path}>; rel="successor-version"'
    response.headers["Deprecation"] = DEPRECATED_SINCE
    response.headers["Link"] = ", ".join(each for each in (response.headers.get("Link"), link) if each)
    return response


@blueprint.route("", methods=["POST"])
@blueprint.doc(deprecated=True)
@auth.requires_scope("organise")
@idempotency.once
@blueprint.arguments(NewLeagueBodySchema(), example=NEW_LEAGUE_EXAMPLE)
@blueprint.response(201, LeagueShownSchema(), example=LEAGUE_EXAMPLE, description="The league is open.")
def create(body: dict[str, Any]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Open a league.

    Every player gets the same match: the same seats, options, bots and seed, so the same deal. The seed is
    committed to now and published when nobody plays any more; until then nobody can watch another's match. There
    are no nonces in a league.
    """
    bots = {int(seat): name for seat, name in body["bots"].items()}
    league = leagues.open_league(auth.require_caller().player, NewLeague(**{**body, "bots": bots}))
    return leagues.league_as_json(league, current_player_id()), 201, {"Location": f"/v1/leagues/{league.id}"}


@blueprint.route("")
@blueprint.doc(**OPTIONAL_TOKEN_DOC, deprecated=True)
@blueprint.arguments(pagination.PagingQuerySchema(), location="query")
@blueprint.response(200, LeaguePageSchema(), example={"items": [LEAGUE_EXAMPLE]})
def list_leagues(query: dict[str, Any]) -> Any:  # noqa: ANN401
    """List the leagues.

    Latest first.
    """
    page = pagination.parse_page_request("leagues", query)
    order = (TournamentRow.created_at, TournamentRow.id)
    items, headers = pagination.fetch_page(leagues.select_leagues(), page, *order, newest_first=True)
    found = [leagues.league_as_json(leagues.read_league(row), current_player_id()) for row in items]
    return {"items": found}, 200, headers


@blueprint.route("/<id:league>")
@blueprint.doc(**OPTIONAL_TOKEN_DOC, deprecated=True)
@blueprint.response(200, LeagueShownSchema(), example=LEAGUE_EXAMPLE)
def get_league(league: str) -> Any:  # noqa: ANN401
    """Look at a league.

    The seed appears when its last match is over.
    """
    return leagues.league_as_json(leagues.find(league), current_player_id())


@blueprint.route("/<id:league>/enter", methods=["POST"])
@blueprint.doc(deprecated=True)
@auth.requires_scope("play")
@idempotency.once
@blueprint.response(201, MatchShownSchema(), example=MATCH_EXAMPLE, description="Your match; it has started.")
@blueprint.problems("match-over", "conflict", "limit-reached")
def enter(league: str) -> Any:  # noqa: ANN401
    """Play in a league.

    Once each. Your match starts at once.
    """
    started = leagues.enter(current_player(), league, current_config())
    return describe_row(started), 201, {"Location": f"/v1/matches/{started.id}"}


@blueprint.route("/<id:league>/standings")
@blueprint.doc(**OPTIONAL_TOKEN_DOC, deprecated=True)
@blueprint.response(200, StandingPageSchema(), example={"items": [STANDING_EXAMPLE]})
def list_standings(league: str) -> Any:  # noqa: ANN401
    """See the standings.

    Who plays; scores and matches when the league is over, so that nobody learns of cards to come.
    """
    return {"items": leagues.standings(leagues.find(league), response_locale())}

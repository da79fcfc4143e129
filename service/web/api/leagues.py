"""Leagues: everybody plays the same deal against the same bots."""

from __future__ import annotations

from typing import Any

from service.db.models.matches import LeagueRow
from service.matches import leagues, search
from service.matches.leagues import NewLeague
from service.play.time_control import DEFAULT_PRESET, PRESETS
from service.web import auth, idempotency, pagination
from service.web.openapi.blueprint import Blueprint
from service.web.request_context import (
    OPTIONAL_TOKEN_DOC,
    current_config,
    current_player,
    current_player_id,
    response_locale,
)
from service.web.schemas.fields import (
    ChoiceField,
    IdField,
    IntegerField,
    ListField,
    NestedField,
    ObjectField,
    RequestSchema,
    ResponseSchema,
    TextField,
    TimestampField,
)
from service.web.schemas.games import GAME_SLUG
from service.web.schemas.matches import (
    AT,
    HASH,
    MATCH_EXAMPLE,
    MATCH_ID,
    MOST_SEATS,
    PLAYER_ID,
    MatchShownSchema,
    by_seat_field,
    seat_field,
)

blueprint = Blueprint("leagues", __name__, url_prefix="/v1/leagues", description="One deal for all, against bots.")
CLOSES_AT = "2026-12-16T09:30:00.000Z"
NEW_LEAGUE_EXAMPLE = {
    "title": "Samhain league",
    "game": GAME_SLUG,
    "seats": 2,
    "bots": {"1": "steady"},
    "seat": 0,
    "closes_at": CLOSES_AT,
}
LEAGUE_EXAMPLE: dict[str, Any] = {
    "id": "l5w8n2d6s0wap4v8",
    "title": "Samhain league",
    "game": GAME_SLUG,
    "seats": 2,
    "seat": 0,
    "bots": {"1": "steady"},
    "clock": "standard",
    "options": {},
    "created_by": PLAYER_ID,
    "created_at": AT,
    "closes_at": CLOSES_AT,
    "published_at": None,
    "seed_hash": HASH,
    "seed": None,
    "your_match": None,
}
STANDING_EXAMPLE = {"player": PLAYER_ID, "name": "Aoife", "status": "over", "match": MATCH_ID, "score": 31}


class NewLeagueBodySchema(RequestSchema):
    """A league to be opened."""

    title = TextField(required=True, least=1, most=80, about="What it is called.", example="Samhain league")
    game = TextField(required=True, least=1, most=32, about="Which game.", example=GAME_SLUG)
    seats = IntegerField(required=True, least=1, most=MOST_SEATS, about="How many seats, bots counted.", example=2)
    seat = seat_field(load_default=0, about="The seat that the player has.")
    bots = by_seat_field(
        TextField(least=1, most=32, about="A bot.", example="steady"),
        required=True,
        about="A bot for each other seat.",
        example={"1": "steady"},
    )
    options = ObjectField(load_default=dict, about="Options of the game.", example={})
    clock = ChoiceField(list(PRESETS), load_default=DEFAULT_PRESET, about="The clock.", example=DEFAULT_PRESET)
    closes_at = TimestampField(required=True, about="Until when one may begin, within a year.", example=CLOSES_AT)


class LeagueShownSchema(ResponseSchema):
    """A league."""

    id = IdField(required=True, about="Its id.")
    title = TextField(required=True, about="What it is called.", example="Samhain league")
    game = TextField(required=True, about="Which game.", example=GAME_SLUG)
    seats = IntegerField(required=True, about="How many seats.", example=2)
    seat = seat_field(required=True, about="The seat that the player has.")
    bots = ObjectField(required=True, about="The bots by seat.", example={"1": "steady"})
    clock = TextField(required=True, about="The clock.", example="standard")
    options = ObjectField(required=True, about="Options of the game.", example={})
    created_by = IdField(required=True, about="Who opened it.")
    created_at = TimestampField(required=True, about="When it was opened.")
    closes_at = TimestampField(required=True, about="Until when one may begin.", example=CLOSES_AT)
    published_at = TimestampField(required=True, allow_none=True, about="When the seed was published.")
    seed_hash = TextField(required=True, about="The hash of the one seed, told at the opening.", example=HASH)
    seed = TextField(required=True, allow_none=True, about="The seed, once the last match is over.", example=None)
    your_match = TextField(required=True, allow_none=True, about="Your match of it.", example=None)


class LeaguePageSchema(ResponseSchema):
    """Leagues."""

    items = ListField(NestedField(LeagueShownSchema(), about="A league."), required=True, about="Latest first.")


class StandingShownSchema(ResponseSchema):
    """How a player fared."""

    player = IdField(required=True, about="Who.")
    name = TextField(required=True, about="Their name.", example="Aoife")
    status = TextField(required=True, about="Where their match stands.", example="over")
    match = TextField(required=True, allow_none=True, about="Their match, once it may be watched.", example=MATCH_ID)
    score = IntegerField(
        required=True, allow_none=True, least=-(2**53) + 1, about="Their points, once the league is over.", example=31
    )


class StandingPageSchema(ResponseSchema):
    """Standings."""

    items = ListField(
        NestedField(StandingShownSchema(), about="A player."),
        required=True,
        most=100_000,
        about="Best first, at the end.",
    )


@blueprint.route("", methods=["POST"])
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
    made = leagues.open_league(auth.require_caller().player, NewLeague(**{**body, "bots": bots}))
    return leagues.league_as_json(made, current_player_id()), 201, {"Location": f"/v1/leagues/{made.id}"}


@blueprint.route("")
@blueprint.doc(**OPTIONAL_TOKEN_DOC)
@blueprint.arguments(pagination.PagingQuerySchema(), location="query")
@blueprint.response(200, LeaguePageSchema(), example={"items": [LEAGUE_EXAMPLE]})
def list_leagues(query: dict[str, Any]) -> Any:  # noqa: ANN401
    """List the leagues.

    Latest first.
    """
    wanted = pagination.parse_page_request("leagues", query)
    found = LeagueRow.select()
    if wanted.after is not None:
        at, id_ = wanted.after
        found = found.where((LeagueRow.created_at < at) | ((LeagueRow.created_at == at) & (LeagueRow.id > id_)))
    ordered = list(found.order_by(LeagueRow.created_at.desc(), LeagueRow.id).limit(wanted.fetch))
    items, headers = pagination.slice_page(ordered, wanted, lambda league: (league.created_at, league.id))
    return {"items": [leagues.league_as_json(league, current_player_id()) for league in items]}, 200, headers


@blueprint.route("/<id:league>")
@blueprint.doc(**OPTIONAL_TOKEN_DOC)
@blueprint.response(200, LeagueShownSchema(), example=LEAGUE_EXAMPLE)
def get_league(league: str) -> Any:  # noqa: ANN401
    """Look at a league.

    The seed appears when its last match is over.
    """
    return leagues.league_as_json(leagues.find(league), current_player_id())


@blueprint.route("/<id:league>/enter", methods=["POST"])
@auth.requires_scope("play")
@idempotency.once
@blueprint.response(201, MatchShownSchema(), example=MATCH_EXAMPLE, description="Your match; it has started.")
@blueprint.problems("match-over", "conflict", "limit-reached")
def enter(league: str) -> Any:  # noqa: ANN401
    """Play in a league.

    Once each. Your match starts at once.
    """
    made = leagues.enter(current_player(), league, current_config())
    return (
        search.matches_as_json([made], current_player_id(), response_locale())[0],
        201,
        {"Location": f"/v1/matches/{made.id}"},
    )


@blueprint.route("/<id:league>/standings")
@blueprint.doc(**OPTIONAL_TOKEN_DOC)
@blueprint.response(200, StandingPageSchema(), example={"items": [STANDING_EXAMPLE]})
def list_standings(league: str) -> Any:  # noqa: ANN401
    """See the standings.

    Who plays; scores and matches when the league is over, so that nobody learns of cards to come.
    """
    return {"items": leagues.standings(leagues.find(league), response_locale())}

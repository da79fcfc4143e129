"""Leagues: everybody plays the same deal against the same bots."""

from __future__ import annotations

from typing import Any

from service.db.models import League
from service.matches import leagues
from service.matches import search as listing
from service.matches.leagues import NewLeague
from service.play.time_control import DEFAULT, PRESETS
from service.web import auth, idempotency
from service.web import pagination as pages
from service.web.openapi.blueprint import Blueprint
from service.web.request_context import spoken
from service.web.request_context_watching import EVERYBODY, config, me, player
from service.web.schemas.fields import Choice, Free, Id, Inside, Many, Shown, Strict, Text, When, Whole
from service.web.schemas.games import SLUG
from service.web.schemas.matches import AT, HASH, MATCH, MOST_SEATS, PLAYER, SHOWN, MatchShown, by_seat, seat_field

blueprint = Blueprint("leagues", __name__, url_prefix="/v1/leagues", description="One deal for all, against bots.")
CLOSES = "2026-12-16T09:30:00.000Z"
NEW = {"title": "Samhain league", "game": SLUG, "seats": 2, "bots": {"1": "steady"}, "seat": 0, "closes_at": CLOSES}
LEAGUE: dict[str, Any] = {
    "id": "l5w8n2d6s0wap4v8",
    "title": "Samhain league",
    "game": SLUG,
    "seats": 2,
    "seat": 0,
    "bots": {"1": "steady"},
    "clock": "standard",
    "options": {},
    "created_by": PLAYER,
    "created_at": AT,
    "closes_at": CLOSES,
    "published_at": None,
    "seed_hash": HASH,
    "seed": None,
    "your_match": None,
}
STANDING = {"player": PLAYER, "name": "Aoife", "status": "over", "match": MATCH, "score": 31}


class NewLeagueBody(Strict):
    """A league to be opened."""

    title = Text(required=True, least=1, most=80, about="What it is called.", example="Samhain league")
    game = Text(required=True, least=1, most=32, about="Which game.", example=SLUG)
    seats = Whole(required=True, least=1, most=MOST_SEATS, about="How many seats, bots counted.", example=2)
    seat = seat_field(load_default=0, about="The seat that the player has.")
    bots = by_seat(
        Text(least=1, most=32, about="A bot.", example="steady"),
        required=True,
        about="A bot for each other seat.",
        example={"1": "steady"},
    )
    options = Free(load_default=dict, about="Options of the game.", example={})
    clock = Choice(list(PRESETS), load_default=DEFAULT, about="The clock.", example=DEFAULT)
    closes_at = When(required=True, about="Until when one may begin, within a year.", example=CLOSES)


class LeagueShown(Shown):
    """A league."""

    id = Id(required=True, about="Its id.")
    title = Text(required=True, about="What it is called.", example="Samhain league")
    game = Text(required=True, about="Which game.", example=SLUG)
    seats = Whole(required=True, about="How many seats.", example=2)
    seat = seat_field(required=True, about="The seat that the player has.")
    bots = Free(required=True, about="The bots by seat.", example={"1": "steady"})
    clock = Text(required=True, about="The clock.", example="standard")
    options = Free(required=True, about="Options of the game.", example={})
    created_by = Id(required=True, about="Who opened it.")
    created_at = When(required=True, about="When it was opened.")
    closes_at = When(required=True, about="Until when one may begin.", example=CLOSES)
    published_at = When(required=True, allow_none=True, about="When the seed was published.")
    seed_hash = Text(required=True, about="The hash of the one seed, told at the opening.", example=HASH)
    seed = Text(required=True, allow_none=True, about="The seed, once the last match is over.", example=None)
    your_match = Text(required=True, allow_none=True, about="Your match of it.", example=None)


class LeaguePage(Shown):
    """Leagues."""

    items = Many(Inside(LeagueShown(), about="A league."), required=True, about="Latest first.")


class StandingShown(Shown):
    """How a player fared."""

    player = Id(required=True, about="Who.")
    name = Text(required=True, about="Their name.", example="Aoife")
    status = Text(required=True, about="Where their match stands.", example="over")
    match = Text(required=True, allow_none=True, about="Their match, once it may be watched.", example=MATCH)
    score = Whole(
        required=True, allow_none=True, least=-(2**53) + 1, about="Their points, once the league is over.", example=31
    )


class StandingPage(Shown):
    """Standings."""

    items = Many(
        Inside(StandingShown(), about="A player."), required=True, most=100_000, about="Best first, at the end."
    )


@blueprint.route("", methods=["POST"])
@auth.needs("organise")
@idempotency.once
@blueprint.arguments(NewLeagueBody(), example=NEW)
@blueprint.response(201, LeagueShown(), example=LEAGUE, description="The league is open.")
def create(body: dict[str, Any]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Open a league.

    Every player gets the same match: the same seats, options, bots and seed, so the same deal. The seed is
    committed to now and published when nobody plays any more; until then nobody can watch another's match. There
    are no nonces in a league.
    """
    bots = {int(seat): name for seat, name in body["bots"].items()}
    made = leagues.open_league(auth.current().player, NewLeague(**{**body, "bots": bots}))
    return leagues.shown(made, player()), 201, {"Location": f"/v1/leagues/{made.id}"}


@blueprint.route("")
@blueprint.doc(**EVERYBODY)
@blueprint.arguments(pages.Paging(), location="query")
@blueprint.response(200, LeaguePage(), example={"items": [LEAGUE]})
def listed(query: dict[str, Any]) -> Any:  # noqa: ANN401
    """List the leagues.

    Latest first.
    """
    wanted = pages.page("leagues", query)
    found = League.select()
    if wanted.after is not None:
        at, id_ = wanted.after
        found = found.where((League.created_at < at) | ((League.created_at == at) & (League.id > id_)))
    ordered = list(found.order_by(League.created_at.desc(), League.id).limit(wanted.fetch))
    items, headers = pages.answer(ordered, wanted, lambda league: (league.created_at, league.id))
    return {"items": [leagues.shown(league, player()) for league in items]}, 200, headers


@blueprint.route("/<id:league>")
@blueprint.doc(**EVERYBODY)
@blueprint.response(200, LeagueShown(), example=LEAGUE)
def look(league: str) -> Any:  # noqa: ANN401
    """Look at a league.

    The seed appears when its last match is over.
    """
    return leagues.shown(leagues.found(league), player())


@blueprint.route("/<id:league>/enter", methods=["POST"])
@auth.needs("play")
@idempotency.once
@blueprint.response(201, MatchShown(), example=SHOWN, description="Your match; it has started.")
@blueprint.problems("match-over", "conflict", "limit-reached")
def enter(league: str) -> Any:  # noqa: ANN401
    """Play in a league.

    Once each. Your match starts at once.
    """
    made = leagues.enter(me(), league, config())
    return listing.shown([made], player(), spoken())[0], 201, {"Location": f"/v1/matches/{made.id}"}


@blueprint.route("/<id:league>/standings")
@blueprint.doc(**EVERYBODY)
@blueprint.response(200, StandingPage(), example={"items": [STANDING]})
def standings(league: str) -> Any:  # noqa: ANN401
    """See the standings.

    Who plays; scores and matches when the league is over, so that nobody learns of cards to come.
    """
    return {"items": leagues.standings(leagues.found(league), spoken())}

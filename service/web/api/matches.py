"""Matches: making, finding, joining, leaving, starting, playing again."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from flask import Response

from service.db.models import Match
from service.matches import create as matches
from service.matches import organisers as organise
from service.matches import rematch as rematches
from service.matches import search as listing
from service.matches import start as starting
from service.matches.create import NewMatch
from service.problems import Problem
from service.web import auth, idempotency
from service.web import pagination as pages
from service.web.openapi.blueprint import Blueprint
from service.web.request_context import spoken
from service.web.request_context_watching import EVERYBODY, config, find, me, player
from service.web.schemas.matches import (
    NEW,
    SHOWN,
    JoinBody,
    JoinedShown,
    MatchPage,
    MatchQuery,
    MatchShown,
    NewMatchBody,
    RematchBody,
    SearchQuery,
    StartBody,
)
from service.web.schemas.matches_receipts import JOIN

blueprint = Blueprint("matches", __name__, url_prefix="/v1/matches", description="Making, finding and joining matches.")
FILTERS = tuple(each.name for each in fields(listing.Search))
JOINED = {"receipt": JOIN, "match": SHOWN}


def shown(match: str) -> dict[str, Any]:
    """A match for who asks, as it is now."""
    return listing.shown([Match.get_by_id(match)], player(), spoken())[0]


@blueprint.route("", methods=["POST"])
@auth.needs("play")
@idempotency.once
@blueprint.arguments(NewMatchBody(), example=NEW)
@blueprint.response(201, MatchShown(), example=SHOWN, description="The match, with you seated.")
@blueprint.problems("limit-reached", "conflict", "match-full")
def create(body: dict[str, Any]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Make a match.

    You take a seat at once, bots take theirs, and the match starts when every seat is taken, or at `starts_at`.
    Against bots alone it starts immediately: the deal is there a moment later. The hash of the seed is told here,
    before anybody plays, and the seed when the match is over, so that every draw can be checked.

    Organisers, with the scope `organise`, may set `sit` to false and seat `players` who agreed to it.
    """
    if not body["sit"] or body["players"]:
        auth.require("organise")
    maker = me()
    for guest in body["players"].values():
        organise.allow(maker.id, "", guest)
    by_seat = {name: {int(seat): each for seat, each in body[name].items()} for name in ("bots", "players")}
    made = matches.create(maker, NewMatch(**{**body, **by_seat}), config())
    return shown(made.id), 201, {"Location": f"/v1/matches/{made.id}"}


@blueprint.route("")
@blueprint.doc(**EVERYBODY)
@blueprint.arguments(SearchQuery(), location="query")
@blueprint.response(200, MatchPage(), example={"items": [SHOWN]})
@blueprint.problems("no-token")
def listed(query: dict[str, Any]) -> Any:  # noqa: ANN401
    """Find matches.

    Open ones, latest first, or with `mine=true` those you sit at, made, organise or are invited to. `status=open` finds
    matches that wait for players. Filters combine.
    """
    if query["mine"]:
        auth.current()
    wanted = pages.page("matches", query)
    filters = listing.Search(**{name: query[name] for name in FILTERS})
    found = listing.search(filters, player(), wanted.after, wanted.fetch)
    items, headers = pages.answer(found, wanted, lambda match: (match.created_at, match.id))
    return {"items": listing.shown(items, player(), spoken())}, 200, headers


@blueprint.route("/<id:match>")
@blueprint.doc(**EVERYBODY)
@blueprint.arguments(MatchQuery(), location="query")
@blueprint.response(200, MatchShown(), example=SHOWN)
def look(query: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """Look at a match.

    Who plays, how, and where it stands; the table itself is at `/v1/matches/{match}/table`. A match that is not
    open is found only by those who belong to it, or with its link.
    """
    found = find(match, query)
    return listing.shown([found], player(), spoken())[0]


@blueprint.route("/<id:match>/join", methods=["POST"])
@auth.needs("play")
@blueprint.arguments(JoinBody(), example={"seat": 1, "nonce": "00ff"})
@blueprint.response(200, JoinedShown(), example=JOINED, description="The seat is yours.")
@blueprint.problems("match-full", "match-started", "match-over", "limit-reached", "conflict")
def join(body: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """Join a match, or change your seat or nonce.

    Until the match starts; it starts when the last seat is taken. The seat gets the keys you have now. The receipt
    is signed by the server and binds it to the seed it committed to: keep it.
    """
    given = matches.join(me(), match, body["seat"], body["nonce"], body["link"], config())
    return {"receipt": given, "match": shown(match)}


@blueprint.route("/<id:match>/leave", methods=["POST"])
@auth.needs("play")
@blueprint.response(204, description="The seat is free again.")
@blueprint.problems("match-started", "not-your-seat")
def leave(match: str) -> Any:  # noqa: ANN401
    """Leave before the start.

    A match that nobody sits at any more is cancelled. After the start, make the move `resign` instead.
    """
    matches.leave(me(), match)
    return Response(status=204)


@blueprint.route("/<id:match>/decline", methods=["POST"])
@auth.needs("play")
@blueprint.response(204, description="The invitation is answered.")
def decline(match: str) -> Any:  # noqa: ANN401
    """Decline an invitation.

    To accept it, join.
    """
    matches.decline(me(), match)
    return Response(status=204)


@blueprint.route("/<id:match>/start", methods=["POST"])
@auth.needs("play")
@blueprint.arguments(StartBody(), example={"fill": "steady"})
@blueprint.response(200, MatchShown(), example=SHOWN, description="The match has started.")
@blueprint.problems("match-started", "match-over", "conflict")
def start(body: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """Start a match you made, without waiting.

    Bots of the kind named in `fill` take the seats that are still empty. A match that names a round of a public beacon
    (`beacon_round`) starts only like this, with the value of that round in `beacon`: nonces and seed were fixed before
    anybody could know it, so nobody has chosen the cards. Compare the header with what the beacon published.
    """
    find(match)
    starting.start_now(auth.current().player, match, body["fill"], body["beacon"])
    return shown(match)


@blueprint.route("/<id:match>/rematch", methods=["POST"])
@auth.needs("play")
@idempotency.once
@blueprint.arguments(RematchBody(), example={"nonce": "00ff"})
@blueprint.response(201, MatchShown(), example=SHOWN, description="A new match; the others are invited.")
@blueprint.alt_response(
    200, schema=MatchShown(), example=SHOWN, description="Another had asked already; you joined.", success=True
)
@blueprint.problems("not-your-seat", "conflict", "limit-reached", "match-full")
def rematch(body: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """Play again.

    The same game, options, clock and bots; everybody moves one seat on, unless bots play. Who asks second joins the
    match that the first one made.
    """
    if find(match).status == "open":
        raise Problem("conflict", "The match has not been played yet.")
    made, new = rematches.rematch(me(), match, body["nonce"], config())
    return shown(made.id), 201 if new else 200, {"Location": f"/v1/matches/{made.id}"}

"""Organising: seating players who agreed to it."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.db.models import Match
from service.matches import organisers as organise
from service.matches import search as listing
from service.web import auth
from service.web.openapi.blueprint import Blueprint
from service.web.request_context import spoken
from service.web.request_context_watching import config
from service.web.schemas.fields import Id, Inside, Many, Shown, Strict, Text, When
from service.web.schemas.matches import AT, PLAYER, SHOWN, MatchShown, seat_field

blueprint = Blueprint("organisers", __name__, url_prefix="/v1", description="Seating players who agreed to it.")
ORGANISER = {"id": PLAYER, "name": "Aoife", "since": AT}


class OrganiserShown(Shown):
    """An organiser who may seat you."""

    id = Id(required=True, about="Their id.")
    name = Text(required=True, about="Their name.", example="Aoife")
    since = When(required=True, about="Since when.")


class OrganiserPage(Shown):
    """Organisers."""

    items = Many(Inside(OrganiserShown(), about="An organiser."), required=True, most=1000, about="Oldest first.")


class SeatBody(Strict):
    """Whom to seat where."""

    seat = seat_field(required=True)
    player = Id(required=True, allow_none=True, about="A player who agreed; null to free the seat.")


@blueprint.route("/me/organisers")
@auth.needs("read")
@blueprint.response(200, OrganiserPage(), example={"items": [ORGANISER]})
def listed() -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """List the organisers who may seat you.

    You named them.
    """
    found = organise.consents(auth.current().player)
    return {"items": [{"id": id_, "name": name, "since": at} for id_, name, at in found]}


@blueprint.route("/me/organisers/<id:player>", methods=["PUT"])
@auth.needs("play")
@blueprint.response(204, description="They may seat you.")
@blueprint.problems("conflict")
def consent(player: str) -> Any:  # noqa: ANN401
    """Let an organiser seat you.

    In matches they organise, without asking each time, until you take it back. They never see your token, and
    cannot move for you.
    """
    organise.consent(auth.current().player, player)
    return Response(status=204)


@blueprint.route("/me/organisers/<id:player>", methods=["DELETE"])
@auth.needs("play")
@blueprint.response(204, description="They may not seat you any more.")
def revoke(player: str) -> Any:  # noqa: ANN401
    """Take it back.

    Seats you have already stay yours.
    """
    organise.revoke(auth.current().player, player)
    return Response(status=204)


@blueprint.route("/matches/<id:match>/seats", methods=["PUT"])
@auth.needs("organise")
@blueprint.arguments(SeatBody(), example={"seat": 0, "player": PLAYER})
@blueprint.response(200, MatchShown(), example=SHOWN)
@blueprint.problems("match-started", "match-over", "match-full", "limit-reached", "conflict")
def seat(body: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """Seat a player, or free a seat.

    In a match you organise, before its start: a player who named you under `/v1/me/organisers`, or accepted your
    invitation.
    """
    me = auth.current()
    if body["player"] is None:
        organise.unseat(me.player, match, body["seat"])
    else:
        organise.seat(me.player, match, body["seat"], body["player"], config())
    return listing.shown([Match.get_by_id(match)], me.player, spoken())[0]

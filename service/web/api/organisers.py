"""Organising: seating players who agreed to it."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.db.models.accounts import ConsentRow
from service.matches import organisers
from service.web import auth, pagination
from service.web.api.matches import describe_match
from service.web.openapi.blueprint import Blueprint
from service.web.request_context import current_config
from service.web.schemas.matches import MATCH_EXAMPLE, PLAYER_ID, MatchShownSchema
from service.web.schemas.organisers import ORGANISER_EXAMPLE, OrganiserPageSchema, SeatBodySchema

blueprint = Blueprint("organisers", __name__, url_prefix="/v1", description="Seating players who agreed to it.")


@blueprint.route("/me/organisers")
@auth.requires_scope("read")
@blueprint.arguments(pagination.PagingQuerySchema(), location="query")
@blueprint.response(200, OrganiserPageSchema(), example={"items": [ORGANISER_EXAMPLE]})
def list_organisers(query: dict[str, Any]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """List the organisers who may seat you.

    You named them.
    """
    page = pagination.parse_page_request("organisers", query)
    found = organisers.select_consents(auth.require_caller().player)
    items, headers = pagination.fetch_page(found, page, ConsentRow.at, ConsentRow.organiser)
    return {"items": [{"id": each.organiser, "name": each.name, "since": each.at} for each in items]}, 200, headers


@blueprint.route("/me/organisers/<id:player>", methods=["PUT"])
@auth.requires_scope("play")
@blueprint.response(204, description="They may seat you.")
@blueprint.problems("conflict")
def consent(player: str) -> Any:  # noqa: ANN401
    """Let an organiser seat you.

    In matches they organise, without asking each time, until you take it back. They never see your token, and
    cannot move for you.
    """
    organisers.give_consent(auth.require_caller().player, player)
    return Response(status=204)


@blueprint.route("/me/organisers/<id:player>", methods=["DELETE"])
@auth.requires_scope("play")
@blueprint.response(204, description="They may not seat you any more.")
def revoke_consent(player: str) -> Any:  # noqa: ANN401
    """Take it back.

    Seats you have already stay yours.
    """
    organisers.revoke_consent(auth.require_caller().player, player)
    return Response(status=204)


@blueprint.route("/matches/<id:match>/seats", methods=["PUT"])
@auth.requires_scope("organise")
@blueprint.arguments(SeatBodySchema(), example={"seat": 0, "player": PLAYER_ID})
@blueprint.response(200, MatchShownSchema(), example=MATCH_EXAMPLE)
@blueprint.problems("match-started", "match-over", "match-full", "limit-reached", "conflict")
def assign_seat(body: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """Seat a player, or free a seat.

    In a match you organise, before its start: a player who named you under `/v1/me/organisers`, or accepted your
    invitation.
    """
    me = auth.require_caller()
    if body["player"] is None:
        organisers.unseat_player(me.player, match, body["seat"])
    else:
        organisers.seat_player(me.player, match, body["seat"], body["player"], current_config())
    return describe_match(match)

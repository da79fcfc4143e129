"""Organising: seating players who agreed to it."""

from __future__ import annotations

from service.db.models.accounts import ConsentRow
from service.matches import organisers
from service.matches.match_shapes import MatchShown
from service.shapes import Page
from service.web import auth, pagination
from service.web.api.matches import describe_match
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import current_config
from service.web.schemas.organisers import OrganiserShown, SeatBody

blueprint = Blueprint("organisers", __name__, url_prefix="/v1", description="Seating players who have agreed to it.")


@blueprint.get("/me/organisers", scope="read")
@blueprint.page("Oldest first.")
def list_organisers(query: pagination.Paging) -> Answer[Page[OrganiserShown]]:
    """List the organisers who may seat you.

    You have allowed each of them to.
    """
    found = organisers.select_consents(auth.require_caller().player)
    items, headers = pagination.fetch_rows(found, query, ConsentRow.at, ConsentRow.organiser)
    return Page(items=[OrganiserShown.of(row, id=row.organiser, since=row.at) for row in items]), 200, headers


@blueprint.put("/me/organisers/<id:player>", scope="play")
@blueprint.response(204, "They may seat you.")
@blueprint.problems("conflict")
def consent(player: str) -> None:
    """Allow an organiser to seat you.

    They can then seat you in matches they organise, without asking each time, until you revoke it. They never see your
    token and cannot move for you.
    """
    organisers.give_consent(auth.require_caller().player, player)


@blueprint.delete("/me/organisers/<id:player>", scope="play")
@blueprint.response(204, "They may no longer seat you.")
def revoke_consent(player: str) -> None:
    """Revoke an organiser's permission.

    You keep the seats you already have.
    """
    organisers.revoke_consent(auth.require_caller().player, player)


@blueprint.put("/matches/<id:match>/seats", scope="organise")
@blueprint.problems("match-started", "match-over", "match-full", "limit-reached", "conflict")
def assign_seat(body: SeatBody, match: str) -> MatchShown:
    """Seat a player, or free a seat.

    You can do this in a match you organise, before its start, with a player who named you under `/v1/me/organisers` or
    accepted your invitation.
    """
    me = auth.require_caller()
    if body.player is None:
        organisers.unseat_player(me.player, match, body.seat)
    else:
        organisers.seat_player(me.player, match, body.seat, body.player, current_config())
    return describe_match(match)

"""Invitations: offering seats, and seeing what one is offered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.db.connection import write_transaction
from service.db.models.matches import InvitationRow, MatchRow
from service.matches import invitations, search
from service.matches.match_shapes import InvitationShown
from service.play.views import player_names
from service.shapes import Page
from service.web import auth, idempotency, pagination
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import current_config, find_match, response_locale
from service.web.schemas.invitations import InviteBody

blueprint = Blueprint("invitations", __name__, url_prefix="/v1", description="Seats offered to others, and to you.")


@blueprint.route("/matches/<id:match>/invitations", methods=["POST"])
@auth.requires_scope("play")
@idempotency.once
@blueprint.arguments(InviteBody)
@blueprint.response(201, InvitationShown, description="A letter is on its way.")
@blueprint.problems("match-started", "match-over", "limit-reached")
def invite(body: InviteBody, match: str) -> InvitationShown:
    """Invite somebody.

    A player by id, or anybody by mail address: the answer does not tell whether that address has an account. Who
    made the match or sits at it may invite; twenty invitations of yours may wait at a time.
    """
    find_match(match)
    by = auth.require_caller().player
    with write_transaction():
        made = invitations.invite(by, match, body.player, body.address, body.seat, current_config())
    return _describe_invitations([made])[0]


@blueprint.route("/matches/<id:match>/invitations")
@auth.requires_scope("read")
@blueprint.arguments(pagination.Paging, location="query")
@blueprint.page(InvitationShown, "Latest first.")
def list_sent(query: pagination.Paging, match: str) -> Answer[Page[InvitationShown]]:
    """List your invitations to a match.

    Those you sent, with their answers.
    """
    find_match(match)
    mine = (InvitationRow.match == match) & (InvitationRow.by_player == auth.require_caller().player)
    return _list_page("sent", query, InvitationRow.select().where(mine))


@blueprint.route("/me/invitations")
@auth.requires_scope("read")
@blueprint.arguments(pagination.Paging, location="query")
@blueprint.page(InvitationShown, "Latest first.")
def list_received(query: pagination.Paging) -> Answer[Page[InvitationShown]]:
    """List invitations that wait for you.

    Accept one with `POST /v1/matches/{match}/join`, or decline it.
    """
    mine = (
        (InvitationRow.player == auth.require_caller().player)
        & InvitationRow.answered_at.is_null()
        & (MatchRow.status == "open")
    )
    return _list_page(
        "received", query, InvitationRow.select().join(MatchRow, on=(MatchRow.id == InvitationRow.match)).where(mine)
    )


def _list_page(name: str, query: pagination.Paging, found: Any) -> Answer[Page[InvitationShown]]:  # noqa: ANN401  # a query of peewee
    page = pagination.parse_page_request(name, query)
    items, headers = pagination.fetch_page(found, page, InvitationRow.at, InvitationRow.id, newest_first=True)
    return Page(items=_describe_invitations(items)), 200, headers


def _describe_invitations(found: Sequence[InvitationRow]) -> list[InvitationShown]:
    names = player_names(sorted({row.by_player for row in found}), response_locale())
    return [search.describe_invitation(row, names) for row in found]

"""Invitations: offering seats, and listing offers."""

from __future__ import annotations

from collections.abc import Sequence

from peewee import ModelSelect

from service.db.connection import write_transaction
from service.db.models.matches import InvitationRow, MatchRow
from service.matches import invitations, search
from service.matches.match_shapes import InvitationShown
from service.play.views import player_names
from service.shapes import Page
from service.web import auth, pagination
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import current_config, find_match, response_locale
from service.web.schemas.invitations import InviteBody

blueprint = Blueprint("invitations", __name__, url_prefix="/v1", description="Seats offered to others and to you.")


@blueprint.post("/matches/<id:match>/invitations", scope="play", once=True)
@blueprint.response(201, "The invitation; an email is on its way.")
@blueprint.problems("match-started", "match-over", "limit-reached")
def invite(body: InviteBody, match: str) -> InvitationShown:
    """Invite somebody.

    Name a player by id, or anybody by email address: the answer does not reveal whether that address has an account.
    The creator of a match and its players may invite; at most twenty of your invitations may be pending.
    """
    find_match(match)
    by = auth.require_caller().player
    with write_transaction():
        made = invitations.invite(by, match, body.player, body.address, body.seat, current_config())
    return _describe_invitations([made])[0]


@blueprint.get("/matches/<id:match>/invitations", scope="read")
@blueprint.page("Latest first.")
def list_sent(query: pagination.Paging, match: str) -> Answer[Page[InvitationShown]]:
    """List your invitations to a match.

    The list has all that you sent, with their answers.
    """
    find_match(match)
    mine = (InvitationRow.match == match) & (InvitationRow.by_player == auth.require_caller().player)
    return _list_page(query, InvitationRow.select().where(mine))


@blueprint.get("/me/invitations", scope="read")
@blueprint.page("Latest first.")
def list_received(query: pagination.Paging) -> Answer[Page[InvitationShown]]:
    """List your pending invitations.

    Accept one with `POST /v1/matches/{match}/join`, or decline it.
    """
    mine = (
        (InvitationRow.player == auth.require_caller().player)
        & InvitationRow.answered_at.is_null()
        & (MatchRow.status == "open")
    )
    joined = InvitationRow.select().join(MatchRow, on=(MatchRow.id == InvitationRow.match))
    return _list_page(query, joined.where(mine))


def _list_page(query: pagination.Paging, found: ModelSelect[InvitationRow]) -> Answer[Page[InvitationShown]]:
    items, headers = pagination.fetch_rows(found, query, InvitationRow.at, InvitationRow.id, newest_first=True)
    return Page(items=_describe_invitations(items)), 200, headers


def _describe_invitations(found: Sequence[InvitationRow]) -> list[InvitationShown]:
    names = player_names(sorted({row.by_player for row in found}), response_locale())
    return [search.describe_invitation(row, names) for row in found]

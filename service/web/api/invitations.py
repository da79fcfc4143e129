"""Invitations: offering seats, and seeing what one is offered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.db.connection import writing
from service.db.models import Invitation, Match
from service.matches import invitations as inviting
from service.matches import search as listing
from service.play.views import called
from service.web import auth, idempotency
from service.web import pagination as pages
from service.web.openapi.blueprint import Blueprint
from service.web.request_context import spoken
from service.web.request_context_watching import config, find
from service.web.schemas.invitations import INVITATION, InvitationPage, InvitationShown, InviteBody
from service.web.schemas.matches import PLAYER

blueprint = Blueprint("invitations", __name__, url_prefix="/v1", description="Seats offered to others, and to you.")


@blueprint.route("/matches/<id:match>/invitations", methods=["POST"])
@auth.needs("play")
@idempotency.once
@blueprint.arguments(InviteBody(), example={"player": PLAYER})
@blueprint.response(201, InvitationShown(), example=INVITATION, description="A letter is on its way.")
@blueprint.problems("match-started", "match-over", "limit-reached")
def invite(body: dict[str, Any], match: str) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Invite somebody.

    A player by id, or anybody by mail address: the answer does not tell whether that address has an account. Who
    made the match or sits at it may invite; twenty invitations of yours may wait at a time.
    """
    find(match)
    by = auth.current().player
    with writing():
        made = inviting.invite(by, match, body["player"], body["address"], body["seat"], config())
    return _shown([made])[0], 201


@blueprint.route("/matches/<id:match>/invitations")
@auth.needs("read")
@blueprint.arguments(pages.Paging(), location="query")
@blueprint.response(200, InvitationPage(), example={"items": [INVITATION]})
def sent(query: dict[str, Any], match: str) -> Any:  # noqa: ANN401
    """List your invitations to a match.

    Those you sent, with their answers.
    """
    find(match)
    mine = (Invitation.match == match) & (Invitation.by_player == auth.current().player)
    return _page("sent", query, Invitation.select().where(mine))


@blueprint.route("/me/invitations")
@auth.needs("read")
@blueprint.arguments(pages.Paging(), location="query")
@blueprint.response(200, InvitationPage(), example={"items": [INVITATION]})
def received(query: dict[str, Any]) -> Any:  # noqa: ANN401
    """List invitations that wait for you.

    Accept one with `POST /v1/matches/{match}/join`, or decline it.
    """
    mine = (Invitation.player == auth.current().player) & Invitation.answered_at.is_null() & (Match.status == "open")
    return _page("received", query, Invitation.select().join(Match, on=(Match.id == Invitation.match)).where(mine))


def _page(name: str, query: dict[str, Any], found: Any) -> Any:  # noqa: ANN401  # a query of peewee
    wanted = pages.page(name, query)
    if wanted.after is not None:
        at, id_ = wanted.after
        found = found.where((Invitation.at < at) | ((Invitation.at == at) & (Invitation.id > id_)))
    ordered = list(found.order_by(Invitation.at.desc(), Invitation.id).limit(wanted.fetch))
    items, headers = pages.answer(ordered, wanted, lambda row: (row.at, row.id))
    return {"items": _shown(items)}, 200, headers


def _shown(found: Sequence[Invitation]) -> list[dict[str, Any]]:
    names = called(sorted({row.by_player for row in found}), spoken())
    return [listing.invitation(row, names) for row in found]

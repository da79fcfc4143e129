"""Helpers of a tournament: its owner appoints and removes organisers and arbiters."""

from __future__ import annotations

from service import shapes
from service.tournaments.lifecycle import ROLES, Role, appoint
from service.tournaments.tournament_store import find_tournament
from service.web import auth
from service.web.openapi.blueprint import Blueprint

blueprint = Blueprint(
    "tournament-staff",
    __name__,
    url_prefix="/v1/tournaments",
    description="Organisers and arbiters of a tournament.",
)


class StaffBody(shapes.Body):
    """The role of a helper."""

    role: str = shapes.choice(
        ROLES,
        "`organiser` may do everything but appoint; `arbiter` makes rulings and does not change the document.",
        "arbiter",
    )


@blueprint.put("/<named:tournament>/staff/<id:player>", scope="organise")
@blueprint.response(204, "The player has this role.")
@blueprint.problems("conflict", "forbidden", "limit-reached")
def appoint_helper(body: StaffBody, tournament: str, player: str) -> None:
    """Appoint an organiser or an arbiter.

    Only the owner can, at any time before the end. The document changes with it, so the log shows who may decide since
    when. A player has one role: the last one counts.
    """
    _change_role(tournament, player, next(role for role in ROLES if role == body.role))


@blueprint.delete("/<named:tournament>/staff/<id:player>", scope="organise")
@blueprint.response(204, "The player has no role any more.")
@blueprint.problems("conflict", "forbidden")
def remove_helper(tournament: str, player: str) -> None:
    """Remove an organiser or an arbiter.

    Only the owner can, and cannot be removed. Rulings that the helper made stay.
    """
    _change_role(tournament, player, None)


def _change_role(tournament: str, player: str, role: Role | None) -> None:
    owner = auth.require_caller().player
    appoint(owner, find_tournament(tournament, owner).id, player, role)

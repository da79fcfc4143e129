"""Substitutes: taking a seat that a stand-in plays."""

from __future__ import annotations

from service.matches import substitutes
from service.matches.match_shapes import MatchShown
from service.web.api.matches import describe_row
from service.web.openapi.blueprint import Blueprint
from service.web.request_context import current_config, current_player, find_match
from service.web.schemas.matches import SubstituteBody

blueprint = Blueprint(
    "substitutes", __name__, url_prefix="/v1/matches", description="Taking over a seat from a stand-in."
)


@blueprint.post("/<id:match>/substitute", scope="play")
@blueprint.response(200, "The seat is yours.")
@blueprint.problems("match-full", "match-over", "limit-reached", "conflict")
def take_seat(body: SubstituteBody, match: str) -> MatchShown:
    """Take over a seat.

    When a player has run out of time and excuses, a bot plays the seat. If the policy of the match is `substitute`,
    anybody who may see the match can take it then; if it is `stand-in`, only the player who left it. The log has a line
    of the house, `seat SEAT PLAYER KEYS`, and the clock of the seat starts again.
    """
    substitutes.take_seat(current_player(), match, body.seat, body.link, current_config())
    return describe_row(find_match(match, body.link))

"""Substitutes: taking a seat that a stand-in plays."""

from __future__ import annotations

from typing import Any

from service.matches import search as listing
from service.matches import substitutes
from service.web import auth
from service.web.openapi.blueprint import Blueprint
from service.web.request_context import spoken
from service.web.request_context_watching import config, find, me
from service.web.schemas.fields import Strict, Text, Whole
from service.web.schemas.matches import LINK, SHOWN, MatchShown

blueprint = Blueprint(
    "substitutes", __name__, url_prefix="/v1/matches", description="Taking a seat that a stand-in plays."
)


class SubstituteBody(Strict):
    """Which seat is wanted."""

    seat: Any = Whole(load_default=None, most=99, about="The seat; the first open one if left out.", example=1)
    link: Any = Text(load_default=None, most=64, about="The link of a match that is not open.", example=LINK)


@blueprint.route("/<id:match>/substitute", methods=["POST"])
@auth.needs("play")
@blueprint.arguments(SubstituteBody(), example={"seat": 1})
@blueprint.response(200, MatchShown(), example=SHOWN, description="The seat is yours.")
@blueprint.problems("match-full", "match-over", "limit-reached", "conflict")
def substitute(body: dict[str, Any], match: str) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Take over a seat.

    When a player has run out of time and excuses, a bot plays the seat. Where the policy of the match is
    `substitute`, anybody who may look at the match can take it then; where it is `stand-in`, only the player who
    left it. The log says so by a line of the house, `seat SEAT PLAYER KEYS`, and the clock of the seat begins anew.
    """
    substitutes.take(me(), match, body["seat"], body["link"], config())
    return listing.shown([find(match, body)], auth.current().player, spoken())[0]

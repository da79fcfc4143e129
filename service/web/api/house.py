"""Arbiter decisions: what an organiser decides about a running match."""

from __future__ import annotations

from service.matches import arbiter_decisions
from service.web import auth
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import current_config
from service.web.schemas.organisers import DecidedShown, DecisionBody

blueprint = Blueprint(
    "house", __name__, url_prefix="/v1/matches/<id:match>/house", description="Organisers' decisions about matches."
)


@blueprint.post("", scope="organise", once=True)
@blueprint.response(201, "The decision is in the log, and everybody is notified.")
@blueprint.problems("conflict", "match-over", "not-canonical", "limit-reached")
def decide(body: DecisionBody, match: str) -> Answer[DecidedShown]:
    """Decide about a match you organise.

    As the arbiter of a running match (its creator, with `sit` set to false). Every decision is a line of the house in
    the log, which the verifier lists, and the event `match.decided` for everybody at the table:

    - `pause WHY`: nobody is asked, and no clock runs, until `resume`.
    - `end WHY`: the match is over with the current scores; with a score for each seat, over with those.
      `end cancelled` leaves no result.
    - `bot SEAT NAME`: a bot plays the seat from here on.
    - `seat SEAT PLAYER [KEYS]`: a player takes the seat who named you under `/v1/me/organisers`, accepted an invitation
      to this match, or had this seat at its start. Without `KEYS` the seat gets the player's current keys.
    - `deadline` instead of a line: a seat has until then, never less time than before. The log has `pause more-time`
      and `resume` at the same moment; the question is unchanged.
    """
    arbiter = arbiter_decisions.arbiter_for_organiser(match, auth.require_caller().player, current_config())
    deadline = body.deadline
    decision = arbiter.extend(deadline.seat, deadline.due) if deadline else arbiter.decide(body.line or "")
    return (
        DecidedShown.of(decision),
        201,
        {"Location": f"/v1/matches/{match}/history?after={decision.seq - len(decision.lines)}"},
    )

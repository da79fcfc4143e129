"""The house: what an organiser decides about a running match."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from service.matches import house_lines as house
from service.web import auth, idempotency
from service.web.openapi.blueprint import Blueprint
from service.web.request_context_watching import config
from service.web.schemas.fields import Id, Inside, Many, Shown, Strict, Text, When, Whole
from service.web.schemas.matches import AT, HASH, MATCH, seat_field

blueprint = Blueprint(
    "house", __name__, url_prefix="/v1/matches/<id:match>/house", description="What organisers decide about a match."
)
DECISION = {"line": "pause illness"}
DECIDED = {"match": MATCH, "lines": ["pause illness"], "seq": 41, "hash": HASH, "at": AT}


class DeadlineBody(Strict):
    """More time for a seat."""

    seat = seat_field(required=True, about="The seat that gets more time.")
    due = When(required=True, about="By when its answer must be in now: not earlier than before, within a year.")


class DecisionBody(Strict):
    """A decision: a line of the house, or more time for a seat."""

    line = Text(
        least=1,
        most=400,
        about="`pause WHY`, `resume`, `end WHY [SCORE…]`, `bot SEAT NAME`, or `seat SEAT PLAYER [KEYS]`. `WHY` is "
        "small letters and hyphens, and stays in the record for good: never a name.",
        example="pause illness",
    )
    deadline = Inside(DeadlineBody(), about="More time for a seat, instead of a line.")

    @ma.validates_schema
    def one_thing(self, data: dict[str, Any], **_: Any) -> None:  # noqa: ANN401  # as marshmallow calls it
        """One decision at a time."""
        if len(data) != 1:
            raise ma.ValidationError("Either a line or a deadline.")


class DecidedShown(Shown):
    """What was written into the log."""

    match = Id(required=True, about="The match.", example=MATCH)
    lines = Many(
        Text(most=400, about="A line.", example="pause illness"),
        required=True,
        about="The lines of the house, in their order.",
        example=["pause illness"],
    )
    seq = Whole(required=True, about="The number of the last of them.", example=41)
    hash = Text(required=True, about="The head of the log after it.", example=HASH)
    at = When(required=True, about="When they were written.")


@blueprint.route("", methods=["POST"])
@auth.needs("organise")
@idempotency.once
@blueprint.arguments(DecisionBody(), example=DECISION)
@blueprint.response(201, DecidedShown(), example=DECIDED, description="It is in the log, and everybody is told.")
@blueprint.problems("conflict", "match-over", "not-canonical", "limit-reached")
def decide(body: dict[str, Any], match: str) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Decide about a match you organise.

    As the arbiter of a running match (its maker, with `sit` set to false). Every decision is a line of the house in the
    log, which the verifier lists, and the event `match.decided` for everybody at the table:

    - `pause WHY`: nobody is asked, and no clock runs, until `resume`.
    - `end WHY`: the match is over with the scores on the table; with a score for each seat, over with those.
      `end cancelled` leaves no result.
    - `bot SEAT NAME`: a bot plays the seat from here on.
    - `seat SEAT PLAYER [KEYS]`: a player takes the seat who named you under `/v1/me/organisers`, accepted an invitation
      to this match, or had this seat at its start. Without `KEYS` the seat gets the keys the player has now.
    - `deadline` instead of a line: a seat has until then, never less time than before. The log says `pause more-time`
      and `resume` in one moment; the question stands unchanged.
    """
    desk = house.desk(match, auth.current().player, config())
    given = body.get("deadline")
    made = desk.extend(given["seat"], given["due"]) if given else desk.decide(body["line"])
    return vars(made), 201, {"Location": f"/v1/matches/{match}/history?after={made.seq - len(made.lines)}"}

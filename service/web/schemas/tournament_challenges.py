"""Bodies of challenges on ladders."""

from __future__ import annotations

from typing import Any

from service.tournaments.entry.challenges import STATES
from service.web.pagination import PagingQuerySchema
from service.web.schemas.fields import (
    BooleanField,
    ChoiceField,
    IdField,
    IntegerField,
    ListField,
    NestedField,
    RequestSchema,
    ResponseSchema,
    TextField,
    TimestampField,
)
from service.web.schemas.matches import AT, MATCH_ID, PLAYER_ID

CHALLENGE_ID = "c7m2x9q4w6k3n8p5"
ANSWER_BY = "2027-01-18T18:00:00.000Z"
_RIVAL_EXAMPLE = {"player": PLAYER_ID, "name": "Brigid", "place": 4}
CHALLENGE_EXAMPLE: dict[str, Any] = {
    "id": CHALLENGE_ID,
    "stage": "ladder",
    "state": "accepted",
    "challenger": {**_RIVAL_EXAMPLE, "name": "Aoife", "place": 7},
    "challenged": _RIVAL_EXAMPLE,
    "made_at": AT,
    "answer_by": ANSWER_BY,
    "answered_at": AT,
    "match": MATCH_ID,
}


class ChallengeBodySchema(RequestSchema):
    """Whom to challenge."""

    player = IdField(required=True, about="Who stands above you and within reach.", example=PLAYER_ID)


class ChallengeAnswerBodySchema(RequestSchema):
    """Whether a challenge is taken up."""

    accept = BooleanField(
        required=True, about="True: the match begins. False: the challenge is lost at once.", example=True
    )


class ChallengeListQuerySchema(PagingQuerySchema):
    """Which challenges to list."""

    state = ChoiceField(STATES, about="Only those that stand so.", example="open")


class RivalSchema(ResponseSchema):
    """One of the two of a challenge."""

    player = IdField(required=True, about="Their id.", example=PLAYER_ID)
    name = TextField(required=True, about="Their name.", example="Brigid")
    place = IntegerField(
        required=True, allow_none=True, about="Where they stand on the ladder now; null once they have left.", example=4
    )


class ChallengeSchema(ResponseSchema):
    """A challenge on a ladder."""

    id = IdField(required=True, about="Its id.", example=CHALLENGE_ID)
    stage = TextField(required=True, about="The stage that is the ladder.", example="ladder")
    state = ChoiceField(
        STATES,
        required=True,
        about="`open` until it is answered; `silent`: lost because nobody answered; `lapsed`: counts for nobody.",
        example="accepted",
    )
    challenger = NestedField(RivalSchema(), required=True, about="Who challenges.")
    challenged = NestedField(RivalSchema(), required=True, about="Who must answer.")
    made_at = TimestampField(required=True, about="When it was made.", example=AT)
    answer_by = TimestampField(
        required=True, about="When silence loses; leave, pauses and outages move it.", example=ANSWER_BY
    )
    answered_at = TimestampField(required=True, allow_none=True, about="When it was settled.", example=AT)
    match = IdField(
        required=True,
        allow_none=True,
        about="The match, once it was taken up, else null.",
        example=MATCH_ID,
    )


class ChallengePageSchema(ResponseSchema):
    """Some challenges, the latest first."""

    items = ListField(
        NestedField(ChallengeSchema(), about="One of them."), required=True, most=200, about="Latest first."
    )

"""Bodies of organising: who may seat whom, and what the house decides about a match."""

from __future__ import annotations

from typing import Any

import marshmallow as ma

from service.web.schemas.fields import (
    IdField,
    IntegerField,
    ListField,
    NestedField,
    RequestSchema,
    ResponseSchema,
    TextField,
    TimestampField,
)
from service.web.schemas.matches import AT, HASH, MATCH_ID, PLAYER_ID, seat_field

ORGANISER_EXAMPLE = {"id": PLAYER_ID, "name": "Aoife", "since": AT}
DECISION_EXAMPLE = {"line": "pause illness"}
DECIDED_EXAMPLE = {"match": MATCH_ID, "lines": ["pause illness"], "seq": 41, "hash": HASH, "at": AT}


class OrganiserShownSchema(ResponseSchema):
    """An organiser who may seat you."""

    id = IdField(required=True, about="Their id.")
    name = TextField(required=True, about="Their name.", example="Aoife")
    since = TimestampField(required=True, about="Since when.")


class OrganiserPageSchema(ResponseSchema):
    """Organisers."""

    items = ListField(NestedField(OrganiserShownSchema(), about="An organiser."), required=True, about="Oldest first.")


class SeatBodySchema(RequestSchema):
    """Whom to seat where."""

    seat = seat_field(required=True)
    player = IdField(required=True, allow_none=True, about="A player who agreed; null to free the seat.")


class DeadlineBodySchema(RequestSchema):
    """More time for a seat."""

    seat = seat_field(required=True, about="The seat that gets more time.")
    due = TimestampField(
        required=True, about="By when its answer must be in now: not earlier than before, within a year."
    )


class DecisionBodySchema(RequestSchema):
    """A decision: a line of the house, or more time for a seat."""

    line = TextField(
        least=1,
        most=400,
        about="`pause WHY`, `resume`, `end WHY [SCORE…]`, `bot SEAT NAME`, or `seat SEAT PLAYER [KEYS]`. `WHY` is "
        "small letters and hyphens, and stays in the record for good: never a name.",
        example="pause illness",
    )
    deadline = NestedField(DeadlineBodySchema(), about="More time for a seat, instead of a line.")

    @ma.validates_schema
    def _require_one_decision(self, data: dict[str, Any], **_: Any) -> None:  # noqa: ANN401  # as marshmallow calls it
        """One decision at a time."""
        if len(data) != 1:
            raise ma.ValidationError("Either a line or a deadline.")


class DecidedShownSchema(ResponseSchema):
    """What was written into the log."""

    match = IdField(required=True, about="The match.", example=MATCH_ID)
    lines = ListField(
        TextField(most=400, about="A line.", example="pause illness"),
        required=True,
        about="The lines of the house, in their order.",
        example=["pause illness"],
    )
    seq = IntegerField(required=True, about="The number of the last of them.", example=41)
    hash = TextField(required=True, about="The head of the log after it.", example=HASH)
    at = TimestampField(required=True, about="When they were written.")

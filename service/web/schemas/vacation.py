"""Bodies of vacation bookings."""

from __future__ import annotations

from typing import Any

from marshmallow import fields

from service.web.schemas.fields import (
    BooleanField,
    IdField,
    IntegerField,
    ListField,
    NestedField,
    RequestSchema,
    ResponseSchema,
    TextField,
    TimestampField,
)

LEAVE_EXAMPLE = {
    "id": "q8za4t6m2x9p3kw7",
    "first_day": "2026-12-20",
    "last_day": "2027-01-02",
    "at": "2026-11-16T09:45:00.000Z",
}


class NewLeaveSchema(RequestSchema):
    """Days to be booked, both counted, in your zone."""

    first_day = fields.Date(
        required=True, metadata={"description": "The first day of leave.", "example": LEAVE_EXAMPLE["first_day"]}
    )
    last_day = fields.Date(
        required=True, metadata={"description": "The last day of leave.", "example": LEAVE_EXAMPLE["last_day"]}
    )


class LeaveShownSchema(ResponseSchema):
    """A booking."""

    id = IdField(required=True, about="The id of the booking.", example=LEAVE_EXAMPLE["id"])
    first_day = fields.String(
        required=True,
        metadata={"description": "The first day.", "example": LEAVE_EXAMPLE["first_day"], "format": "date"},
    )
    last_day = fields.String(
        required=True, metadata={"description": "The last day.", "example": LEAVE_EXAMPLE["last_day"], "format": "date"}
    )
    at = TimestampField(required=True, about="When it was booked.")


CLASH_EXAMPLE: dict[str, Any] = {
    "tournament": "t4k8w2n6q0vxp3z7",
    "name": "winter-cup",
    "title": "Winter cup",
    "stage": "swiss",
    "round": 2,
    "starts_at": "2026-12-22T18:00:00.000Z",
    "ends_at": None,
    "leave_counts": False,
    "bye": True,
}


class LeaveClashSchema(ResponseSchema):
    """A round of a tournament that begins or runs during leave."""

    tournament = IdField(required=True, about="The tournament.", example=CLASH_EXAMPLE["tournament"])
    name = TextField(required=True, about="Its name.", example="winter-cup")
    title = TextField(required=True, about="Its title.", example="Winter cup")
    stage = TextField(required=True, about="The stage.", example="swiss")
    round = IntegerField(required=True, about="The number of the round.", example=2)
    starts_at = TimestampField(required=True, allow_none=True, about="When it begins or began.")
    ends_at = TimestampField(required=True, allow_none=True, about="When it ends at the latest; null: not known.")
    leave_counts = BooleanField(required=True, about="Whether the clocks of its matches rest on leave.", example=False)
    bye = BooleanField(required=True, about="Whether you may ask for a bye in it, until it is paired.", example=True)


class LeaveBookedSchema(LeaveShownSchema):
    """A booking, and the rounds that it meets."""

    rounds = ListField(
        NestedField(LeaveClashSchema(), about="A round."),
        required=True,
        most=1000,
        about="Rounds of your tournaments that begin or run on these days.",
    )


class LeavePageSchema(ResponseSchema):
    """Your bookings, and what is left."""

    items = ListField(
        NestedField(LeaveShownSchema(), about="A booking."), required=True, about="A page of bookings, newest first."
    )
    days_left = IntegerField(required=True, most=30, about="Days of leave left this year.", example=16)

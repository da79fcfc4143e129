"""Bodies of vacation bookings."""

from __future__ import annotations

from marshmallow import fields

from service.web.schemas.fields import (
    IdField,
    IntegerField,
    ListField,
    NestedField,
    RequestSchema,
    ResponseSchema,
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


class LeavePageSchema(ResponseSchema):
    """Your bookings, and what is left."""

    items = ListField(
        NestedField(LeaveShownSchema(), about="A booking."), required=True, about="A page of bookings, newest first."
    )
    days_left = IntegerField(required=True, most=30, about="Days of leave left this year.", example=16)

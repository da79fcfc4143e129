"""What events take and show."""

from __future__ import annotations

from typing import Any

from service.events.log import TYPES
from service.web.schemas.fields import (
    ChoiceField,
    IdField,
    IntegerField,
    ListField,
    NestedField,
    QuerySchema,
    RequestSchema,
    ResponseSchema,
    TextField,
    TimestampField,
)

MOST_WAIT_SECONDS = 60
MOST_EVENTS = 200
EVENT_EXAMPLE: dict[str, Any] = {
    "id": 4711,
    "type": "turn.ready",
    "match": "m7q2x9v4k8t3w6zp",
    "tournament": None,
    "seat": 1,
    "seq": 41,
    "at": "2026-11-16T09:30:00.000Z",
}
EVENT_TYPES_TEXT = " ".join(f"`{name}`: {about}" for name, about in TYPES.items())


class EventQuerySchema(QuerySchema):
    """From where on, and how long to wait."""

    after: Any = IntegerField(
        load_default=None, about="Only events after this number; left out: those to come from now on.", example=4710
    )
    wait: Any = IntegerField(
        load_default=0,
        most=MOST_WAIT_SECONDS,
        about="Seconds to wait for the first event, if none is there.",
        example=30,
    )
    limit: Any = IntegerField(
        load_default=MOST_EVENTS, least=1, most=MOST_EVENTS, about="How many at most.", example=200
    )


class EventHeadersSchema(RequestSchema):
    """Where a stream was broken off."""

    last = TextField(
        data_key="Last-Event-ID",
        attribute="Last-Event-ID",
        most=15,
        pattern="^[0-9]+$",
        about="For streams: the `id` of the last event you got; it stands for `after`.",
        example="4710",
    )


class EventShownSchema(ResponseSchema):
    """Something that happened to you."""

    id: Any = IntegerField(required=True, about="Its number; numbers grow, with gaps.", example=EVENT_EXAMPLE["id"])
    type: Any = ChoiceField(
        list(TYPES), required=True, about=f"What happened. {EVENT_TYPES_TEXT}", example="turn.ready"
    )
    match: Any = IdField(
        required=True, allow_none=True, about="The match it happened at.", example=EVENT_EXAMPLE["match"]
    )
    tournament: Any = IdField(required=True, allow_none=True, about="The tournament it happened in.")
    seat: Any = IntegerField(required=True, allow_none=True, most=99, about="The seat it is about.", example=1)
    seq: Any = IntegerField(required=True, about="Where the log stood, or which entry it is about.", example=41)
    at: Any = TimestampField(required=True, about="When it happened.", example=EVENT_EXAMPLE["at"])


class EventPageSchema(ResponseSchema):
    """Events, oldest first."""

    items: Any = ListField(NestedField(EventShownSchema(), about="An event."), required=True, about="Oldest first.")
    after: Any = IntegerField(required=True, about="The `after` of your next request.", example=4711)

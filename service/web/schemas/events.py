"""What events take and show."""

from __future__ import annotations

from typing import Any

from service.events.log import TYPES
from service.web.schemas.fields import Choice, Id, Inside, Many, Query, Shown, Strict, Text, When, Whole

LONGEST = 60
MOST = 200
EVENT: dict[str, Any] = {
    "id": 4711,
    "type": "turn.ready",
    "match": "m7q2x9v4k8t3w6zp",
    "seat": 1,
    "seq": 41,
    "at": "2026-11-16T09:30:00.000Z",
}
TOLD = " ".join(f"`{name}`: {about}" for name, about in TYPES.items())


class EventQuery(Query):
    """From where on, and how long to wait."""

    after: Any = Whole(
        load_default=None, about="Only events after this number; left out: those to come from now on.", example=4710
    )
    wait: Any = Whole(
        load_default=0, most=LONGEST, about="Seconds to wait for the first event, if none is there.", example=30
    )
    limit: Any = Whole(load_default=MOST, least=1, most=MOST, about="How many at most.", example=200)


class EventHeaders(Strict):
    """Where a stream was broken off."""

    last = Text(
        data_key="Last-Event-ID",
        attribute="Last-Event-ID",
        most=15,
        pattern="^[0-9]+$",
        about="For streams: the `id` of the last event you got; it stands for `after`.",
        example="4710",
    )


class EventShown(Shown):
    """Something that happened to you."""

    id: Any = Whole(required=True, about="Its number; numbers grow, with gaps.", example=EVENT["id"])
    type: Any = Choice(list(TYPES), required=True, about=f"What happened. {TOLD}", example="turn.ready")
    match: Any = Id(required=True, allow_none=True, about="The match it happened at.", example=EVENT["match"])
    seat: Any = Whole(required=True, allow_none=True, most=99, about="The seat it is about.", example=1)
    seq: Any = Whole(required=True, about="Where the log stood, or which entry it is about.", example=41)
    at: Any = When(required=True, about="When it happened.", example=EVENT["at"])


class EventList(Shown):
    """Events, oldest first."""

    items: Any = Many(Inside(EventShown(), about="An event."), required=True, about="Oldest first.")
    after: Any = Whole(required=True, about="The `after` of your next request.", example=4711)

"""Bodies for events."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes
from service.events.event_shapes import EventShown

MOST_WAIT_SECONDS = 60
MOST_EVENTS = 200


class EventQuery(shapes.Query):
    """The query for events."""

    after: int | None = shapes.number("Only events after this number; omitted: only future events.", 4710, default=None)
    wait: int = shapes.number(
        "Seconds to wait for an event if there is none yet.", 30, most=MOST_WAIT_SECONDS, default=0
    )
    limit: int = shapes.number("Maximum number of items.", 200, most=MOST_EVENTS, least=1, default=MOST_EVENTS)


class EventHeaders(shapes.Body):
    """The headers of a resumed stream."""

    location = "headers"

    last: str | None = shapes.text(
        "For streams: the `id` of the last event you received; used as `after`.",
        "4710",
        most=15,
        pattern="^[0-9]+$",
        key="Last-Event-ID",
        optional=True,
    )


class EventPage(shapes.Shape):
    """Events, oldest first."""

    items: Sequence[EventShown] = shapes.items("Oldest first.")
    after: int = shapes.number("The `after` of your next request.", 4711)

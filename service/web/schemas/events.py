"""What events take and show."""

from __future__ import annotations

from collections.abc import Sequence

from service import shapes
from service.events.event_shapes import EventShown

MOST_WAIT_SECONDS = 60
MOST_EVENTS = 200


class EventQuery(shapes.Query):
    """From where on, and how long to wait."""

    after: int | None = shapes.number(
        "Only events after this number; left out: those to come from now on.", 4710, default=None
    )
    wait: int = shapes.number(
        "Seconds to wait for the first event, if none is there.", 30, most=MOST_WAIT_SECONDS, default=0
    )
    limit: int = shapes.number("How many at most.", 200, most=MOST_EVENTS, least=1, default=MOST_EVENTS)


class EventHeaders(shapes.Body):
    """Where a stream was broken off."""

    last: str | None = shapes.text(
        "For streams: the `id` of the last event you got; it stands for `after`.",
        "4710",
        most=15,
        pattern="^[0-9]+$",
        key="Last-Event-ID",
        optional=True,
        default=None,
    )


class EventPage(shapes.Shape):
    """Events, oldest first."""

    items: Sequence[EventShown] = shapes.items("Oldest first.")
    after: int = shapes.number("The `after` of your next request.", 4711)

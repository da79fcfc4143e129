"""Events: a list that clients can wait for, or a stream."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response, current_app, request

from service import shapes
from service.events import stream
from service.events.dispatcher import newest_settled
from service.events.event_shapes import EventShown
from service.events.stream import EventStream
from service.i18n.catalogue import msg
from service.problems import Problem
from service.shapes import example_json
from service.web import auth, long_poll
from service.web.openapi.blueprint import Answer, Blueprint
from service.web.request_context import current_config
from service.web.responses import to_json
from service.web.stream_limits import RETRY_AFTER_SECONDS, StreamLimits
from service.web.streams import STREAM_KEY

STREAM_MEDIA_TYPE = "text/event-stream"
STREAM_EXAMPLE = f"id: 4711\nevent: turn.ready\ndata: {to_json(example_json(EventShown))}\n\n"
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


blueprint = Blueprint("events", __name__, url_prefix="/v1/events", description="Your events, as they happen.")


class StreamTiming:
    """Timing of a stream: seconds between heartbeats, and its maximum length."""

    heartbeat = 15.0
    longest = 300.0


@blueprint.get("", scope="read")
@blueprint.doc(
    responses={200: {"content": {STREAM_MEDIA_TYPE: {"schema": {"type": "string"}, "example": STREAM_EXAMPLE}}}}
)
def list_events(query: EventQuery, headers: EventHeaders) -> Response | Answer[EventPage]:
    """Read events, or wait for them.

    With `wait` the answer comes as soon as there is an event, or after that many seconds without one. Ask again with
    the `after` of the answer, and you miss nothing. With `Accept: text/event-stream` the events come as a stream
    instead: the names are the types, the data is the JSON of the event, and a comment every 15 seconds shows that the
    connection is alive. A stream ends after five minutes, and with its token; continue with `Last-Event-ID`, as an
    `EventSource` does by itself. A player may keep eight streams open per process. If there is no room for another
    stream or waiting request, the answer is 503; a player with several streams may lose the oldest to one who has none.
    """
    caller = auth.require_caller()
    player = caller.player
    after = _start_after(query, headers.last)
    if request.accept_mimetypes.best_match(["application/json", STREAM_MEDIA_TYPE]) == STREAM_MEDIA_TYPE:
        return _stream_response(caller, after)
    items, reached = stream.events_after(player, after, query.limit)
    if not items and query.wait:
        with long_poll.waiting_slot() as is_free:
            if not is_free:
                raise Problem("not-now", msg("requests.too_many_wait"), retry_after=RETRY_AFTER_SECONDS)
            items, reached = stream.wait_for_events(player, after, query.limit, query.wait, caller.token)
    return EventPage(items=items, after=reached), 200, {"Cache-Control": "no-store"}


def _start_after(query: EventQuery, last: str | None) -> int:
    if last is not None:
        return int(last)
    return int(newest_settled() if query.after is None else query.after)


def _stream_response(caller: auth.Caller, after: int) -> Response:
    places = _stream_limits()
    place = places.take(caller.player)
    timing = (StreamTiming.heartbeat, StreamTiming.longest)
    try:
        stream = EventStream(caller.player, after, *timing, lambda: places.free(place), caller.token)
    except BaseException:
        places.free(place)
        raise
    place.end = stream.end
    request.environ[STREAM_KEY] = stream
    response = Response(iter(stream), content_type=f"{STREAM_MEDIA_TYPE}; charset=utf-8")
    # Called by a server that iterates the response; the gateway closes the stream itself.
    response.call_on_close(stream.close)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _stream_limits() -> StreamLimits:
    most = max(1, current_config().streams)
    places: StreamLimits = current_app.extensions.setdefault("echtra-streams", StreamLimits(most))
    return places

"""Events: a list that can be waited for, or a stream."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import BoundedSemaphore
from typing import Any

from flask import Response, current_app, request

from service.db.connection import DatabaseDown, close_connection
from service.events import stream
from service.i18n.catalogue import msg
from service.problems import Problem
from service.timestamps import rfc3339
from service.web import auth
from service.web.openapi.blueprint import Blueprint
from service.web.request_context import current_config
from service.web.responses import to_json
from service.web.schemas.events import EVENT_EXAMPLE, EventHeadersSchema, EventListSchema, EventQuerySchema

STREAM_MEDIA_TYPE = "text/event-stream"
RETRY_AFTER_SECONDS = 5
STREAM_EXAMPLE = f"id: 4711\nevent: turn.ready\ndata: {to_json(EVENT_EXAMPLE)}\n\n"
blueprint = Blueprint("events", __name__, url_prefix="/v1/events", description="What happened to you, as it happens.")


class StreamTiming:
    """How a stream goes: seconds between signs of life, and how long it lasts."""

    heartbeat = 15.0
    longest = 300.0


@blueprint.route("")
@auth.requires_scope("read")
@blueprint.arguments(EventQuerySchema(), location="query")
@blueprint.arguments(EventHeadersSchema(), location="headers")
@blueprint.response(200, EventListSchema(), example={"items": [EVENT_EXAMPLE], "after": 4711})
@blueprint.doc(
    responses={200: {"content": {STREAM_MEDIA_TYPE: {"schema": {"type": "string"}, "example": STREAM_EXAMPLE}}}}
)
def list_events(query: dict[str, Any], headers: dict[str, str]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Read events, or wait for them.

    With `wait` the answer comes as soon as there is an event, or after so many seconds without one; ask again with
    the `after` of the answer, and nothing is missed. With `Accept: text/event-stream` the events come as a stream
    instead (the names are the types, the data is the JSON of the event), with a comment every 15 seconds as a sign
    of life. A stream ends after five minutes; go on with `Last-Event-ID`, as an `EventSource` does by itself. A
    process keeps a limited number of streams and waiting requests; beyond that the answer is 503.
    """
    player = auth.require_caller().player
    after = _start_after(query, headers.get("Last-Event-ID"))
    if request.accept_mimetypes.best_match(["application/json", STREAM_MEDIA_TYPE]) == STREAM_MEDIA_TYPE:
        return _stream_response(player, after)
    items, reached = stream.events_after(player, after, query["limit"])
    if not items and query["wait"]:
        room = _acquire_slot()
        try:
            items, reached = stream.wait_for_events(player, after, query["limit"], query["wait"])
        finally:
            room.release()
    return {"items": items, "after": reached}, 200, {"Cache-Control": "no-store"}


def _start_after(query: dict[str, Any], last: str | None) -> int:
    if last is not None:
        return int(last)
    return int(stream.newest_settled() if query["after"] is None else query["after"])


def _acquire_slot() -> BoundedSemaphore:
    """Room to wait, to be given back; a thread is held all the while, and the server has one for each."""
    most = max(1, current_config().streams)
    room: BoundedSemaphore = current_app.extensions.setdefault("echtra-streams", BoundedSemaphore(most))
    if not room.acquire(blocking=False):
        raise Problem("not-now", msg("requests.too_many_wait"), retry_after=RETRY_AFTER_SECONDS)
    return room


def _stream_response(player: str, after: int) -> Response:
    room = _acquire_slot()
    response = Response(_generate_stream(player, after), content_type=f"{STREAM_MEDIA_TYPE}; charset=utf-8")
    # Called by the server however the stream ends, even if it never began.
    response.call_on_close(room.release)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _generate_stream(player: str, after: int) -> Iterator[str]:
    until = time.monotonic() + StreamTiming.longest
    yield "retry: 2000\n\n"
    try:
        while (left := until - time.monotonic()) > 0:
            events, reached = stream.wait_for_events(player, after, 100, min(StreamTiming.heartbeat, left))
            for event in events:
                data = to_json({**event, "at": rfc3339(event["at"])})
                yield f"id: {event['id']}\nevent: {event['type']}\ndata: {data}\n\n"
            if not events:
                if stream.is_stopped():
                    return
                yield ": still here\n\n"
            after = reached
    except DatabaseDown:
        # The client comes back with its last id, and finds everything.
        return
    finally:
        # The request was over before the stream began, so nobody else closes what this thread opened for it.
        close_connection()

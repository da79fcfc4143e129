"""Events: a list that can be waited for, or a stream."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import BoundedSemaphore
from typing import Any

from flask import Response, current_app, request

from service.config import Config
from service.db.connection import Down, release
from service.events import stream as streams
from service.problems import Problem
from service.timestamps import rfc3339
from service.web import auth
from service.web.openapi.blueprint import Blueprint
from service.web.responses import json_text
from service.web.schemas.events import EVENT, EventHeaders, EventList, EventQuery

STREAM = "text/event-stream"
RETRY = 5
SAMPLE = f"id: 4711\nevent: turn.ready\ndata: {json_text(EVENT)}\n\n"
blueprint = Blueprint("events", __name__, url_prefix="/v1/events", description="What happened to you, as it happens.")


class Pace:
    """How a stream goes: seconds between signs of life, and how long it lasts."""

    heartbeat = 15.0
    longest = 300.0


@blueprint.route("")
@auth.needs("read")
@blueprint.arguments(EventQuery(), location="query")
@blueprint.arguments(EventHeaders(), location="headers")
@blueprint.response(200, EventList(), example={"items": [EVENT], "after": 4711})
@blueprint.doc(responses={200: {"content": {STREAM: {"schema": {"type": "string"}, "example": SAMPLE}}}})
def events(query: dict[str, Any], given: dict[str, str]) -> Any:  # noqa: ANN401  # as flask-smorest takes it
    """Read events, or wait for them.

    With `wait` the answer comes as soon as there is an event, or after so many seconds without one; ask again with
    the `after` of the answer, and nothing is missed. With `Accept: text/event-stream` the events come as a stream
    instead (the names are the types, the data is the JSON of the event), with a comment every 15 seconds as a sign
    of life. A stream ends after five minutes; go on with `Last-Event-ID`, as an `EventSource` does by itself. A
    process keeps a limited number of streams and waiting requests; beyond that the answer is 503.
    """
    player = auth.current().player
    after = _after(query, given.get("Last-Event-ID"))
    if request.accept_mimetypes.best_match(["application/json", STREAM]) == STREAM:
        return _stream(player, after)
    items, reached = streams.since(player, after, query["limit"])
    if not items and query["wait"]:
        room = _enter()
        try:
            items, reached = streams.wait(player, after, query["limit"], query["wait"])
        finally:
            room.release()
    return {"items": items, "after": reached}, 200, {"Cache-Control": "no-store"}


def _after(query: dict[str, Any], last: str | None) -> int:
    if last is not None:
        return int(last)
    return int(streams.newest() if query["after"] is None else query["after"])


def _enter() -> BoundedSemaphore:
    """Room to wait, to be given back; a thread is held all the while, and the server has one for each."""
    config: Config = current_app.config["ECHTRA"]
    most = max(1, config.streams)
    room: BoundedSemaphore = current_app.extensions.setdefault("echtra-streams", BoundedSemaphore(most))
    if not room.acquire(blocking=False):
        raise Problem("not-now", "Too many wait here for events; ask again without `wait`.", retry_after=RETRY)
    return room


def _stream(player: str, after: int) -> Response:
    room = _enter()
    response = Response(_told(player, after), content_type=f"{STREAM}; charset=utf-8")
    # Called by the server however the stream ends, even if it never began.
    response.call_on_close(room.release)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def _told(player: str, after: int) -> Iterator[str]:
    until = time.monotonic() + Pace.longest
    yield "retry: 2000\n\n"
    try:
        while (left := until - time.monotonic()) > 0:
            found, reached = streams.wait(player, after, 100, min(Pace.heartbeat, left))
            for event in found:
                data = json_text({**event, "at": rfc3339(event["at"])})
                yield f"id: {event['id']}\nevent: {event['type']}\ndata: {data}\n\n"
            if not found:
                if streams.stopped():
                    return
                yield ": still here\n\n"
            after = reached
    except Down:
        # The client comes back with its last id, and finds everything.
        return
    finally:
        # Nobody else ends what this thread began after its request was over.
        release()

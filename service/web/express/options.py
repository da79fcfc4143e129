"""Legal lines without Flask, since programs read them before each of their turns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from service.play import access
from service.play.match_loader import not_started_problem
from service.play.views import SEAT_COLUMNS, SEATS_OF, Viewer
from service.problems import Problem
from service.shapes import ID_PATTERN
from service.web import compression, middleware
from service.web.api.tables import question_and_options
from service.web.auth import Credential
from service.web.express.requests import (
    ExpressAnswer,
    ExpressLane,
    ExpressRequest,
    MatchRead,
    WsgiEnviron,
    refuse,
    start_record,
)
from service.web.request_context import choose_locale
from service.web.responses import to_json

OPTIONS_PATH = re.compile(rf"/v1/matches/({ID_PATTERN.strip('^$')})/options")
SEATS = (SEAT_COLUMNS, f"({SEATS_OF.format(match='m.id')}) as s")
"""Columns that are read with the token: names and deadlines of the seats."""


@dataclass(frozen=True)
class OptionsLane(ExpressLane):
    """Answers plain reads of the legal lines with a token; passes every other request to the next application."""

    rule: ClassVar[str] = "/v1/matches/<id:match>/options"
    standing_headers: ClassVar[Mapping[str, str]] = {"Vary": middleware.VARY, "Cache-Control": middleware.PRIVATE}

    def find_request(self, environ: WsgiEnviron) -> ExpressRequest | None:
        """Return the request if it is a plain read."""
        path = OPTIONS_PATH.fullmatch(environ["PATH_INFO"])
        if path is None or not _is_plain_read(environ):
            return None
        return ExpressRequest(environ, start_record(environ), path[1], Credential(environ["HTTP_AUTHORIZATION"]))

    def answer_together(
        self, requests: Sequence[ExpressRequest]
    ) -> Iterator[tuple[ExpressRequest, ExpressAnswer | None]]:
        """List the lines for each reader with a seat at the table. Other readers need further statements."""
        for request, read in zip(requests, self.read_matches(requests, SEATS), strict=True):
            if isinstance(read, Problem):
                yield request, refuse(read, request)
            elif _seat_of(read) is None:
                yield request, None
            else:
                yield request, _list_options(request, read)

    def answer_alone(self, request: ExpressRequest) -> ExpressAnswer:
        """List the lines for one reader, who may be a spectator."""
        read = self.read_alone(request, SEATS)
        if _seat_of(read) is None:
            access.find_match(request.match, read.caller.player)  # spectators may be allowed to see it
        return _list_options(request, read)


def _seat_of(read: MatchRead) -> int | None:
    return read.match_state.seat_of(read.caller.player) if read.match_state else None


def _list_options(request: ExpressRequest, read: MatchRead) -> ExpressAnswer:
    """Return the question and the legal lines as JSON, compressed if the reader accepts that."""
    if read.match_state is None:
        raise not_started_problem(read.status)
    environ = request.environ
    locale = choose_locale(environ.get("HTTP_ACCEPT_LANGUAGE"), read.caller)
    viewer = Viewer(read.match_state, _seat_of(read), locale, json.loads(read.more[0]))
    body = to_json(question_and_options(viewer)).encode()
    headers = {"Content-Type": "application/json", "ETag": middleware.etag_of(body)}
    packed = compression.pack(body, environ.get("HTTP_ACCEPT_ENCODING", ""))
    if packed is None:
        return 200, headers, body
    return 200, {**headers, "Content-Encoding": "gzip", "ETag": f"W/{headers['ETag']}"}, packed


def _is_plain_read(environ: WsgiEnviron) -> bool:
    """Return True for the usual request of a program: a token, and no further preferences."""
    return (
        environ["REQUEST_METHOD"] == "GET"
        and "HTTP_AUTHORIZATION" in environ
        and "HTTP_IF_NONE_MATCH" not in environ
        and not environ.get("QUERY_STRING")
    )

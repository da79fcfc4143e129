"""The short way of a move: one that is good is answered without Flask, which would cost more than the move itself."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from service.db import connection
from service.play import accept, table_store
from service.play.match_log import HeadMoved
from service.play.submissions import Submission, SubmissionResult
from service.problems import Problem
from service.web import auth, json_body, metrics, middleware, rate_limits
from service.web.auth import Caller
from service.web.rate_limits import RateLimits
from service.web.schemas.fields import ID_PATTERN

MOVES_PATH = re.compile(rf"/v1/matches/({ID_PATTERN.strip('^$')})/moves")
MOVES_RULE = "/v1/matches/<id:match>/moves"
WsgiEnviron = dict[str, Any]
WsgiApplication = Callable[[WsgiEnviron, Any], Iterable[bytes]]
"""What WSGI calls an application."""


@dataclass(frozen=True)
class FastMoves:
    """Makes moves that are plain and good; any other request goes the long way, and so does one it cannot make.

    The long way checks a refused move again from the start and says what is wrong with it, so that is said in one
    place. A move that was made here after all, and lost its answer, gets that answer there: it happens once.
    """

    long_way: WsgiApplication
    limits: RateLimits

    def __call__(self, environ: WsgiEnviron, start_response: Any) -> Iterable[bytes]:  # noqa: ANN401  # as WSGI has it
        """Answer a request."""
        found = MOVES_PATH.fullmatch(environ["PATH_INFO"])
        if found is None or not _is_plain_move(environ):
            return self.long_way(environ, start_response)
        began, length = time.perf_counter(), int(environ["CONTENT_LENGTH"])
        data = environ["wsgi.input"].read(length)
        environ["wsgi.input"] = BytesIO(data)
        if len(data) < length:
            return self.long_way(environ, start_response)
        try:
            body, pairs, player = self._made(environ, found[1], data)
        except Exception:  # noqa: BLE001  # told there
            return self.long_way(environ, start_response)
        connection.release_connection()
        number = middleware.choose_request_id(environ.get("HTTP_X_REQUEST_ID", ""))
        secure = middleware.HTTPS_HEADERS if environ["wsgi.url_scheme"] == "https" else ()
        start_response("202 ACCEPTED", [*pairs, *middleware.CROSS_ORIGIN_HEADERS, *secure, ("X-Request-Id", number)])
        metrics.count_request("POST", MOVES_RULE, 202, began)
        middleware.write_request_line("POST", MOVES_RULE, 202, began, number, player)
        return [body]

    def _made(self, environ: WsgiEnviron, match: str, data: bytes) -> tuple[bytes, list[tuple[str, str]], str]:
        """The answer to a move, its own headers, and who made it."""
        header = environ["HTTP_AUTHORIZATION"]
        who, head = auth.cached_caller(header), None
        if who is None:
            who, head = auth.authenticate_header(header, match)
        fits, limit = rate_limits.count_in_window(self.limits.requests, f"token {who.token}")
        if not fits:
            raise Problem("too-many-requests", "")
        environ[rate_limits.ENVIRON_KEY] = limit
        auth.check_scope(who, "play")
        sent = json_body.parse_submission(data)
        accepted = _accept_from_cache(match, who, sent) if head is None else None
        if accepted is None:
            who, head = (who, head) if head else auth.authenticate_header(header, match)
            accepted = accept.accept(match, who.player, sent, head)
        body = accepted.text.encode()
        own = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        return body, [*own, ("Location", accepted.place), *limit.pairs()], who.player


def _accept_from_cache(match: str, who: Caller, sent: Submission) -> SubmissionResult | None:
    """What became of a move that fits what this process remembers; nothing if that is not true any more."""
    known = table_store.cached_table(match)
    try:
        return accept.accept_in_one_statement(known, who.player, sent, who.token) if known else None
    except HeadMoved:
        return None


def _is_plain_move(environ: WsgiEnviron) -> bool:
    """Whether a request is what nearly every client sends: JSON of a known length, and no wish beside it."""
    length = environ.get("CONTENT_LENGTH") or ""
    return (
        environ["REQUEST_METHOD"] == "POST"
        and environ.get("CONTENT_TYPE") == "application/json"
        and length.isdecimal()
        and int(length) <= json_body.MOST_SUBMISSION_BYTES
        and "HTTP_AUTHORIZATION" in environ
        and "HTTP_TRANSFER_ENCODING" not in environ
        and "HTTP_PREFER" not in environ
        and not environ.get("QUERY_STRING")
    )

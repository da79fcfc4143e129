"""The short way of a move: one that is good is answered without Flask, which would cost more than the move itself."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from peewee import IntegrityError

from service.db import connection as database
from service.play import accept as play
from service.play.submissions import Accepted, Submission
from service.problems import Problem
from service.record import table
from service.web import auth
from service.web import json_body_submitting as submitting
from service.web import middleware_headers as headers
from service.web import middleware_logs as logs
from service.web import rate_limits as limits
from service.web.api import health
from service.web.auth import Who
from service.web.rate_limits import Limits
from service.web.schemas.fields import ID

PATH = re.compile(rf"/v1/matches/({ID.strip('^$')})/moves")
RULE = "/v1/matches/<id:match>/moves"
Environ = dict[str, Any]
Application = Callable[[Environ, Any], Iterable[bytes]]
"""What WSGI calls an application."""


@dataclass(frozen=True)
class Lane:
    """Makes moves that are plain and good; any other request goes the long way, and so does one it cannot make.

    The long way checks a refused move again from the start and says what is wrong with it, so that is said in one
    place. A move that was made here after all, and lost its answer, gets that answer there: it happens once.
    """

    long_way: Application
    limits: Limits

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:  # noqa: ANN401  # as WSGI has it
        """Answer a request."""
        found = PATH.fullmatch(environ["PATH_INFO"])
        if found is None or not _plain(environ):
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
        database.release()
        number = headers.request_id(environ.get("HTTP_X_REQUEST_ID", ""))
        secure = headers.SECURE if environ["wsgi.url_scheme"] == "https" else ()
        start_response("202 ACCEPTED", [*pairs, *headers.SHARED, *secure, ("X-Request-Id", number)])
        health.count("POST", RULE, 202, began)
        logs.line("POST", RULE, 202, began, number, player)
        return [body]

    def _made(self, environ: Environ, match: str, data: bytes) -> tuple[bytes, list[tuple[str, str]], str]:
        """The answer to a move, its own headers, and who made it."""
        header = environ["HTTP_AUTHORIZATION"]
        who, head = auth.remembered(header), None
        if who is None:
            who, head = auth.holder(header, match)
        fits, limit = limits.hit(self.limits.requests, f"token {who.token}")
        if not fits:
            raise Problem("too-many-requests", "")
        environ[limits.COUNTED] = limit
        auth.allowed(who, "play")
        sent = submitting.read(data)
        accepted = _from_memory(match, who, sent) if head is None else None
        if accepted is None:
            who, head = (who, head) if head else auth.holder(header, match)
            accepted = play.accept(match, who.player, sent, head)
        body = accepted.text.encode()
        own = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        return body, [*own, ("Location", accepted.place), *limit.pairs()], who.player


def _from_memory(match: str, who: Who, sent: Submission) -> Accepted | None:
    """What became of a move that fits what this process remembers; nothing if that is not true any more."""
    known = table.remembered(match)
    try:
        return play.at_once(known, who.player, sent, who.token) if known else None
    except IntegrityError:
        return None


def _plain(environ: Environ) -> bool:
    """Whether a request is what nearly every client sends: JSON of a known length, and no wish beside it."""
    length = environ.get("CONTENT_LENGTH") or ""
    return (
        environ["REQUEST_METHOD"] == "POST"
        and environ.get("CONTENT_TYPE") == "application/json"
        and length.isdecimal()
        and int(length) <= submitting.MOST_BYTES
        and "HTTP_AUTHORIZATION" in environ
        and "HTTP_TRANSFER_ENCODING" not in environ
        and "HTTP_PREFER" not in environ
        and not environ.get("QUERY_STRING")
    )

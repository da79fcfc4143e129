"""The short way to the legal lines: answered without Flask, as programs read them before each of their turns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from service.db import connection
from service.play import access
from service.play.table_store import load_table, not_started_problem
from service.play.views import Viewer
from service.problems import Problem
from service.web import auth, compression, errors, middleware, rate_limits
from service.web.api.tables import question_and_options
from service.web.auth import Caller, Credential
from service.web.fast_moves import Answer, WsgiApplication, WsgiEnviron, refuse, send, start_record
from service.web.middleware import RequestRecord
from service.web.rate_limits import RateLimits
from service.web.request_context import choose_locale
from service.web.responses import to_json
from service.web.schemas.fields import ID_PATTERN

OPTIONS_PATH = re.compile(rf"/v1/matches/({ID_PATTERN.strip('^$')})/options")
OPTIONS_RULE = "/v1/matches/<id:match>/options"


@dataclass(frozen=True)
class FastOptions:
    """Answers plain reads of the legal lines with a token; every other request goes on to the next application.

    Both ways make the answer by the same functions.
    """

    next_app: WsgiApplication
    limits: RateLimits

    def __call__(self, environ: WsgiEnviron, start_response: Any) -> Iterable[bytes]:  # noqa: ANN401  # as WSGI has it
        """Answer a request."""
        path = OPTIONS_PATH.fullmatch(environ["PATH_INFO"])
        if path is None or not _is_plain_read(environ):
            return self.next_app(environ, start_response)
        record = start_record(environ)
        answer = self._answer(environ, record, path[1])
        return send(start_response, record, OPTIONS_RULE, answer)

    def _answer(self, environ: WsgiEnviron, record: RequestRecord, match: str) -> Answer:
        try:
            return self._list_options(environ, record, match)
        except Problem as problem:
            return refuse(problem, environ, record)
        except Exception as error:  # noqa: BLE001  # whatever it is, it is noted and told as Flask tells it
            return refuse(errors.problem_of_error(error, record), environ, record)
        finally:
            connection.release_connection()

    def _list_options(self, environ: WsgiEnviron, record: RequestRecord, match: str) -> Answer:
        try:
            record.caller, head = auth.authenticate(Credential(environ["HTTP_AUTHORIZATION"]), match)
        finally:
            rate_limits.count_request(record, self.limits)
        caller = auth.check_scope(record.caller, "read")
        if head is None:
            raise Problem("not-found", access.NO_SUCH_MATCH)
        viewer = _load_viewer(match, head, caller, environ)
        body = to_json(question_and_options(viewer)).encode()
        headers = {
            "Content-Type": "application/json",
            "Vary": middleware.VARY,
            "Cache-Control": middleware.PRIVATE,
            "ETag": middleware.etag_of(body),
        }
        packed = compression.pack(body, environ.get("HTTP_ACCEPT_ENCODING", ""))
        if packed is None:
            return 200, headers, body
        return 200, {**headers, "Content-Encoding": "gzip", "ETag": f"W/{headers['ETag']}"}, packed


def _load_viewer(match: str, head: tuple[str, int, str], caller: Caller, environ: WsgiEnviron) -> Viewer:
    """The table as who asks sees it; whoever has no seat there may still be allowed to look."""
    status, seq, hash_ = head
    table = load_table(match, seq, hash_) if status in ("running", "over") else None
    seat = table.seat_of(caller.player) if table else None
    if seat is None:
        access.find_match(match, caller.player)
    if table is None:
        raise not_started_problem(status)
    return Viewer(table, seat, choose_locale(environ.get("HTTP_ACCEPT_LANGUAGE"), caller))


def _is_plain_read(environ: WsgiEnviron) -> bool:
    """Whether a request is what programs send: a token, and no wish beside it."""
    return (
        environ["REQUEST_METHOD"] == "GET"
        and "HTTP_AUTHORIZATION" in environ
        and "HTTP_IF_NONE_MATCH" not in environ
        and not environ.get("QUERY_STRING")
    )

"""The short way to the legal lines: answered without Flask, as programs read them before each of their turns."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from service.db import connection
from service.db.connection import rows_in_column
from service.play import access
from service.play.table_store import (
    ENTRIES_AFTER,
    ENTRY_COLUMNS,
    MatchHead,
    advance_table,
    cached_table,
    load_table,
    not_started_problem,
)
from service.play.views import SEAT_COLUMNS, SEATS_OF, Viewer
from service.problems import Problem
from service.record.table import Table
from service.web import auth, compression, errors, middleware, rate_limits
from service.web.api.tables import question_and_options
from service.web.fast_moves import Answer, WsgiApplication, WsgiEnviron, refuse, send, start_record
from service.web.middleware import RequestRecord
from service.web.rate_limits import RateLimits
from service.web.request_context import choose_locale
from service.web.responses import to_json
from service.web.schemas.fields import ID_PATTERN

OPTIONS_PATH = re.compile(rf"/v1/matches/({ID_PATTERN.strip('^$')})/options")
OPTIONS_RULE = "/v1/matches/<id:match>/options"
MOST_SEQ = 2**31 - 1
"""After this no entry can come: what is not remembered is loaded in another way."""


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
        status, headers, body = self._answer(environ, record, path[1])
        headers = {"Vary": middleware.VARY, "Cache-Control": middleware.PRIVATE, **headers}
        return send(start_response, record, OPTIONS_RULE, (status, headers, body))

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
        body = to_json(question_and_options(self._load_viewer(environ, record, match))).encode()
        headers = {"Content-Type": "application/json", "ETag": middleware.etag_of(body)}
        packed = compression.pack(body, environ.get("HTTP_ACCEPT_ENCODING", ""))
        if packed is None:
            return 200, headers, body
        return 200, {**headers, "Content-Encoding": "gzip", "ETag": f"W/{headers['ETag']}"}, packed

    def _load_viewer(self, environ: WsgiEnviron, record: RequestRecord, match: str) -> Viewer:
        """The table as who asks sees it, who that is, names and deadlines, all by one statement."""
        known = cached_table(match)
        columns = (
            rows_in_column(SEAT_COLUMNS, f"({SEATS_OF.format(match='m.id')}) as s"),
            rows_in_column(ENTRY_COLUMNS, f"({ENTRIES_AFTER.format(match='m.id')}) as e"),
        )
        after = known.seq if known else MOST_SEQ
        try:
            caller, head, (seats, entries) = auth.authenticate_and_read(
                environ["HTTP_AUTHORIZATION"], match, columns, (after,)
            )
            record.caller = caller
        finally:
            rate_limits.count_request(record, self.limits)
        if head is None:
            raise Problem("not-found", access.NO_SUCH_MATCH)
        table = _table_at(match, head, known, entries) if head[0] in ("running", "over") else None
        seat = table.seat_of(caller.player) if table else None
        if seat is None:
            access.find_match(match, caller.player)  # they may still be allowed to look
        if table is None:
            raise not_started_problem(head[0])
        return Viewer(table, seat, choose_locale(environ.get("HTTP_ACCEPT_LANGUAGE"), caller), json.loads(seats))


def _table_at(match: str, head: MatchHead, known: Table | None, entries: str) -> Table:
    """The table at the head: the remembered one after the entries that follow it, else loaded."""
    _, seq, hash_ = head
    if known is None or known.seq > seq:
        return load_table(match, seq, hash_)
    return advance_table(known, json.loads(entries), head)


def _is_plain_read(environ: WsgiEnviron) -> bool:
    """Whether a request is what programs send: a token, and no wish beside it."""
    return (
        environ["REQUEST_METHOD"] == "GET"
        and "HTTP_AUTHORIZATION" in environ
        and "HTTP_IF_NONE_MATCH" not in environ
        and not environ.get("QUERY_STRING")
    )

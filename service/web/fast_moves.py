"""The short way of a move: read from WSGI and answered without Flask, which would cost more than the move itself."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from werkzeug.http import HTTP_STATUS_CODES

from service.config import Config
from service.db import connection
from service.play.accept import RememberedToken
from service.play.submissions import SubmissionResult
from service.play.table_store import MatchHead
from service.problems import Problem
from service.web import auth, errors, json_body, middleware, rate_limits, session
from service.web.api.moves import accept_body
from service.web.auth import Credential
from service.web.middleware import RequestRecord
from service.web.rate_limits import RateLimits
from service.web.request_context import choose_locale
from service.web.schemas.fields import ID_PATTERN

MOVES_PATH = re.compile(rf"/v1/matches/({ID_PATTERN.strip('^$')})/moves")
MOVES_RULE = "/v1/matches/<id:match>/moves"
WsgiEnviron = dict[str, Any]
WsgiApplication = Callable[[WsgiEnviron, Any], Iterable[bytes]]
"""What WSGI calls an application."""
Answer = tuple[int, dict[str, str], bytes]
"""Status, headers and body."""


@dataclass(frozen=True)
class FastMoves:
    """Answers moves that come as nearly every client sends them, good or not; every other request goes to Flask.

    Both ways check a move by the same functions, and tell a refusal or a fault by the same.
    """

    flask_app: WsgiApplication
    limits: RateLimits
    config: Config

    def __call__(self, environ: WsgiEnviron, start_response: Any) -> Iterable[bytes]:  # noqa: ANN401  # as WSGI has it
        """Answer a request."""
        path = MOVES_PATH.fullmatch(environ["PATH_INFO"])
        if path is None or not _is_plain_move(environ):
            return self.flask_app(environ, start_response)
        credential = session.find_credential(environ, self.config)
        if credential is None:
            return self.flask_app(environ, start_response)
        record = start_record(environ)
        record.by_cookie = credential.by_cookie
        length = int(environ["CONTENT_LENGTH"])
        data = environ["wsgi.input"].read(length)
        if len(data) < length:
            environ["wsgi.input"] = BytesIO(data)
            return self.flask_app(environ, start_response)
        return send(start_response, record, MOVES_RULE, self._answer(environ, record, credential, path[1], data))

    def _answer(
        self, environ: WsgiEnviron, record: RequestRecord, credential: Credential, match: str, data: bytes
    ) -> Answer:
        try:
            return self._accept_orrefuse(environ, record, credential, match, data)
        except Exception as error:  # noqa: BLE001  # whatever it is, it is noted and told as Flask tells it
            return refuse(errors.problem_of_error(error, record), environ, record)
        finally:
            connection.release_connection()

    def _accept_orrefuse(
        self, environ: WsgiEnviron, record: RequestRecord, credential: Credential, match: str, data: bytes
    ) -> Answer:
        try:
            accepted = self._accept_move(credential, record, match, data)
        except Problem as problem:
            return refuse(problem, environ, record)
        return 202, {"Content-Type": "application/json", "Location": accepted.path}, accepted.text.encode()

    def _accept_move(self, credential: Credential, record: RequestRecord, match: str, data: bytes) -> SubmissionResult:
        def read_head() -> MatchHead | None:
            record.caller = None
            record.caller, head = auth.authenticate(credential, match)
            auth.check_scope(record.caller, "read")
            return head

        record.caller, token, head = auth.cached_caller(credential), None, None
        try:
            if record.caller is None:
                head = read_head()
            else:
                token = RememberedToken(record.caller.token, read_head)
        finally:
            rate_limits.count_request(record, self.limits)
        return accept_body(match, data, record, self.limits, token=token, head=head)


def send(start_response: Any, record: RequestRecord, rule: str, answer: Answer) -> Iterable[bytes]:  # noqa: ANN401
    """Hand an answer to the server, with the headers that every answer has, and note it."""
    status, headers, body = answer
    headers["Content-Length"] = str(len(body))
    if record.by_cookie:
        headers.setdefault("Cache-Control", middleware.PRIVATE)
    start_response(f"{status} {HTTP_STATUS_CODES[status].upper()}", [*headers.items(), *middleware.api_headers(record)])
    record.finish(rule, status)
    return [body]


def start_record(environ: WsgiEnviron) -> RequestRecord:
    """Begin the record of a request that Flask does not answer."""
    request_id = middleware.choose_request_id(environ.get("HTTP_X_REQUEST_ID", ""))
    return RequestRecord(
        environ["REQUEST_METHOD"], request_id, environ.get("REMOTE_ADDR"), environ["wsgi.url_scheme"] == "https"
    )


def refuse(problem: Problem, environ: WsgiEnviron, record: RequestRecord) -> Answer:
    """The answer to a request that is refused."""
    text, headers = errors.render_problem(problem, choose_locale(environ.get("HTTP_ACCEPT_LANGUAGE"), record.caller))
    return problem.status, headers, text.encode()


def _is_plain_move(environ: WsgiEnviron) -> bool:
    """Whether a request is what nearly every client sends: JSON of a known length, and no wish beside it."""
    length = environ.get("CONTENT_LENGTH") or ""
    return (
        environ["REQUEST_METHOD"] == "POST"
        and environ.get("CONTENT_TYPE") == "application/json"
        and length.isdecimal()
        and int(length) <= json_body.MOST_SUBMISSION_BYTES
        and "HTTP_TRANSFER_ENCODING" not in environ
        and "HTTP_PREFER" not in environ
        and not environ.get("QUERY_STRING")
    )

"""The short way of a move: read from WSGI and answered without Flask, which would cost more than the move itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import ClassVar

from service.config import Config
from service.play import accept
from service.play.accept import PreparedSubmission, Submission, SubmissionResult
from service.play.match_loader import MatchHead
from service.play.match_log import LogAddition
from service.play.submission_batches import append_submissions
from service.problems import Problem
from service.web import auth, json_body, rate_limits, session
from service.web.api.moves import accept_submission
from service.web.fast_requests import FastAnswer, FastApplication, FastRequest, WsgiEnviron, refuse, start_record
from service.web.rate_limits import RateLimits
from service.web.schemas.fields import ID_PATTERN

MOVES_PATH = re.compile(rf"/v1/matches/({ID_PATTERN.strip('^$')})/moves")


@dataclass(frozen=True)
class PreparedMove:
    """A move whose sender is remembered, as it was read from its request, and what it comes to."""

    sent: Submission
    prepared: PreparedSubmission


@dataclass(frozen=True)
class FastMoves(FastApplication):
    """Answers moves that come as nearly every client sends them; every other request goes to Flask."""

    limits: RateLimits
    config: Config
    rule: ClassVar[str] = "/v1/matches/<id:match>/moves"

    def find_request(self, environ: WsgiEnviron) -> FastRequest | None:
        """The request, if it is a plain move of somebody who says who they are."""
        path = MOVES_PATH.fullmatch(environ["PATH_INFO"])
        if path is None or not _is_plain_move(environ):
            return None
        credential = session.find_credential(environ, self.config)
        if credential is None:
            return None
        length = int(environ["CONTENT_LENGTH"])
        data = environ["wsgi.input"].read(length)
        if len(data) < length:
            environ["wsgi.input"] = BytesIO(data)
            return None
        record = start_record(environ)
        record.by_cookie = credential.by_cookie
        return FastRequest(environ, record, path[1], credential, data)

    def answer_together(self, requests: Sequence[FastRequest]) -> Iterator[tuple[FastRequest, FastAnswer | None]]:
        """Make moves that fit what this process remembers, of each match one, by one statement."""
        additions: dict[str, tuple[FastRequest, LogAddition[SubmissionResult]]] = {}
        for request in requests:
            try:
                prepared = self._prepare(request)
            except Problem as problem:
                yield request, refuse(problem, request)
                continue
            if prepared is None or prepared.addition is None or request.match in additions:
                yield request, None
            else:
                additions[request.match] = request, prepared.addition
        if not additions:
            return
        written = append_submissions([addition for _, addition in additions.values()])
        for (request, addition), is_written in zip(additions.values(), written, strict=True):
            yield request, _accepted_answer(addition.result) if is_written else None

    def _prepare(self, request: FastRequest) -> PreparedSubmission | None:
        """Decide about a move without the database; nothing if its sender must be looked up first."""
        record = request.record
        record.caller = auth.cached_caller(request.credential)
        if record.caller is None:
            return None
        if record.limit is None:
            rate_limits.count_request(record, self.limits)
        caller = auth.check_scope(record.caller, "play")
        sent = json_body.parse_submission(request.data)
        prepared = accept.prepare(request.match, caller.player, sent, caller.token)
        request.state = PreparedMove(sent, prepared)
        return prepared

    def answer_alone(self, request: FastRequest) -> FastAnswer:
        """Make a move after reading who sends it and where its match is."""
        record, tried = request.record, request.state
        if isinstance(tried, PreparedMove):
            head, sent, prepared = self._read_head(request), tried.sent, tried.prepared
        else:
            try:
                head = self._read_head(request)
            finally:
                rate_limits.count_request(record, self.limits)
            auth.check_scope(record.caller, "play")
            sent, prepared = json_body.parse_submission(request.data), None
        return _accepted_answer(
            accept_submission(request.match, sent, record, self.limits, prepared=prepared, head=head)
        )

    def _read_head(self, request: FastRequest) -> MatchHead | None:
        """The head of the match, if there is such a match; refuses if the token is not good any more."""
        record = request.record
        record.caller = None
        record.caller, head = auth.authenticate(request.credential, request.match)
        auth.check_scope(record.caller, "read")
        return head


def _accepted_answer(accepted: SubmissionResult) -> FastAnswer:
    return 202, {"Content-Type": "application/json", "Location": accepted.path}, accepted.text.encode()


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

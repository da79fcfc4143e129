"""Moves without Flask, which would cost more than the move itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import ClassVar

from service.config import Config
from service.play import accept
from service.play.match_log import AdditionOr, LogAddition, append
from service.play.submissions import Submission, SubmissionResult
from service.problems import Problem
from service.shapes import ID_PATTERN
from service.web import auth, json_body, rate_limits, session
from service.web.express.requests import (
    ExpressAnswer,
    ExpressLane,
    ExpressRequest,
    MatchRead,
    WsgiEnviron,
    refuse,
    start_record,
)

MOVES_PATH = re.compile(rf"/v1/matches/({ID_PATTERN.strip('^$')})/moves")


@dataclass(frozen=True)
class MovesLane(ExpressLane):
    """Answers moves in the form that nearly every client sends; every other request goes to Flask."""

    config: Config
    rule: ClassVar[str] = "/v1/matches/<id:match>/moves"

    def find_request(self, environ: WsgiEnviron) -> ExpressRequest | None:
        """Return the request if it is a plain move with a credential."""
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
        return ExpressRequest(environ, record, path[1], credential, data)

    def answer_together(
        self, requests: Sequence[ExpressRequest]
    ) -> Iterator[tuple[ExpressRequest, ExpressAnswer | None]]:
        """Read everything that these moves need by one statement, decide each, and write them by another."""
        additions: list[tuple[ExpressRequest, LogAddition[SubmissionResult]]] = []
        for request, read in zip(requests, self.read_matches(requests), strict=True):
            try:
                decision = self._decide(request, read)
            except Problem as problem:
                yield request, refuse(problem, request)
                continue
            if not isinstance(decision, LogAddition):
                yield request, _accepted_answer(decision)
            elif decision.also is not None:
                yield request, None  # a note or orders: their extra statements would hold up all the other moves
            else:
                additions.append((request, decision))
        written = append([addition for _, addition in additions], wait=False)
        for (request, addition), is_written in zip(additions, written, strict=True):
            yield request, _accepted_answer(addition.result) if is_written else None

    def _decide(self, request: ExpressRequest, read: MatchRead | Problem) -> AdditionOr[SubmissionResult]:
        if isinstance(read, Problem):
            raise read
        player, sent = _parse(request, read)
        with rate_limits.counting_failed_signatures(request.record, self.limits):
            return accept.decide_at_head(request.match, read.status, read.match_state, player, sent)

    def answer_alone(self, request: ExpressRequest) -> ExpressAnswer:
        """Make one move, waiting for a lock on its match if necessary."""
        read = self.read_alone(request)
        player, sent = _parse(request, read)
        with rate_limits.counting_failed_signatures(request.record, self.limits):
            return _accepted_answer(accept.accept(request.match, player, sent, head=read.head))


def _parse(request: ExpressRequest, read: MatchRead) -> tuple[str, Submission]:
    """Return the player and their submission. Raise Problem for a token that may not play, or a faulty body."""
    return auth.check_scope(read.caller, "play").player, json_body.parse_submission(request.data)


def _accepted_answer(accepted: SubmissionResult) -> ExpressAnswer:
    return 202, {"Content-Type": "application/json", "Location": accepted.path}, accepted.text.encode()


def _is_plain_move(environ: WsgiEnviron) -> bool:
    """Return True for the usual request: JSON of a known length, and no further preferences."""
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

"""Shared by all express lanes: requests, the read of tokens and matches, refusals, and the headers of an answer.

A lane is a WSGI application in front of Flask. It takes requests in the form that nearly every client sends, valid or
not, and passes every other one on; both ways answer by the same functions. A lane decides nothing by itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from peewee import PeeweeException
from werkzeug.http import HTTP_STATUS_CODES

from service.db import connection
from service.play.match_loader import NEW_ENTRIES, MatchHead, find_cached_match_states, match_states_at_heads
from service.problems import Problem
from service.record.match_state import MatchState
from service.web import auth, errors, middleware, rate_limits
from service.web.auth import Caller, Credential, TokenOwner, TokenUse
from service.web.middleware import RequestRecord
from service.web.rate_limits import RateLimits
from service.web.request_context import choose_locale

WsgiEnviron = dict[str, Any]
WsgiApplication = Callable[[WsgiEnviron, Any], Iterable[bytes]]
"""A WSGI application."""
ExpressAnswer = tuple[int, dict[str, str], bytes]
"""Status, headers and body."""
Headers = list[tuple[str, str]]


@dataclass(eq=False)
class ExpressRequest:
    """A request that is answered without Flask."""

    environ: WsgiEnviron
    record: RequestRecord
    match: str
    credential: Credential
    data: bytes = b""
    """Its body."""


@dataclass(frozen=True)
class MatchRead:
    """The caller of a request, and the match at its head."""

    caller: Caller
    head: MatchHead | None
    """None if there is no such match."""
    match_state: MatchState | None
    """None if the match has not started."""
    more: tuple[Any, ...]
    """Further columns, as requested by the lane."""

    @property
    def status(self) -> str:
        """The status of the match; empty if there is no match."""
        return self.head[0] if self.head else ""


@dataclass(frozen=True)
class ExpressLane(ABC):
    """Answers one kind of request, alone or many together, and passes every other request on."""

    next_app: WsgiApplication
    limits: RateLimits
    rule: ClassVar[str]
    """Name of its requests in the log."""
    standing_headers: ClassVar[Mapping[str, str]] = {}
    """Default headers of its answers."""

    @abstractmethod
    def find_request(self, environ: WsgiEnviron) -> ExpressRequest | None:
        """Return the request if it is one of this kind."""

    @abstractmethod
    def answer_together(
        self, requests: Sequence[ExpressRequest]
    ) -> Iterator[tuple[ExpressRequest, ExpressAnswer | None]]:
        """Answer requests that arrived at the same time. Yield None for one that must be answered alone.

        Never wait for a lock: a request for a match that another transaction holds is left to `answer_alone`.
        """

    @abstractmethod
    def answer_alone(self, request: ExpressRequest) -> ExpressAnswer:
        """Answer one request that could not be answered together with others. Raise Problem to refuse it."""

    def __call__(self, environ: WsgiEnviron, start_response: Any) -> Iterable[bytes]:  # noqa: ANN401  # as WSGI has it
        """Answer a request."""
        request = self.find_request(environ)
        if request is None:
            return self.next_app(environ, start_response)
        ((_, answer),) = self.answer_batch([request])
        status, headers, body = self.finish(request, answer or self.answer_or_refuse(request))
        start_response(f"{status} {HTTP_STATUS_CODES[status].upper()}", headers)
        return [body]

    def answer_batch(self, requests: Sequence[ExpressRequest]) -> Iterator[tuple[ExpressRequest, ExpressAnswer | None]]:
        """Answer requests together. If that fails as a whole, leave each of them to `answer_alone`."""
        left = dict.fromkeys(requests)
        try:
            for request, answer in self.answer_together(requests):
                del left[request]
                yield request, answer
        except Exception as error:  # noqa: BLE001  # each request meets it again alone, then logs and answers it
            if isinstance(error, PeeweeException):
                connection.drop_connections()
        finally:
            connection.release_connection()
        yield from left.items()

    def answer_or_refuse(self, request: ExpressRequest) -> ExpressAnswer:
        """Answer a request alone. A refusal or an error looks as it would from Flask."""
        try:
            try:
                return self.answer_alone(request)
            except Problem as problem:
                return refuse(problem, request)
        except Exception as error:  # noqa: BLE001  # logged and answered as Flask does
            return refuse(errors.problem_of_error(error, request.record), request)
        finally:
            connection.release_connection()

    def finish(self, request: ExpressRequest, answer: ExpressAnswer) -> tuple[int, Headers, bytes]:
        """Add the standard headers to an answer, and count and log the request."""
        status, own, body = answer
        headers = {**self.standing_headers, **own, "Content-Length": str(len(body))}
        if request.record.by_cookie:
            headers.setdefault("Cache-Control", middleware.PRIVATE)
        request.record.finish(self.rule, status)
        return status, [*headers.items(), *middleware.api_headers(request.record)], body

    def read_alone(self, request: ExpressRequest, *columns: tuple[str, str]) -> MatchRead:
        """Read what one request needs. Raise Problem to refuse its sender. The request is counted in any case."""
        try:
            (read,) = self.read_matches([request], *columns)
        finally:
            self._count_request(request)
        if isinstance(read, Problem):
            raise read
        return read

    def read_matches(self, requests: Sequence[ExpressRequest], *columns: tuple[str, str]) -> list[MatchRead | Problem]:
        """Read the sender of each request and its match at the head, by one statement for all.

        Up to two more statements load the matches that this process has not cached.
        """
        cached, seqs = find_cached_match_states({request.match for request in requests})
        uses = [TokenUse(request.credential, request.match, seqs[request.match]) for request in requests]
        owners = [
            self._check_owner(request, owner)
            for request, owner in zip(requests, auth.authenticate_all(uses, (NEW_ENTRIES, *columns)), strict=True)
        ]
        heads = {
            request.match: (*owner.head[1:], owner.more[0])
            for request, owner in zip(requests, owners, strict=True)
            if isinstance(owner, TokenOwner) and owner.head and owner.head[0] in ("running", "over")
        }
        at_heads = match_states_at_heads(cached, heads)
        return [
            owner
            if isinstance(owner, Problem)
            else MatchRead(owner.caller, owner.head, at_heads.get(request.match), owner.more[1:])
            for request, owner in zip(requests, owners, strict=True)
        ]

    def _check_owner(self, request: ExpressRequest, owner: TokenOwner | Problem | None) -> TokenOwner | Problem:
        """Count a request against its sender. Return the refusal if the sender may not make it."""
        request.record.caller = owner.caller if isinstance(owner, TokenOwner) else None
        try:
            self._count_request(request)
        except Problem as problem:
            return problem
        return auth.no_token_problem() if owner is None else owner

    def _count_request(self, request: ExpressRequest) -> None:
        """Count a request, once."""
        if request.record.limit is None:
            rate_limits.count_request(request.record, self.limits)


def start_record(environ: WsgiEnviron) -> RequestRecord:
    """Start the record of a request that Flask does not answer."""
    request_id = middleware.choose_request_id(environ.get("HTTP_X_REQUEST_ID", ""))
    return RequestRecord(
        environ["REQUEST_METHOD"], request_id, environ.get("REMOTE_ADDR"), environ["wsgi.url_scheme"] == "https"
    )


def refuse(problem: Problem, request: ExpressRequest) -> ExpressAnswer:
    """Return the answer to a refused request."""
    locale = choose_locale(request.environ.get("HTTP_ACCEPT_LANGUAGE"), request.record.caller)
    text, headers = errors.render_problem(problem, locale)
    return problem.status, headers, text.encode()

"""Requests that are answered without Flask, which costs more than they do: what the two kinds of them share.

Each kind is a WSGI application in front of Flask. It takes the requests that are as nearly every client sends them,
good or not, and hands every other one on; both ways make an answer by the same functions. The gateway gives it many
requests at once, so that they share their way to the database.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from peewee import PeeweeException
from werkzeug.http import HTTP_STATUS_CODES

from service.db import connection
from service.problems import Problem
from service.web import errors, middleware
from service.web.auth import Credential
from service.web.middleware import RequestRecord
from service.web.request_context import choose_locale

WsgiEnviron = dict[str, Any]
WsgiApplication = Callable[[WsgiEnviron, Any], Iterable[bytes]]
"""What WSGI calls an application."""
FastAnswer = tuple[int, dict[str, str], bytes]
"""Status, headers and body."""
Headers = list[tuple[str, str]]


@dataclass(eq=False)
class FastRequest:
    """A request that is answered without Flask."""

    environ: WsgiEnviron
    record: RequestRecord
    match: str
    credential: Credential
    data: bytes = b""
    """Its body."""
    state: Any = None
    """What is known of it once it was tried together with others."""


@dataclass(frozen=True)
class FastApplication(ABC):
    """Answers one kind of requests, alone or many together, and hands on every other one."""

    next_app: WsgiApplication
    rule: ClassVar[str]
    """What the log calls its requests."""
    standing_headers: ClassVar[Mapping[str, str]] = {}
    """What each of its answers carries unless it says otherwise."""

    @abstractmethod
    def find_request(self, environ: WsgiEnviron) -> FastRequest | None:
        """The request, if it is one of this kind."""

    @abstractmethod
    def answer_together(self, requests: Sequence[FastRequest]) -> Iterator[tuple[FastRequest, FastAnswer | None]]:
        """Answer requests that came at the same time; None for one that must be answered alone.

        Waits for nobody: what another transaction holds is left for `answer_alone`.
        """

    @abstractmethod
    def answer_alone(self, request: FastRequest) -> FastAnswer:
        """Answer one request, after it was tried together with others; raises Problem if it is refused."""

    def __call__(self, environ: WsgiEnviron, start_response: Any) -> Iterable[bytes]:  # noqa: ANN401  # as WSGI has it
        """Answer a request."""
        request = self.find_request(environ)
        if request is None:
            return self.next_app(environ, start_response)
        ((_, answer),) = self.answer_batch([request])
        status, headers, body = self.finish(request, answer or self.answer_or_refuse(request))
        start_response(f"{status} {HTTP_STATUS_CODES[status].upper()}", headers)
        return [body]

    def answer_batch(self, requests: Sequence[FastRequest]) -> Iterator[tuple[FastRequest, FastAnswer | None]]:
        """Answer requests together; whatever goes wrong with all of them is left to each alone."""
        left = dict.fromkeys(requests)
        try:
            for request, answer in self.answer_together(requests):
                del left[request]
                yield request, answer
        except Exception as error:  # noqa: BLE001  # each of them meets it again, notes it and tells of it
            if isinstance(error, PeeweeException):
                connection.drop_connections()
        finally:
            connection.release_connection()
        yield from left.items()

    def answer_or_refuse(self, request: FastRequest) -> FastAnswer:
        """Answer a request alone; a refusal or a fault is told as Flask tells it."""
        try:
            try:
                return self.answer_alone(request)
            except Problem as problem:
                return refuse(problem, request)
        except Exception as error:  # noqa: BLE001  # whatever it is, it is noted and told as Flask tells it
            return refuse(errors.problem_of_error(error, request.record), request)
        finally:
            connection.release_connection()

    def finish(self, request: FastRequest, answer: FastAnswer) -> tuple[int, Headers, bytes]:
        """An answer with the headers that every answer has; the request is counted and noted."""
        status, own, body = answer
        headers = {**self.standing_headers, **own, "Content-Length": str(len(body))}
        if request.record.by_cookie:
            headers.setdefault("Cache-Control", middleware.PRIVATE)
        request.record.finish(self.rule, status)
        return status, [*headers.items(), *middleware.api_headers(request.record)], body


def start_record(environ: WsgiEnviron) -> RequestRecord:
    """Begin the record of a request that Flask does not answer."""
    request_id = middleware.choose_request_id(environ.get("HTTP_X_REQUEST_ID", ""))
    return RequestRecord(
        environ["REQUEST_METHOD"], request_id, environ.get("REMOTE_ADDR"), environ["wsgi.url_scheme"] == "https"
    )


def refuse(problem: Problem, request: FastRequest) -> FastAnswer:
    """The answer to a request that is refused."""
    locale = choose_locale(request.environ.get("HTTP_ACCEPT_LANGUAGE"), request.record.caller)
    text, headers = errors.render_problem(problem, locale)
    return problem.status, headers, text.encode()

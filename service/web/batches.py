"""Threads that answer requests: one request each through Flask, or many together on an express lane."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from threading import Thread

import structlog

from service.db.connection import close_connection
from service.events.stream import EventStream
from service.web.express.requests import ExpressAnswer, ExpressLane, ExpressRequest, WsgiApplication, WsgiEnviron
from service.web.streams import STREAM_KEY, Headers, Responder

MOST_TOGETHER = 32
"""Maximum number of requests that an express lane answers together."""
FAULT = 500, [("content-type", "text/plain")], b"The server failed to answer.\n"
log = structlog.get_logger("web")


@dataclass
class Answer:
    """The answer of the application to a request."""

    status: int = 500
    headers: Headers = field(default_factory=list)
    body: bytes = b""
    stream: EventStream | None = None


Finish = Callable[[Answer | None], None]
"""Called in a thread with None when an answer was sent, or with the answer if it is a stream."""


class RequestThreads:
    """Threads that answer requests, each request in one of them from start to end."""

    def __init__(self, count: int) -> None:
        self.tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads = [Thread(target=self._run, name=f"web-{number}", daemon=True) for number in range(count)]
        for thread in self._threads:
            thread.start()

    def stop(self, seconds: float) -> None:
        """Let each thread finish its request and end."""
        for _ in self._threads:
            self.tasks.put(None)
        for thread in self._threads:
            thread.join(seconds)

    def _run(self) -> None:
        while (task := self.tasks.get()) is not None:
            task()
        close_connection()


def answer_request(app: WsgiApplication, environ: WsgiEnviron, protocol: Responder, finish: Finish) -> None:
    """Answer a request by a WSGI application."""
    try:
        answer = call_application(app, environ)
    except Exception:
        # Flask answers every error of a view; what arrives here is a bug in the gateway or the WSGI middleware.
        log.exception("request failed", path=environ["PATH_INFO"])
        answer = Answer(*FAULT)
    if answer.stream is None:
        send_answer(protocol, answer)
    finish(answer if answer.stream else None)


@dataclass(frozen=True)
class WaitingRequest:
    """A request for an express lane, waiting for its thread."""

    request: ExpressRequest
    protocol: Responder
    finish: Finish


class BatchThread:
    """A thread that answers requests of one kind without Flask: all that arrived while it answered others, together.

    They share a round trip to the database, so the more there are, the less each costs.
    """

    def __init__(self, app: ExpressLane, others: RequestThreads) -> None:
        self.app = app
        self.others = others
        """Threads for requests that cannot be answered together with others."""
        self.requests: SimpleQueue[WaitingRequest | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name=f"web{app.rule.rpartition('/')[2]}", daemon=True)
        self._thread.start()

    def stop(self, seconds: float) -> None:
        """Answer waiting requests, then end the thread."""
        self.requests.put(None)
        self._thread.join(seconds)

    def _run(self) -> None:
        is_stopped = False
        while not is_stopped:
            batch = [self.requests.get()]
            with suppress(Empty):
                while len(batch) < MOST_TOGETHER:
                    batch.append(self.requests.get_nowait())
            is_stopped = None in batch
            self._answer({waiting.request: waiting for waiting in batch if waiting is not None})
        close_connection()

    def _answer(self, batch: dict[ExpressRequest, WaitingRequest]) -> None:
        for request, answer in self.app.answer_batch([*batch]):
            if answer is None:
                self.others.tasks.put(partial(self._answer_alone, batch[request]))
            else:
                self._send(batch[request], answer)

    def _answer_alone(self, waiting: WaitingRequest) -> None:
        self._send(waiting, self.app.answer_or_refuse(waiting.request))

    def _send(self, waiting: WaitingRequest, answer: ExpressAnswer) -> None:
        try:
            finished = Answer(*self.app.finish(waiting.request, answer))
        except Exception:
            # The thread must survive for the other requests, whatever fails in the metrics or headers of this one.
            log.exception("request failed", path=waiting.request.environ["PATH_INFO"])
            finished = Answer(*FAULT)
        send_answer(waiting.protocol, finished)
        waiting.finish(None)


def call_application(app: WsgiApplication, environ: WsgiEnviron) -> Answer:
    """Run a WSGI application and collect its answer."""
    answer = Answer()

    def start_response(status: str, headers: Headers, exc_info: object = None) -> None:  # noqa: ARG001  # as WSGI has it
        answer.status, answer.headers = int(status[:3]), headers

    parts = app(environ, start_response)
    if STREAM_KEY in environ:
        answer.stream = environ[STREAM_KEY]
        return answer
    try:
        answer.body = b"".join(parts)
    finally:
        if hasattr(parts, "close"):
            parts.close()
    return answer


def send_answer(protocol: Responder, answer: Answer) -> None:
    """Send a whole answer through the server."""
    with suppress(RuntimeError):  # the client has disconnected
        if answer.body:
            protocol.response_bytes(answer.status, answer.headers, answer.body)
        else:
            protocol.response_empty(answer.status, answer.headers)

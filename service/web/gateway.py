"""The way from granian to the application: bodies are read before a thread is taken, event streams never take one.

Granian calls `Gateway` in an event loop (RSGI). A request waits there for its body, which has a deadline and a cap for
each address, and only then goes to one of the threads that run the WSGI application. A view that answers with an event
stream leaves it in the environment; the loop sends it, however many there are.
"""

from __future__ import annotations

import asyncio
import io
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from queue import SimpleQueue
from threading import Thread
from typing import Any, Protocol
from urllib.parse import unquote_to_bytes

import structlog

from service.config import Config
from service.db.connection import close_connection
from service.events.stream import EventStream
from service.i18n.catalogue import msg
from service.problems import Problem
from service.web import errors, middleware
from service.web.request_context import choose_locale

MOST_BYTES = 2 * 1024 * 1024
"""The largest body that is kept for the application, which takes less everywhere."""
MOST_DRAINED_BYTES = 32 * 1024 * 1024
"""How much of a body that is too large is read and dropped: most programs look for an answer only after sending."""
MOST_BODIES = 2_000
"""How many bodies may be on their way to one process."""
MOST_BODIES_OF_ADDRESS = 100
"""How many of them may come from one address, where no proxy stands between."""
MOST_REQUESTS = 4_096
"""How many requests granian lets into a process, streams included; the others wait until it accepts them."""
STREAM_KEY = "echtra.stream"
"""Where a view leaves an event stream that is to be sent after the headers of its answer."""
WsgiEnviron = dict[str, Any]
WsgiApplication = Callable[[WsgiEnviron, Any], Iterable[bytes]]
Headers = list[tuple[str, str]]
log = structlog.get_logger("web")


class RsgiScope(Protocol):
    """What granian says of a request."""

    http_version: str
    server: str
    client: str
    scheme: str
    method: str
    path: str
    query_string: str
    headers: Any


@dataclass
class Answer:
    """What the application said to a request, once it has."""

    status: int = 500
    headers: Headers = field(default_factory=list)
    body: bytes = b""
    stream: EventStream | None = None


@dataclass(frozen=True)
class Request:
    """A request with its whole body, on its way to a thread."""

    environ: WsgiEnviron
    protocol: Any
    finish: Callable[[Answer | None], None]
    """Called in the thread when the answer is sent, or with the answer if it is a stream."""


class RequestThreads:
    """The threads that run the application, each request in one of them from its beginning to its end."""

    def __init__(self, app: WsgiApplication, count: int) -> None:
        self.app = app
        self.requests: SimpleQueue[Request | None] = SimpleQueue()
        self._threads = [Thread(target=self._run, name=f"web-{number}", daemon=True) for number in range(count)]
        for thread in self._threads:
            thread.start()

    def stop(self, seconds: float) -> None:
        """Let each thread end its request and go."""
        for _ in self._threads:
            self.requests.put(None)
        for thread in self._threads:
            thread.join(seconds)

    def _run(self) -> None:
        while (request := self.requests.get()) is not None:
            answer = self._answer(request)
            if answer.stream is None:
                send_answer(request.protocol, answer)
            request.finish(answer if answer.stream else None)
        close_connection()

    def _answer(self, request: Request) -> Answer:
        try:
            return call_application(self.app, request.environ)
        except Exception:
            # Flask answers every error of a view; what comes here is a fault of the gateway or the application's shell.
            log.exception("request failed", path=request.environ["PATH_INFO"])
            return Answer(500, [("content-type", "text/plain")], b"The server failed to answer.\n")


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


def send_answer(protocol: Any, answer: Answer) -> None:  # noqa: ANN401  # granian's
    """Hand a whole answer to the server."""
    with suppress(RuntimeError):  # the client has gone
        if answer.body:
            protocol.response_bytes(answer.status, answer.headers, answer.body)
        else:
            protocol.response_empty(answer.status, answer.headers)


@dataclass
class ArrivingBodies:
    """Counts the bodies that are on their way, in all and by address."""

    most: int = MOST_BODIES
    most_of_address: int = MOST_BODIES_OF_ADDRESS
    total: int = 0
    by_address: Counter[str] = field(default_factory=Counter)

    def begin(self, address: str) -> bool:
        """Count one more of this address; false if there are too many."""
        if self.total >= self.most or self.by_address[address] >= self.most_of_address:
            return False
        self.total += 1
        self.by_address[address] += 1
        return True

    def end(self, address: str) -> None:
        """Count one less."""
        self.total -= 1
        self.by_address[address] -= 1
        if not self.by_address[address]:
            del self.by_address[address]


class Gateway:
    """What granian calls for each request."""

    def __init__(self, app: WsgiApplication, config: Config) -> None:
        self.app = app
        self.config = config
        self.bodies = ArrivingBodies(most_of_address=MOST_BODIES if config.proxies else MOST_BODIES_OF_ADDRESS)
        self.threads: RequestThreads | None = None
        self.notifier: StreamNotifier | None = None

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the threads, in the process that serves."""
        self.notifier = StreamNotifier(loop)
        self.threads = RequestThreads(self.app, self.config.threads + self.config.waits)

    def __rsgi_del__(self, _loop: asyncio.AbstractEventLoop) -> None:
        """Let the threads end."""
        if self.threads is not None:
            self.threads.stop(1)

    async def __rsgi__(self, scope: RsgiScope, protocol: Any) -> None:  # noqa: ANN401  # granian's
        """Answer one request."""
        environ = make_environ(scope)
        try:
            await self._read_body(environ, protocol)
        except Problem as problem:
            send_answer(protocol, _refuse(problem, environ))
            return
        answer = await self._run_in_thread(environ, protocol)
        if answer is not None and answer.stream is not None:
            notifier = self.notifier or StreamNotifier(asyncio.get_running_loop())
            await send_stream(protocol, answer, answer.stream, notifier)

    async def _run_in_thread(self, environ: WsgiEnviron, protocol: Any) -> Answer | None:  # noqa: ANN401
        loop = asyncio.get_running_loop()
        finished: asyncio.Future[Answer | None] = loop.create_future()

        def finish(answer: Answer | None) -> None:
            with suppress(RuntimeError):  # the loop has stopped
                loop.call_soon_threadsafe(_settle_future, finished, answer)

        if self.threads is None:
            self.__rsgi_init__(loop)
        assert self.threads is not None  # noqa: S101  # just made
        self.threads.requests.put(Request(environ, protocol, finish))
        return await finished

    async def _read_body(self, environ: WsgiEnviron, protocol: Any) -> None:  # noqa: ANN401
        """Put the body into the environment; refuses one that does not come in time, or one too many."""
        length, chunked = environ.get("CONTENT_LENGTH"), "HTTP_TRANSFER_ENCODING" in environ
        if not chunked and (not length or not length.isdecimal() or not int(length)):
            return
        address = environ["REMOTE_ADDR"]
        if not self.bodies.begin(address):
            raise Problem("not-now", msg("requests.too_many_bodies"), retry_after=5)
        try:
            async with asyncio.timeout(self.config.body_seconds):
                if chunked or int(environ["CONTENT_LENGTH"]) > MOST_BYTES:
                    data = await _read_chunks(protocol)
                else:
                    data = await protocol()
        except TimeoutError:
            raise Problem("too-slow", msg("requests.body_too_slow", seconds=self.config.body_seconds)) from None
        except (RuntimeError, OSError) as error:
            raise Problem("bad-request", msg("requests.body_unreadable")) from error
        finally:
            self.bodies.end(address)
        environ["wsgi.input"] = io.BytesIO(data)
        if chunked:
            environ["CONTENT_LENGTH"] = str(len(data))
            del environ["HTTP_TRANSFER_ENCODING"]


def _settle_future(future: asyncio.Future[Answer | None], answer: Answer | None) -> None:
    if not future.done():
        future.set_result(answer)


async def _read_chunks(protocol: Any) -> bytes:  # noqa: ANN401
    """A body of unknown length or too large, as far as it is kept."""
    data, dropped = bytearray(), 0
    async for chunk in protocol:
        if len(data) <= MOST_BYTES:
            data += chunk
        else:
            dropped += len(chunk)
            if dropped > MOST_DRAINED_BYTES:
                break
    return bytes(data)


def make_environ(scope: RsgiScope) -> WsgiEnviron:
    """What WSGI wants to know of a request; its body comes later."""
    address, _, _ = scope.client.rpartition(":")
    host, _, port = scope.server.rpartition(":")
    environ: WsgiEnviron = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope.path).decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "REMOTE_ADDR": address.strip("[]"),
        "SERVER_NAME": host or "localhost",
        "SERVER_PORT": port or "80",
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in scope.headers.items():
        key = HEADER_KEYS.get(name) or f"HTTP_{name.upper().replace('-', '_')}"
        if key in environ:
            environ[key] += (";" if key == "HTTP_COOKIE" else ",") + value
        else:
            environ[key] = value
    return environ


HEADER_KEYS = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}


def _refuse(problem: Problem, environ: WsgiEnviron) -> Answer:
    """The answer to a request that no thread was taken for."""
    request_id = middleware.choose_request_id(environ.get("HTTP_X_REQUEST_ID", ""))
    record = middleware.RequestRecord(
        environ["REQUEST_METHOD"], request_id, environ["REMOTE_ADDR"], environ["wsgi.url_scheme"] == "https"
    )
    text, headers = errors.render_problem(problem, choose_locale(environ.get("HTTP_ACCEPT_LANGUAGE"), None))
    pairs = [*headers.items(), *middleware.api_headers(record), ("Connection", "close")]
    record.finish(None, problem.status)
    return Answer(problem.status, pairs, text.encode())


class StreamNotifier:
    """Wakes the streams of a loop from other threads: all that have something to send at once, by one call."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._changed: deque[asyncio.Event] = deque()

    def wake(self, changed: asyncio.Event) -> None:
        """Let one stream look again."""
        is_called = bool(self._changed)
        self._changed.append(changed)
        if not is_called:
            with suppress(RuntimeError):  # the loop has stopped
                self._loop.call_soon_threadsafe(self._set_all)

    def _set_all(self) -> None:
        while self._changed:
            self._changed.popleft().set()


async def send_stream(protocol: Any, answer: Answer, stream: EventStream, notifier: StreamNotifier) -> None:  # noqa: ANN401
    """Send an event stream until it ends, its client goes, or the process stops."""
    changed = asyncio.Event()
    timer = StreamTimer(stream, changed)
    try:
        transport = protocol.response_stream(answer.status, answer.headers)
        gone = asyncio.ensure_future(_wait_for_disconnect(protocol, changed))
        stream.subscription.on_change = partial(notifier.wake, changed)
        try:
            for block in stream.blocks(changed.clear):
                if block is None:
                    timer.set()
                    await changed.wait()
                    if gone.done():
                        return
                else:
                    await transport.send_str(block)
        finally:
            gone.cancel()
            timer.cancel()
    except RuntimeError:
        return  # the client has gone
    finally:
        stream.close()


class StreamTimer:
    """Wakes a stream when its patience is over; one that is set already is left as it is, and so may wake it early."""

    def __init__(self, stream: EventStream, changed: asyncio.Event) -> None:
        self._stream = stream
        self._changed = changed
        self._handle: asyncio.TimerHandle | None = None

    def set(self) -> None:
        """Let the stream be woken in time."""
        if self._handle is None:
            self._handle = asyncio.get_running_loop().call_later(self._stream.patience(), self._ring)

    def cancel(self) -> None:
        """Wake nobody any more."""
        if self._handle is not None:
            self._handle.cancel()

    def _ring(self) -> None:
        self._handle = None
        self._changed.set()


async def _wait_for_disconnect(protocol: Any, changed: asyncio.Event) -> None:  # noqa: ANN401
    await protocol.client_disconnect()
    changed.set()

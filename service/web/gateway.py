"""The way from granian to the application: bodies are read before a thread is taken, event streams never take one.

Granian calls `Gateway` in an event loop (RSGI). A request waits there for its body, which has a deadline and a cap for
each address, and only then goes to one of the threads that run the WSGI application. A view that answers with an event
stream leaves it in the environment; the loop sends it, however many there are. Requests that need no Flask go to a
thread for each kind of them, which answers all that have come meanwhile together.
"""

from __future__ import annotations

import asyncio
import io
import sys
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any, Protocol
from urllib.parse import unquote_to_bytes

import structlog
from werkzeug.middleware.proxy_fix import ProxyFix

from service.config import Config
from service.db.connection import close_connection
from service.events.stream import EventStream
from service.i18n.catalogue import msg
from service.problems import Problem
from service.web import errors, middleware
from service.web.fast_requests import FastAnswer, FastApplication, FastRequest, WsgiApplication, WsgiEnviron
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
HEADER_SECONDS = 10
"""How long a client may take to send the header of a request, and how long a connection may be idle between two.

Only over HTTP/1: where granian accepts HTTP/2 as well, it waits for the first bytes of a connection without a deadline.
"""
MOST_TOGETHER = 32
"""How many requests are answered together without Flask."""
STREAM_KEY = "echtra.stream"
"""Where a view leaves an event stream that is to be sent after the headers of its answer."""
Headers = list[tuple[str, str]]
FAULT = 500, [("content-type", "text/plain")], b"The server failed to answer.\n"
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


Finish = Callable[[Answer | None], None]
"""Called in a thread when an answer is sent, or with the answer if it is a stream."""


class RequestThreads:
    """The threads that answer requests, each request in one of them from its beginning to its end."""

    def __init__(self, count: int) -> None:
        self.tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._threads = [Thread(target=self._run, name=f"web-{number}", daemon=True) for number in range(count)]
        for thread in self._threads:
            thread.start()

    def stop(self, seconds: float) -> None:
        """Let each thread end its request and go."""
        for _ in self._threads:
            self.tasks.put(None)
        for thread in self._threads:
            thread.join(seconds)

    def _run(self) -> None:
        while (task := self.tasks.get()) is not None:
            task()
        close_connection()


def answer_request(app: WsgiApplication, environ: WsgiEnviron, protocol: Any, finish: Finish) -> None:  # noqa: ANN401
    """Let a WSGI application answer a request."""
    try:
        answer = call_application(app, environ)
    except Exception:
        # Flask answers every error of a view; what comes here is a fault of the gateway or the application's shell.
        log.exception("request failed", path=environ["PATH_INFO"])
        answer = Answer(*FAULT)
    if answer.stream is None:
        send_answer(protocol, answer)
    finish(answer if answer.stream else None)


@dataclass(frozen=True)
class WaitingRequest:
    """A request that needs no Flask, on its way to a thread."""

    request: FastRequest
    protocol: Any
    finish: Finish


class BatchThread:
    """A thread that answers requests of one kind without Flask: all that have come while it answered others at once.

    So they share their way to the database and back, and the more there are, the less each costs.
    """

    def __init__(self, app: FastApplication, others: RequestThreads) -> None:
        self.app = app
        self.others = others
        """Who answers a request that cannot be answered together with others."""
        self.requests: SimpleQueue[WaitingRequest | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name=f"web{app.rule.rpartition('/')[2]}", daemon=True)
        self._thread.start()

    def stop(self, seconds: float) -> None:
        """Let the thread answer what waits and go."""
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

    def _answer(self, batch: dict[FastRequest, WaitingRequest]) -> None:
        for request, answer in self.app.answer_batch([*batch]):
            if answer is None:
                self.others.tasks.put(partial(self._answer_alone, batch[request]))
            else:
                self._send(batch[request], answer)

    def _answer_alone(self, waiting: WaitingRequest) -> None:
        self._send(waiting, self.app.answer_or_refuse(waiting.request))

    def _send(self, waiting: WaitingRequest, answer: FastAnswer) -> None:
        try:
            found = Answer(*self.app.finish(waiting.request, answer))
        except Exception:
            # The thread must go on for the others, whatever is wrong with figures or headers of this one.
            log.exception("request failed", path=waiting.request.environ["PATH_INFO"])
            found = Answer(*FAULT)
        send_answer(waiting.protocol, found)
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

    def __init__(self, app: WsgiApplication, config: Config, fast_apps: Sequence[FastApplication] = ()) -> None:
        self.app = app
        self.config = config
        self.fast_apps = fast_apps
        """What answers some requests without Flask, many together."""
        self.bodies = ArrivingBodies(most_of_address=MOST_BODIES if config.proxies else MOST_BODIES_OF_ADDRESS)
        self.threads: RequestThreads | None = None
        self.batches: list[BatchThread] = []
        self.calls: LoopCalls | None = None

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the threads, in the process that serves."""
        self.calls = LoopCalls(loop)
        self.threads = RequestThreads(self.config.threads + self.config.waits)
        self.batches = [BatchThread(app, self.threads) for app in self.fast_apps]

    def __rsgi_del__(self, _loop: asyncio.AbstractEventLoop) -> None:
        """Let the threads end."""
        for batch in self.batches:
            batch.stop(1)
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
        loop = asyncio.get_running_loop()
        if self.calls is None:
            self.__rsgi_init__(loop)
        assert self.calls is not None  # noqa: S101  # just made
        finished: asyncio.Future[Answer | None] = loop.create_future()
        self._hand_to_thread(environ, protocol, partial(self.calls.add, partial(_settle_future, finished)))
        answer = await finished
        if answer is not None and answer.stream is not None:
            await send_stream(protocol, answer, answer.stream, self.calls)

    def _hand_to_thread(self, environ: WsgiEnviron, protocol: Any, finish: Finish) -> None:  # noqa: ANN401
        assert self.threads is not None  # noqa: S101  # made with the calls
        if self.config.proxies:
            _trust_proxies(self.config.proxies)(environ, None)
        for batch in self.batches:
            request = batch.app.find_request(environ)
            if request is not None:
                batch.requests.put(WaitingRequest(request, protocol, finish))
                return
        self.threads.tasks.put(partial(answer_request, self.app, environ, protocol, finish))

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
    path = scope.path
    address, _, _ = scope.client.rpartition(":")
    host, _, port = scope.server.rpartition(":")
    environ: WsgiEnviron = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1") if "%" in path or not path.isascii() else path,
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
        if "_" in name:
            # WSGI writes - as _: X_Forwarded_For would pass for what our proxy says in X-Forwarded-For.
            continue
        key = _header_key(name)
        if key in environ:
            environ[key] += (";" if key == "HTTP_COOKIE" else ",") + value
        else:
            environ[key] = value
    # granian names a header whose value is not ASCII, but has no value for it.
    for name in scope.headers.keys():  # noqa: SIM118  # no mapping
        if "_" not in name:
            environ.setdefault(_header_key(name), "")
    return environ


@lru_cache
def _trust_proxies(count: int) -> WsgiApplication:
    """Puts the address and scheme that so many proxies tell of into the environment, as the application does too."""
    return ProxyFix(lambda _environ, _start: (), x_for=count, x_proto=count)


@lru_cache(256)
def _header_key(name: str) -> str:
    """What WSGI calls a header."""
    return HEADER_KEYS.get(name) or f"HTTP_{name.upper().replace('-', '_')}"


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


class LoopCalls:
    """Calls functions in a loop from other threads: all that are waiting by one call of the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: deque[Callable[[], object]] = deque()
        self._is_called = False

    def add(self, function: Callable[..., object], *values: object) -> None:
        """Call a function soon; never waits."""
        self._waiting.append(partial(function, *values) if values else function)
        if not self._is_called:
            self._is_called = True
            with suppress(RuntimeError):  # the loop has stopped
                self._loop.call_soon_threadsafe(self._call_all)

    def _call_all(self) -> None:
        # Said before the first is taken: who comes after that calls again, and none is left lying.
        self._is_called = False
        while self._waiting:
            self._waiting.popleft()()


async def send_stream(protocol: Any, answer: Answer, stream: EventStream, calls: LoopCalls) -> None:  # noqa: ANN401
    """Send an event stream until it ends, its client goes, or the process stops."""
    changed = asyncio.Event()
    timer = StreamTimer(stream, changed)
    try:
        transport = protocol.response_stream(answer.status, answer.headers)
        gone = asyncio.ensure_future(_wait_for_disconnect(protocol, changed))
        stream.subscription.on_change = partial(calls.add, changed.set)
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

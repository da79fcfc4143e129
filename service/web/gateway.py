"""The path from granian to the application.

Granian calls `Gateway` in an event loop (RSGI). A request waits there for its body (`bodies.py`), and only then goes to
one of the threads (`batches.py`): those that run the WSGI application, or that of an express lane, which answers all
waiting requests together. A view that answers with an event stream leaves it in the environment, and the loop sends it
(`streams.py`).
"""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Sequence
from functools import lru_cache, partial
from urllib.parse import unquote_to_bytes

from granian.rsgi import Scope
from werkzeug.middleware.proxy_fix import ProxyFix

from service.config import Config
from service.problems import Problem
from service.web import errors, middleware
from service.web.batches import Answer, BatchThread, Finish, RequestThreads, WaitingRequest, answer_request, send_answer
from service.web.bodies import MOST_BODIES, MOST_BODIES_OF_ADDRESS, ArrivingBodies
from service.web.express.requests import ExpressLane, WsgiApplication, WsgiEnviron
from service.web.request_context import choose_locale
from service.web.streams import HttpProtocol, LoopCalls, send_stream

MOST_REQUESTS = 4_096
"""Maximum number of requests in a process, streams included; granian accepts more connections only later."""
HEADER_SECONDS = 10
"""Maximum time for the headers of a request, and for an idle connection between two requests.

Only over HTTP/1: if granian also accepts HTTP/2, it waits for the first bytes of a connection without a deadline.
"""


class Gateway:
    """The application that granian calls for each request."""

    def __init__(self, app: WsgiApplication, config: Config, lanes: Sequence[ExpressLane] = ()) -> None:
        self.app = app
        self.config = config
        self.lanes = lanes
        """Lanes that answer some requests without Flask, many together."""
        self.bodies = ArrivingBodies(
            config.body_seconds, most_of_address=MOST_BODIES if config.proxies else MOST_BODIES_OF_ADDRESS
        )
        self.threads: RequestThreads | None = None
        self.batches: list[BatchThread] = []
        self.calls: LoopCalls | None = None

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Start the threads, in the process that serves."""
        self.calls = LoopCalls(loop)
        self.threads = RequestThreads(self.config.threads + self.config.waits)
        self.batches = [BatchThread(app, self.threads) for app in self.lanes]

    def __rsgi_del__(self, _loop: asyncio.AbstractEventLoop) -> None:
        """Stop the threads."""
        for batch in self.batches:
            batch.stop(1)
        if self.threads is not None:
            self.threads.stop(1)

    async def __rsgi__(self, scope: Scope, protocol: HttpProtocol) -> None:
        """Answer one request."""
        environ = make_environ(scope)
        try:
            await self.bodies.read(environ, protocol)
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
            await send_stream(protocol, answer.status, answer.headers, answer.stream, self.calls)

    def _hand_to_thread(self, environ: WsgiEnviron, protocol: HttpProtocol, finish: Finish) -> None:
        assert self.threads is not None  # noqa: S101  # made with the calls
        if self.config.proxies:
            _trust_proxies(self.config.proxies)(environ, None)
        for batch in self.batches:
            request = batch.app.find_request(environ)
            if request is not None:
                batch.requests.put(WaitingRequest(request, protocol, finish))
                return
        self.threads.tasks.put(partial(answer_request, self.app, environ, protocol, finish))


def _settle_future(future: asyncio.Future[Answer | None], answer: Answer | None) -> None:
    if not future.done():
        future.set_result(answer)


def make_environ(scope: Scope) -> WsgiEnviron:
    """Return the WSGI environment of a request; its body follows later."""
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
            # WSGI writes - as _: X_Forwarded_For would pass for the X-Forwarded-For of our proxy.
            continue
        key = _header_key(name)
        if key in environ:
            environ[key] += (";" if key == "HTTP_COOKIE" else ",") + value
        else:
            environ[key] = value
    # granian lists the name of a header with a non-ASCII value, but not its value.
    for name in scope.headers.keys():  # noqa: SIM118  # no mapping
        if "_" not in name:
            environ.setdefault(_header_key(name), "")
    return environ


@lru_cache
def _trust_proxies(count: int) -> WsgiApplication:
    """Return an application that puts the address and scheme reported by this many proxies into the environment."""
    return ProxyFix(lambda _environ, _start: (), x_for=count, x_proto=count)


@lru_cache(256)
def _header_key(name: str) -> str:
    """Return the WSGI name of a header."""
    return HEADER_KEYS.get(name) or f"HTTP_{name.upper().replace('-', '_')}"


HEADER_KEYS = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}


def _refuse(problem: Problem, environ: WsgiEnviron) -> Answer:
    """Return the refusal of a request that never got a thread."""
    request_id = middleware.choose_request_id(environ.get("HTTP_X_REQUEST_ID", ""))
    record = middleware.RequestRecord(
        environ["REQUEST_METHOD"], request_id, environ["REMOTE_ADDR"], environ["wsgi.url_scheme"] == "https"
    )
    text, headers = errors.render_problem(problem, choose_locale(environ.get("HTTP_ACCEPT_LANGUAGE"), None))
    pairs = [*headers.items(), *middleware.api_headers(record), ("Connection", "close")]
    record.finish(None, problem.status)
    return Answer(problem.status, pairs, text.encode())

"""The gateway before the application, over a real server: slow bodies and many streams stop nobody else."""

from __future__ import annotations

import contextlib
import json
import resource
import socket
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path
from queue import SimpleQueue

import pytest

from service.config import Config
from service.problems import Problem
from service.web.auth import Credential
from service.web.batches import BatchThread, RequestThreads, WaitingRequest
from service.web.bodies import MOST_BODIES_OF_ADDRESS, ArrivingBodies
from service.web.express.requests import ExpressAnswer, ExpressLane, ExpressRequest, WsgiEnviron
from service.web.gateway import HEADER_SECONDS
from service.web.middleware import RequestRecord
from service.web.rate_limits import create_limits
from service.web.stream_limits import MOST_OF_PLAYER, StreamLimits
from service.web.streams import Headers
from tests.support.servers import Process, free_port, ready

BODY_SECONDS = 2
SECRET = "a secret of the mail provider"
HALF_SENT = (
    b"POST /v1/tokens HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{",
    b"POST /v1/tokens HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n1\r\n{",
    b"POST /v1/matches/m7q2x9v4k8t3w6zp/moves HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b"Authorization: Bearer x\r\nContent-Length: 40\r\n\r\n{",
)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """A whole service with little patience for bodies, and its data folder."""
    folder, port = tmp_path_factory.mktemp("gateway"), free_port()
    env = {"ECHTRA_PORT": str(port), "ECHTRA_DATA": str(folder / "data"), "ECHTRA_LOG_LEVEL": "warning"}
    limits = {"ECHTRA_BODY_SECONDS": str(BODY_SECONDS), "ECHTRA_LIMIT_REQUESTS": "100000"}
    env["ECHTRA_INBOUND_SECRET"] = SECRET
    process = Process("serve", env=env | limits, log=folder / "log")
    process.start()
    ready(port, process)
    yield port, folder / "data"
    process.end()
    assert "Traceback" not in process.text()


def ask(port: int, path: str = "/healthz", body: object = None, **headers: str) -> tuple[int, bytes]:
    """Send one request on a new connection."""
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=15)) as connection:
        text = None if body is None else json.dumps(body)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        kind = {} if body is None else {"Content-Type": "application/json"}
        connection.request("GET" if body is None else "POST", path, text, kind | named)
        answer = connection.getresponse()
        return answer.status, answer.read()


@contextlib.contextmanager
def half_sent(port: int, count: int) -> Iterator[list[socket.socket]]:
    """Connections whose bodies never end, of every kind by turns."""
    with contextlib.ExitStack() as stack:
        found = []
        for number in range(count):
            wire = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=15))
            wire.sendall(HALF_SENT[number % len(HALF_SENT)])
            found.append(wire)
        yield found


def test_bodies_that_never_end_keep_nobody_from_an_answer(server: tuple[int, Path]) -> None:
    port, _ = server
    with half_sent(port, MOST_BODIES_OF_ADDRESS - 10):
        for _ in range(10):
            assert ask(port)[0] == 200
            assert ask(port, "/v1/tokens", {"address": "nobody@example.org"})[0] == 202


def test_a_body_that_does_not_come_is_answered_and_its_connection_closed(server: tuple[int, Path]) -> None:
    port, _ = server
    with half_sent(port, len(HALF_SENT)) as wires:
        for wire in wires:
            answer = b""
            while part := wire.recv(65536):
                answer += part
            head, _, body = answer.partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 408 ")
            assert b"x-request-id" in head.lower()
            assert json.loads(body)["type"] == "/problems/too-slow"


def test_one_address_has_so_many_bodies_on_their_way_and_no_more(server: tuple[int, Path]) -> None:
    port, _ = server
    with half_sent(port, MOST_BODIES_OF_ADDRESS):
        time.sleep(0.3)
        status, body = ask(port, "/v1/tokens", {"address": "nobody@example.org"})
        assert (status, json.loads(body)["type"]) == (503, "/problems/not-now")
        assert ask(port)[0] == 200
    until = time.monotonic() + 10
    while ask(port, "/v1/tokens", {"address": "nobody@example.org"})[0] != 202:
        assert time.monotonic() < until
        time.sleep(0.1)


def test_a_chunked_body_is_read_like_any_other(server: tuple[int, Path]) -> None:
    port, _ = server
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=15)) as connection:
        parts = [b'{"address": ', b'"nobody@example.org"}']
        connection.request("POST", "/v1/tokens", iter(parts), {"Content-Type": "application/json"})
        assert connection.getresponse().status == 202


@pytest.mark.parametrize("chunked", [False, True])
def test_an_email_with_photographs_arrives_whole(server: tuple[int, Path], chunked: bool) -> None:
    port, _ = server
    message = b"From: a@example.org\r\nTo: b@example.org\r\n\r\n" + b"x" * (3 * 1024 * 1024)
    headers = {"Content-Type": "message/rfc822", "X-Echtra-Secret": SECRET}
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=15)) as connection:
        connection.request("POST", "/v1/inbound/mail", iter([message]) if chunked else message, headers)
        answer = connection.getresponse()
        # Only a known reply address accepts this much; a body that was cut off would be refused as incomplete.
        assert (answer.status, json.loads(answer.read())["most"]) == (413, 1024 * 1024)


def test_many_streams_take_no_thread_and_one_player_has_only_some(server: tuple[int, Path]) -> None:
    port, data = server
    token = (data / "demo" / "token").read_text().strip()
    bearer = {"Authorization": f"Bearer {token}", "Accept": "text/event-stream"}
    with contextlib.ExitStack() as stack:
        for _ in range(MOST_OF_PLAYER):
            listening = stack.enter_context(contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=15)))
            listening.request("GET", "/v1/events", headers=bearer)
            answer = listening.getresponse()
            assert (answer.status, answer.readline()) == (200, b"retry: 2000\n")
        assert ask(port, "/v1/events", **bearer)[0] == 503
        assert ask(port)[0] == 200
    until = time.monotonic() + 15
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=15)) as listening:
        while True:
            listening.request("GET", "/v1/events", headers=bearer)
            answer = listening.getresponse()
            if answer.status == 200:
                break
            answer.read()
            assert time.monotonic() < until, "who hung up makes no room"
            time.sleep(0.1)


def test_requests_that_come_at_once_are_each_told_what_is_wrong_with_them(server: tuple[int, Path]) -> None:
    port, data = server
    good = (data / "demo" / "token").read_text().strip()
    tokens = [good, "nonsense", good[:-1] + ("A" if good[-1] != "A" else "B")]
    path = "/v1/matches/m7q2x9v4k8t3w6zp/"
    bodies: dict[str, object] = {"options": None, "moves": {}}
    asked = [(path + rest, body, token) for rest, body in bodies.items() for token in tokens] * 10
    with ThreadPoolExecutor(20) as threads:
        found = [
            threads.submit(ask, port, where, body, Authorization=f"Bearer {token}") for where, body, token in asked
        ]
        statuses = [each.result()[0] for each in found]
    # An empty body of a move has no list of moves, which is reported before the match is looked up.
    assert statuses == [404, 401, 401, 422, 401, 401] * 10


@pytest.mark.usefixtures("service")
def test_a_fault_with_one_request_does_not_end_the_thread_that_answers_the_others() -> None:
    record, finished = RequestRecord("GET", "mine", None, secure=False), SimpleQueue[tuple[int, bytes]]()
    asked = [ExpressRequest({"PATH_INFO": f"/{number}"}, record, "", Credential("")) for number in range(3)]

    class Faulty(ExpressLane):
        rule = "/faulty"

        def find_request(self, environ: WsgiEnviron) -> ExpressRequest | None:
            raise AssertionError("nobody asks for this")

        def answer_together(
            self, requests: Sequence[ExpressRequest]
        ) -> Iterator[tuple[ExpressRequest, ExpressAnswer | None]]:
            for request in requests:
                yield request, (200, {}, request.environ["PATH_INFO"].encode())

        def answer_alone(self, request: ExpressRequest) -> ExpressAnswer:
            raise AssertionError("nobody asks for this")

        def finish(self, request: ExpressRequest, answer: ExpressAnswer) -> tuple[int, list[tuple[str, str]], bytes]:
            if request is asked[1]:
                raise OSError("no room for figures")
            return answer[0], [], answer[2]

    class Sent:
        def response_empty(self, status: int, headers: Headers) -> None:
            raise AssertionError("every answer has a body")

        def response_bytes(self, status: int, headers: Headers, body: bytes) -> None:
            finished.put((status, body))

    batches = BatchThread(Faulty(lambda _environ, _start: (), create_limits(Config())), RequestThreads(0))
    for request in asked:
        batches.requests.put(WaitingRequest(request, Sent(), lambda _answer: None))
    statuses = sorted(finished.get(timeout=10)[0] for _ in asked)
    batches.stop(5)
    assert statuses == [200, 200, 500]


def test_percent_signs_query_and_repeated_headers_arrive_as_they_were_sent(server: tuple[int, Path]) -> None:
    port, _ = server
    assert ask(port, "/games/keltis?lang=fr")[0] == 200
    assert "règles" in ask(port, "/games/keltis?lang=fr", Accept_Language="fr")[1].decode().lower()
    assert ask(port, "/games/%6Beltis")[0] == 200
    assert ask(port, "/v1/matches/%00")[0] == 404


def test_places_of_streams_are_shared_fairly() -> None:
    places, ended = StreamLimits(4), []
    for number in range(4):
        places.take("greedy").end = lambda number=number: ended.append(number)  # type: ignore[misc]
    mine = places.take("other")
    assert ended == [0]
    places.take("third")
    assert ended == [0, 1]
    with pytest.raises(Problem):
        places.take("greedy")
    places.free(mine)
    places.free(mine)
    assert places.take("greedy").player == "greedy"


def test_bodies_on_their_way_are_counted_by_address() -> None:
    bodies = ArrivingBodies(1, most=3, most_of_address=2)
    assert [bodies.begin("a"), bodies.begin("a"), bodies.begin("a")] == [True, True, False]
    assert [bodies.begin("b"), bodies.begin("c")] == [True, False]
    bodies.end("a")
    assert bodies.begin("c")
    assert bodies.by_address == {"a": 1, "b": 1, "c": 1}


@contextlib.contextmanager
def connected(port: int, count: int, sent: bytes) -> Iterator[list[socket.socket]]:
    """Connections that send this and nothing more."""
    with contextlib.ExitStack() as stack:
        wires = [stack.enter_context(socket.create_connection(("127.0.0.1", port), 15)) for _ in range(count)]
        for wire in wires:
            wire.sendall(sent)
        yield wires


def test_headers_that_never_end_are_cut_off_and_keep_nobody_from_an_answer(server: tuple[int, Path]) -> None:
    port, _ = server
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    many = 1_000
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(hard, 2 * many)), hard))
    began = time.monotonic()
    with (
        connected(port, many, b"GET /healthz HTTP/1.1\r\nHost: x\r\n") as half,
        connected(port, 10, b"") as silent,
        connected(port, 10, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    ):
        for _ in range(20):
            assert ask(port)[0] == 200
        assert time.monotonic() - began < HEADER_SECONDS
        for wire in (*half, *silent):
            assert wire.recv(1) == b""
        assert HEADER_SECONDS - 1 < time.monotonic() - began < HEADER_SECONDS + 5
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_a_header_with_an_underscore_does_not_pass_for_one_of_the_proxy(tmp_path: Path) -> None:
    port = free_port()
    env = {"ECHTRA_PORT": str(port), "ECHTRA_DATA": str(tmp_path / "data"), "ECHTRA_LOG_LEVEL": "warning"}
    process = Process("serve", env=env | {"ECHTRA_PROXIES": "1", "ECHTRA_LIMIT_REQUESTS": "6"}, log=tmp_path / "log")
    process.start()
    try:
        ready(port, process)
        for path in (b"GET /v1/games", b"POST /v1/matches/m7q2x9v4k8t3w6zp/moves"):
            answers = []
            for number in range(9):
                lines = [
                    path + b" HTTP/1.1",
                    b"Host: x",
                    b"X-Forwarded-For: 192.0.2.%d" % len(path),
                    b"X_Forwarded_For: 198.51.100.%d" % number,
                    b"X_Request_Id: forged",
                    b"Authorization: Bearer echtra_m7q2x9v4k8t3_" + b"x" * 43 if b"POST" in path else b"Accept: */*",
                    b"Content-Type: application/json",
                    b"Content-Length: 2",
                    b"Connection: close",
                ]
                with connected(port, 1, b"\r\n".join(lines) + b"\r\n\r\n{}") as (wire,):
                    answers.append(b"".join(iter(lambda: wire.recv(65536), b"")))
            assert [b" 429 " in answer.partition(b"\r\n")[0] for answer in answers] == [False] * 6 + [True] * 3
            assert not [answer for answer in answers if b"forged" in answer]
    finally:
        process.end()


@pytest.mark.parametrize("key", [b"\xc3\xa9", b"\xe9", b"a b", b"", b"x" * 201])
def test_an_idempotency_key_out_of_form_is_refused_with_its_form(server: tuple[int, Path], key: bytes) -> None:
    port, data = server
    token = (data / "demo" / "token").read_bytes().strip()
    head = b"POST /v1/matches HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n"
    with connected(port, 1, head + b"Authorization: Bearer %b\r\nIdempotency-Key: %b\r\n\r\n{}" % (token, key)) as (
        wire,
    ):
        answer = wire.recv(65536)
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"An Idempotency-Key must have 1 to 200 visible ASCII characters." in answer

"""Posting to an address that somebody gave us: resolved once, pinned, cut off at a total deadline, never redirected."""

from __future__ import annotations

import io
import socket
import ssl
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from functools import lru_cache
from http.client import HTTPConnection, HTTPException, HTTPResponse
from ipaddress import ip_address
from math import ceil
from queue import Empty, SimpleQueue
from threading import Thread, Timer
from typing import Any

from service.play.time_control import DAY
from service.timestamps import now
from service.webhooks.url_policy import BadAddress, Network, Target, check, parsed

DEADLINE = 15.0
MOST = 16 * 1024
SHOWN = 200
LONG = 9
"""How many digits of seconds are worth reading."""
KEPT = range(200, 500)
"""Whose words are kept: what a server says that failed is nobody's business but its owner's."""
Found = tuple[int, tuple[Any, ...]]


@dataclass(frozen=True)
class Answer:
    """What came of a post: the status and the first words of the answer, or why there is none."""

    code: int | None
    text: str
    ms: int
    retry_after: int | None = None

    @property
    def good(self) -> bool:
        """Whether the receiver took it."""
        return self.code is not None and 200 <= self.code < 300  # noqa: PLR2004  # 2xx


class NoAnswer(OSError):
    """There was no answer; the message says why, without telling what is where in our network."""


def post(
    url: str, body: bytes, headers: Mapping[str, str], local: Sequence[Network], deadline: float = DEADLINE
) -> Answer:
    """Post this; whatever goes wrong is in the answer."""
    began = time.monotonic()
    try:
        target = parsed(url, local)
        code, text, wait = _exchange(target, _resolved(target, local, deadline), body, headers, began + deadline)
    except (BadAddress, NoAnswer) as error:
        return Answer(None, str(error), _since(began))
    return Answer(code, _words(text) if code in KEPT else "", _since(began), wait)


def _since(began: float) -> int:
    return int((time.monotonic() - began) * 1000)


def _words(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    return "".join(letter for letter in text if letter.isprintable())[:SHOWN]


def _resolved(target: Target, local: Sequence[Network], deadline: float) -> list[Found]:
    """Every address of the target; refused if any of them is not to be connected to."""
    box: SimpleQueue[list[Found] | OSError | UnicodeError] = SimpleQueue()
    # Looking up a name cannot be interrupted, so a thread is left to it if it takes too long.
    Thread(target=_look_up, args=(target, box), daemon=True).start()
    try:
        found = box.get(timeout=deadline)
    except Empty:
        raise NoAnswer("the name was not found in time") from None
    if not isinstance(found, list) or not found:
        raise NoAnswer("the name was not found")
    check(target, [ip_address(where[0]) for _, where in found], local)
    return found


def _look_up(target: Target, box: SimpleQueue[list[Found] | OSError | UnicodeError]) -> None:
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        box.put(error)
    else:
        box.put([(family, where) for family, _, _, _, where in found])


def _exchange(
    target: Target, found: Sequence[Found], body: bytes, headers: Mapping[str, str], until: float
) -> tuple[int, bytes, int | None]:
    sock = _dressed(_connected(found, until), target)
    # One timer for everything from here on: a receiver that drips a byte now and then does not hold us longer.
    timer = Timer(max(0.0, until - time.monotonic()), _cut, (sock,))
    timer.daemon = True
    timer.start()
    try:
        with sock:
            if isinstance(sock, ssl.SSLSocket):
                sock.do_handshake()
            return _spoken(sock, target, body, headers, until)
    except ssl.SSLCertVerificationError:
        raise NoAnswer("the certificate is not good for this name") from None
    except (OSError, HTTPException, ValueError):
        late = time.monotonic() >= until
        raise NoAnswer("no answer in time" if late else "the connection broke off") from None
    finally:
        timer.cancel()


def _dressed(sock: socket.socket, target: Target) -> socket.socket:
    """The socket as it will speak; hands are not shaken yet."""
    if target.scheme == "http":
        return sock
    return _context().wrap_socket(sock, server_hostname=target.host, do_handshake_on_connect=False)


@lru_cache(maxsize=1)
def _context() -> ssl.SSLContext:
    return ssl.create_default_context()


def _connected(found: Sequence[Found], until: float) -> socket.socket:
    for family, where in found:
        left = until - time.monotonic()
        if left <= 0:
            break
        sock = socket.socket(family, socket.SOCK_STREAM)
        sock.settimeout(left)
        try:
            sock.connect(where)
        except OSError:
            sock.close()
        else:
            return sock
    raise NoAnswer("nobody answers at this address")


def _cut(sock: socket.socket) -> None:
    try:
        socket.socket.shutdown(sock, socket.SHUT_RDWR)
    except OSError:
        return


class _Little(io.RawIOBase):
    """A stream that ends after so many bytes, whatever is still to come."""

    def __init__(self, stream: io.RawIOBase, most: int) -> None:
        self.stream, self.left = stream, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  # whatever may be written into
        with memoryview(buffer) as view:
            count = self.stream.readinto(view[: self.left]) or 0
        self.left -= count
        return count


class _Response(HTTPResponse):
    """An answer of which only the beginning is read."""

    def __init__(self, sock: socket.socket, *args: Any, **more: Any) -> None:  # noqa: ANN401  # as http.client has it
        super().__init__(sock, *args, **more)
        self.fp.close()
        self.fp = io.BufferedReader(_Little(sock.makefile("rb", buffering=0), MOST))


def _spoken(
    sock: socket.socket, target: Target, body: bytes, headers: Mapping[str, str], until: float
) -> tuple[int, bytes, int | None]:
    connection = HTTPConnection(target.host, target.port)
    connection.response_class = _Response
    connection.sock = sock
    connection.request("POST", target.path, body, {"Host": target.named, "Connection": "close", **headers})
    response = connection.getresponse()
    if time.monotonic() >= until:
        # Cut in the middle of the headers, which reads as their end.
        raise TimeoutError
    try:
        text = response.read(MOST)
    except (OSError, HTTPException):
        # The status is what counts; the words are only for the log.
        text = b""
    return response.status, text, _patience(response.getheader("Retry-After", ""))


def _patience(text: str) -> int | None:
    """How many seconds a receiver asks for, by a number or by a date (RFC 9110), at most a day."""
    if text.isascii() and text.isdigit():
        return DAY // 1000 if len(text) > LONG else min(int(text), DAY // 1000)
    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0, ceil(then.replace(tzinfo=then.tzinfo or UTC).timestamp() - now() / 1000))

"""Requests to addresses given by players: resolved once, pinned, with a deadline, never redirected."""

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

from service.i18n.catalogue import Message, msg
from service.timestamps import DAY, now
from service.webhooks.url_policy import IpNetwork, Target, UrlNotAllowed, check_target, parse_url

DEADLINE = 15.0
MOST_BYTES = 16 * 1024
MOST_SHOWN = 200
MOST_DIGITS = 9
"""Maximum number of digits of a `Retry-After` to read."""
STATUSES_WITH_TEXT = range(200, 500)
"""Statuses whose answers are kept. The text of a failing server is meant for its owner only."""
ResolvedAddress = tuple[int, tuple[Any, ...]]


@dataclass(frozen=True)
class WebhookResponse:
    """Result of a POST: the status and the first words of the answer, or the reason why it failed."""

    code: int | None
    text: str
    ms: int
    retry_after: int | None = None
    reason: Message | None = None
    """The reason for a missing answer, translatable."""

    @property
    def is_success(self) -> bool:
        """True if the receiver accepted it."""
        return self.code is not None and 200 <= self.code < 300  # noqa: PLR2004  # 2xx


class NoAnswer(OSError):
    """The request got no answer. The reason reveals nothing about our network."""

    def __init__(self, reason: Message) -> None:
        super().__init__(reason)
        self.reason = reason


def post(
    url: str, body: bytes, headers: Mapping[str, str], local: Sequence[IpNetwork], deadline: float = DEADLINE
) -> WebhookResponse:
    """Post this. Any error is in the answer."""
    began = time.monotonic()
    try:
        target = parse_url(url, local)
        code, text, wait = _exchange(target, _resolve(target, local, deadline), body, headers, began + deadline)
    except (UrlNotAllowed, NoAnswer) as error:
        return WebhookResponse(None, str(error), _elapsed_ms(began), reason=error.reason)
    return WebhookResponse(code, _printable_text(text) if code in STATUSES_WITH_TEXT else "", _elapsed_ms(began), wait)


def get(url: str, local: Sequence[IpNetwork], deadline: float = DEADLINE) -> tuple[int, bytes]:
    """Return the status and the first 16 KiB of a GET. Raise `NoAnswer` or `UrlNotAllowed` otherwise."""
    until = time.monotonic() + deadline
    target = parse_url(url, local)
    code, text, _ = _exchange(target, _resolve(target, local, deadline), None, {}, until)
    return code, text


def _elapsed_ms(began: float) -> int:
    return int((time.monotonic() - began) * 1000)


def _printable_text(data: bytes) -> str:
    text = data.decode("utf-8", "replace")
    return "".join(letter for letter in text if letter.isprintable())[:MOST_SHOWN]


def _resolve(target: Target, local: Sequence[IpNetwork], deadline: float) -> list[ResolvedAddress]:
    """Return all addresses of the target. Raise UrlNotAllowed if any of them is not allowed."""
    box: SimpleQueue[list[ResolvedAddress] | OSError | UnicodeError] = SimpleQueue()
    # A name lookup cannot be interrupted, so if it takes too long, its thread is left behind.
    Thread(target=_look_up, args=(target, box), daemon=True).start()
    try:
        found = box.get(timeout=deadline)
    except Empty:
        raise NoAnswer(msg("webhooks.no_answer.name_late")) from None
    if not isinstance(found, list) or not found:
        raise NoAnswer(msg("webhooks.no_answer.name"))
    check_target(target, [ip_address(where[0]) for _, where in found], local)
    return found


def _look_up(target: Target, box: SimpleQueue[list[ResolvedAddress] | OSError | UnicodeError]) -> None:
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        box.put(error)
    else:
        box.put([(family, where) for family, _, _, _, where in found])


def _exchange(
    target: Target, found: Sequence[ResolvedAddress], body: bytes | None, headers: Mapping[str, str], until: float
) -> tuple[int, bytes, int | None]:
    sock = _wrap_tls(_connect(found, until), target)
    # One timer from here on, so that a receiver that sends a byte now and then cannot hold us longer.
    timer = Timer(max(0.0, until - time.monotonic()), _shut_down_socket, (sock,))
    timer.daemon = True
    timer.start()
    try:
        with sock:
            if isinstance(sock, ssl.SSLSocket):
                sock.do_handshake()
            return _send_request(sock, target, body, headers, until)
    except ssl.SSLCertVerificationError:
        raise NoAnswer(msg("webhooks.no_answer.certificate")) from None
    except (OSError, HTTPException, ValueError):
        late = time.monotonic() >= until
        raise NoAnswer(msg("webhooks.no_answer.late" if late else "webhooks.no_answer.broken")) from None
    finally:
        timer.cancel()


def _wrap_tls(sock: socket.socket, target: Target) -> socket.socket:
    """Wrap the socket in TLS if the target needs it. The handshake comes later."""
    if target.scheme == "http":
        return sock
    return _tls_context().wrap_socket(sock, server_hostname=target.host, do_handshake_on_connect=False)


@lru_cache(maxsize=1)
def _tls_context() -> ssl.SSLContext:
    return ssl.create_default_context()


def _connect(found: Sequence[ResolvedAddress], until: float) -> socket.socket:
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
    raise NoAnswer(msg("webhooks.no_answer.nobody"))


def _shut_down_socket(sock: socket.socket) -> None:
    try:
        socket.socket.shutdown(sock, socket.SHUT_RDWR)
    except OSError:
        return


class _LimitedStream(io.RawIOBase):
    """Stream that ends after a fixed number of bytes, even if more follow."""

    def __init__(self, stream: io.RawIOBase, most: int) -> None:
        self.stream, self.left = stream, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401  # whatever may be written into
        with memoryview(buffer) as view:
            count = self.stream.readinto(view[: self.left]) or 0
        self.left -= count
        return count


class _LimitedResponse(HTTPResponse):
    """An answer of which only the beginning is read."""

    def __init__(self, sock: socket.socket, *args: Any, **more: Any) -> None:  # noqa: ANN401  # as http.client has it
        super().__init__(sock, *args, **more)
        self.fp.close()
        self.fp = io.BufferedReader(_LimitedStream(sock.makefile("rb", buffering=0), MOST_BYTES))


def _send_request(
    sock: socket.socket, target: Target, body: bytes | None, headers: Mapping[str, str], until: float
) -> tuple[int, bytes, int | None]:
    connection = HTTPConnection(target.host, target.port)
    connection.response_class = _LimitedResponse
    connection.sock = sock
    method = "GET" if body is None else "POST"
    connection.request(method, target.path, body, {"Host": target.host_header, "Connection": "close", **headers})
    response = connection.getresponse()
    if time.monotonic() >= until:
        # Cut in the middle of the headers, which counts as their end.
        raise TimeoutError
    try:
        text = response.read(MOST_BYTES)
    except (OSError, HTTPException):
        # The status is what counts; the text is only for the log.
        text = b""
    return response.status, text, _retry_after_seconds(response.getheader("Retry-After", ""))


def _retry_after_seconds(text: str) -> int | None:
    """Return how many seconds a receiver asks us to wait, as a number or a date (RFC 9110), at most a day."""
    if text.isascii() and text.isdigit():
        return DAY // 1000 if len(text) > MOST_DIGITS else min(int(text), DAY // 1000)
    try:
        then = parsedate_to_datetime(text)
    except ValueError:
        return None
    return max(0, ceil(then.replace(tzinfo=then.tzinfo or UTC).timestamp() - now() / 1000))

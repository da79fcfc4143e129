"""Receivers of hooks: real servers on this machine, good ones and bad ones."""

from __future__ import annotations

import json
import socket
import socketserver
import ssl
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Got:
    """A request as it arrived."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def message(self) -> dict[str, Any]:
        """The body as JSON."""
        made: dict[str, Any] = json.loads(self.body)
        return made


class Receiver(socketserver.ThreadingTCPServer):
    """Answers every request as its `mode` says, and keeps the requests."""

    allow_reuse_address = True
    daemon_threads = True
    address_family = socket.AF_INET

    def __init__(self, mode: str = "200", tls: ssl.SSLContext | None = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.mode = mode
        self.patience = "120"
        """Value of `Retry-After` when it is busy."""
        self.meanwhile: Callable[[], object] = list
        """Called before it answers."""
        self.got: list[Got] = []
        self.connections = 0
        self.tls = tls
        self.names: list[str | None] = []
        """The names that clients asked for by SNI."""
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    @property
    def port(self) -> int:
        """The port of the server."""
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://127.0.0.1:{self.port}/hook?a=b"

    def get_request(self) -> tuple[socket.socket, Any]:
        """Accept a connection, with the TLS handshake if it uses TLS."""
        sock, where = super().get_request()
        self.connections += 1
        if self.tls is not None:
            self.tls.sni_callback = lambda _sock, name, _context: self.names.append(name)
            sock = self.tls.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
        return sock, where

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401  # as the standard library has it
        """Ignore clients that hang up, which are part of the tests."""

    def ids(self, match: str | None = None) -> list[int]:
        """Return the numbers of the events that it accepted, in order."""
        told = [each.message["data"] for each in self.got]
        return [data["event"] for data in told if match in (None, data["match"])]


class _Handler(socketserver.StreamRequestHandler):
    server: Receiver

    def handle(self) -> None:
        if isinstance(self.request, ssl.SSLSocket):
            self.request.do_handshake()
        mode = self.server.mode
        if mode == "silent":
            time.sleep(30)
            return
        got = self._read()
        self.server.meanwhile()
        if mode.isdigit():
            if mode.startswith("2"):
                self.server.got.append(got)
            self._say(f"HTTP/1.1 {mode} Word\r\nContent-Length: 6\r\n\r\nhello\n")
        elif mode == "close":
            return
        else:
            getattr(self, f"_{mode}")()

    def _read(self) -> Got:
        path = self.rfile.readline().decode().split(" ")[1]
        headers = {}
        while (row := self.rfile.readline().decode().strip()) != "":
            name, _, value = row.partition(":")
            headers[name.lower()] = value.strip()
        return Got(path, headers, self.rfile.read(int(headers.get("content-length", "0"))))

    def _say(self, text: str) -> None:
        self.wfile.write(text.encode())
        self.wfile.flush()

    def _drip(self) -> None:
        for letter in "HTTP/1.1 200 OK\r\n" + "X-Slow: yes\r\n" * 400:
            self._say(letter)
            time.sleep(0.05)

    def _drip_body(self) -> None:
        self._say("HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n")
        for _ in range(4000):
            self._say("x")
            time.sleep(0.05)

    def _continue(self) -> None:
        for _ in range(600):
            self._say("HTTP/1.1 100 Continue\r\n\r\n")
            time.sleep(0.05)

    def _redirect(self) -> None:
        self._say(f"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{self.server.port}/other\r\n\r\n")

    def _flood(self) -> None:
        self._say("HTTP/1.1 200 OK\r\n\r\n")
        for _ in range(4000):
            self._say("y" * 65_536)

    def _headers(self) -> None:
        self._say("HTTP/1.1 200 OK\r\n")
        for number in range(100_000):
            self._say(f"X-{number}: {'z' * 1000}\r\n")

    def _busy(self) -> None:
        self._say(f"HTTP/1.1 429 Slow down\r\nRetry-After: {self.server.patience}\r\nContent-Length: 0\r\n\r\n")

    def _noise(self) -> None:
        self._say("HTTP/1.1 404 No\r\nContent-Length: 300\r\n\r\n" + "a\x00b\x1bc\n" * 50)

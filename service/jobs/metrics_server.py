"""HTTP server for the metrics of a worker or mail door, which have no other HTTP interface."""

from __future__ import annotations

import hmac
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, generate_latest

from service.config import Config, split_address
from service.db import database_clock
from service.direct_requests import is_unforwarded
from service.jobs import metrics, work_metrics

MEASURES: metrics.Measures = {
    "echtra_clock_offset_seconds": ("How far this machine's clock is ahead.", database_clock.clock_offset)
}


def render_metrics() -> bytes:
    """Return the counters of this process, its resource usage, and its clock offset."""
    counted = generate_latest(work_metrics.REGISTRY) + generate_latest(REGISTRY)
    return counted + metrics.render_measures(MEASURES)


class MetricsHandler(BaseHTTPRequestHandler):
    """Handler of `GET /metrics` and `GET /healthz`."""

    protocol_version = "HTTP/1.1"
    timeout = 10
    token = ""

    def do_GET(self) -> None:  # the name that the library calls
        """Answer a request."""
        if self.path == "/healthz":
            self._answer(HTTPStatus.OK, b"ok\n", "text/plain; charset=utf-8")
        elif self.path.partition("?")[0] != "/metrics":
            self._answer(HTTPStatus.NOT_FOUND, b"", "text/plain; charset=utf-8")
        elif not self._is_allowed():
            self._answer(HTTPStatus.UNAUTHORIZED, b"", "text/plain; charset=utf-8")
        else:
            self._answer(HTTPStatus.OK, render_metrics(), CONTENT_TYPE_LATEST)

    def _is_allowed(self) -> bool:
        if not self.token:
            return is_unforwarded(self.client_address[0], self.headers)
        given, expected = self.headers.get("Authorization", ""), f"Bearer {self.token}"
        return hmac.compare_digest(given.encode(), expected.encode())

    def _answer(self, status: HTTPStatus, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if status == HTTPStatus.UNAUTHORIZED:
            self.send_header("WWW-Authenticate", "Bearer")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Do not log requests."""


def start_metrics_server(config: Config) -> ThreadingHTTPServer | None:
    """Start the server in a thread, at the address in the settings. Return None if there is none."""
    if not config.metrics_door:
        return None
    handler = type("_TokenMetricsHandler", (MetricsHandler,), {"token": config.metrics_token})
    server = ThreadingHTTPServer(split_address(config.metrics_door), handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, name="metrics", daemon=True).start()
    return server

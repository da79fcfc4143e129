"""Request ids, ETags, security headers, metrics and the log line of every request.

An ETag is a hash of what this reader gets, so it reveals no more than the answer itself.
"""

from __future__ import annotations

import logging
import re
import secrets
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING

import structlog
from flask import Response, g, request

from service.direct_requests import network_of
from service.web import metrics

if TYPE_CHECKING:
    from service.web.auth import Caller
    from service.web.rate_limits import LimitState

VARY = "Cookie, Authorization, Accept, Accept-Encoding, Accept-Language"

PRIVATE = "private, no-cache"


def add_etag(response: Response) -> Response:
    """Add an ETag to a read, and answer 304 if the reader has this version."""
    if request.method not in ("GET", "HEAD"):
        return response
    headers = response.headers
    headers.setdefault("Vary", VARY)
    headers.setdefault("Cache-Control", PRIVATE)
    if response.status_code != 200 or response.is_streamed or response.direct_passthrough:  # noqa: PLR2004
        return response
    if "ETag" not in headers:
        headers["ETag"] = etag_of(response.get_data())
    response.make_conditional(request.environ)
    return response


def etag_of(body: bytes) -> str:
    """Return the ETag of a body."""
    return f'"{sha256(body).hexdigest()[:32]}"'


REQUEST_ID_PATTERN = re.compile(r"[A-Za-z0-9._-]{1,64}")
API_CSP = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
PAGE_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
    "font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types echtra"
)
SECURITY_HEADERS = {
    "Content-Security-Policy": API_CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not "no-referrer": browsers would send `Origin: null` with our own forms, which would look like foreign ones.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
CORS_PATHS = ("/v1/", "/openapi.json", "/.well-known/", "/problems/")
"""Paths that scripts of other sites may read with their own token, but never with a cookie."""
CORS_HEADERS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": (
        "ETag, Link, Location, RateLimit, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, RateLimit-Reset, "
        "Retry-After, X-Request-Id, Idempotency-Replayed, Preference-Applied"
    ),
}
PREFLIGHT_HEADERS = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, Accept, Accept-Language, Idempotency-Key, If-None-Match, Last-Event-ID, Prefer, "
        "X-Request-Id"
    ),
    "Access-Control-Max-Age": "86400",
}


def choose_request_id(given: str) -> str:
    """Return the client's request id if it is well-formed, else a new one."""
    return given if REQUEST_ID_PATTERN.fullmatch(given) else secrets.token_hex(8)


@dataclass(slots=True)
class RequestRecord:
    """One request from its arrival to its log line, whether Flask answers it or not."""

    method: str
    request_id: str
    address: str | None
    """Address of the client."""
    secure: bool
    """True if it arrived over HTTPS."""
    caller: Caller | None = None
    """The caller, once authenticated."""
    by_cookie: bool = False
    """True if a cookie authenticates it, so that pages of other sites may not read the answer."""
    limit: LimitState | None = None
    """The state of the rate limit, once counted."""
    began: float = field(default_factory=time.perf_counter)

    @property
    def limit_key(self) -> str:
        """The key of its rate limit: the player, whatever token is used, or the network without one."""
        return f"player {self.caller.player}" if self.caller else f"network {network_of(self.address)}"

    def limit_headers(self) -> list[tuple[str, str]]:
        """Return the headers about the rate limit."""
        return self.limit.pairs() if self.limit else []

    def finish(self, rule: str | None, status: int) -> None:
        """Count the request and log it, with its rule instead of its path, which may contain a secret."""
        seconds = time.perf_counter() - self.began
        metrics.count_request(self.method, rule, status, seconds)
        RequestLog.logger.info(
            "request",
            method=self.method,
            rule=rule,
            status=status,
            ms=round(seconds * 1000, 2),
            request=self.request_id,
            player=self.caller.player if self.caller else None,
        )


def start_record() -> None:
    """Start the record of the request that Flask answers."""
    request_id = choose_request_id(request.headers.get("X-Request-Id", ""))
    g.record = RequestRecord(request.method, request_id, request.remote_addr, request.is_secure)


def current_record() -> RequestRecord:
    """Return the record of the request that Flask answers."""
    record: RequestRecord = g.record
    return record


def _header_pairs(*parts: dict[str, str]) -> list[tuple[str, str]]:
    return [pair for part in parts for pair in part.items()]


SAME_ORIGIN_HEADERS = _header_pairs(SECURITY_HEADERS, {"Cross-Origin-Resource-Policy": "same-origin"})
HTTPS_HEADERS = [("Strict-Transport-Security", "max-age=31536000")]
PRIVATE_HEADERS = [("Vary", VARY)]
CROSS_ORIGIN_HEADERS = _header_pairs(SECURITY_HEADERS, CORS_HEADERS, {"Cross-Origin-Resource-Policy": "cross-origin"})


def add_standard_headers(response: Response) -> None:
    """Add the headers of every answer; those that a view has set stay."""
    headers, path = response.headers, request.path
    append_headers(response, current_record().limit_headers())
    record = current_record()
    shared = path.startswith(CORS_PATHS) and not record.by_cookie
    if record.by_cookie and not path.startswith("/static/"):
        _keep_private(response, page=not path.startswith("/v1/"))
    own = "Content-Security-Policy" in headers
    pairs = CROSS_ORIGIN_HEADERS if shared else SAME_ORIGIN_HEADERS
    append_headers(response, pairs[own:])  # the first is the policy
    if shared and request.method == "OPTIONS":
        headers.update(PREFLIGHT_HEADERS)
    append_headers(response, _own_headers(record))


def _keep_private(response: Response, *, page: bool) -> None:
    """Keep this answer out of shared caches, and a page even out of this browser's."""
    stored = response.headers.get("Cache-Control", "")
    response.headers["Cache-Control"] = "no-store" if page or "no-store" in stored else PRIVATE
    response.headers["Vary"] = VARY


def api_headers(record: RequestRecord) -> list[tuple[str, str]]:
    """Return the headers of every API answer, for one that is written without Flask."""
    if record.by_cookie:
        return [*record.limit_headers(), *SAME_ORIGIN_HEADERS, *PRIVATE_HEADERS, *_own_headers(record)]
    return [*record.limit_headers(), *CROSS_ORIGIN_HEADERS, *_own_headers(record)]


def _own_headers(record: RequestRecord) -> list[tuple[str, str]]:
    return [*(HTTPS_HEADERS if record.secure else ()), ("X-Request-Id", record.request_id)]


def append_headers(response: Response, pairs: list[tuple[str, str]]) -> None:
    """Append valid headers that are not set yet, which is ten times faster than setting each."""
    response.headers._list.extend(pairs)  # noqa: SLF001


class RequestLog:
    """The logger of requests, bound when logging is configured: binding it per line would cost more than the line."""

    logger: structlog.typing.FilteringBoundLogger = structlog.get_logger("echtra")


log: structlog.typing.FilteringBoundLogger = structlog.get_logger("echtra")


class StderrLogger:
    """Writes lines to the current standard error."""

    def msg(self, line: str) -> None:
        """Write one line; a full disk must not keep an answer from its client."""
        with suppress(OSError, ValueError):
            sys.stderr.write(line + "\n")

    debug = info = warning = error = critical = msg


def configure_logging(level: str) -> None:
    """Log events of this level and above."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=lambda *_: StderrLogger(),
        cache_logger_on_first_use=False,
    )
    RequestLog.logger = structlog.get_logger("echtra").bind()

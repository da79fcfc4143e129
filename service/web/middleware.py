"""ETags on reads: a hash of what this reader gets, so it tells no more than the answer itself."""

from __future__ import annotations

import logging
import re
import secrets
import sys
import time
from contextlib import suppress
from hashlib import sha256

import structlog
from flask import Response, g, request

from service.web import auth

VARY = "Authorization, Accept, Accept-Language"


def add_etag(response: Response) -> Response:
    """Give a read its ETag, and answer 304 where the reader has it already."""
    if request.method not in ("GET", "HEAD"):
        return response
    headers = response.headers
    headers.setdefault("Vary", VARY)
    headers.setdefault("Cache-Control", "private, no-cache")
    if response.status_code != 200 or response.is_streamed or response.direct_passthrough:  # noqa: PLR2004
        return response
    if "ETag" not in headers:
        headers["ETag"] = f'"{sha256(response.get_data()).hexdigest()[:32]}"'
    response.make_conditional(request.environ)
    return response


REQUEST_ID_PATTERN = re.compile(r"[A-Za-z0-9._-]{1,64}")
API_CSP = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
PAGE_CSP = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
SECURITY_HEADERS = {
    "Content-Security-Policy": API_CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
CORS_PATHS = ("/v1/", "/openapi.json", "/.well-known/", "/problems/")
"""Where scripts of other sites may read: no cookie is used here, so a page can do only what its own token can."""
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


def assign_request_id() -> None:
    """Give the request an id: the client's own if it is a plain one."""
    g.request_id = choose_request_id(request.headers.get("X-Request-Id", ""))


def choose_request_id(given: str) -> str:
    """The id a client gave, if it is a plain one; else a new one."""
    return given if REQUEST_ID_PATTERN.fullmatch(given) else secrets.token_hex(8)


def _header_pairs(*parts: dict[str, str]) -> list[tuple[str, str]]:
    return [pair for part in parts for pair in part.items()]


SAME_ORIGIN_HEADERS = _header_pairs(SECURITY_HEADERS, {"Cross-Origin-Resource-Policy": "same-origin"})
HTTPS_HEADERS = [("Strict-Transport-Security", "max-age=31536000")]
CROSS_ORIGIN_HEADERS = _header_pairs(SECURITY_HEADERS, CORS_HEADERS, {"Cross-Origin-Resource-Policy": "cross-origin"})


def add_standard_headers(response: Response) -> None:
    """Set what every answer carries; a view that set its own keeps it."""
    headers, path = response.headers, request.path
    shared = path.startswith(CORS_PATHS)
    own = "Content-Security-Policy" in headers
    pairs = CROSS_ORIGIN_HEADERS if shared else SAME_ORIGIN_HEADERS
    append_headers(response, pairs[own:])  # the policy is the first of them
    if shared and request.method == "OPTIONS":
        headers.update(PREFLIGHT_HEADERS)
    if request.is_secure:
        append_headers(response, HTTPS_HEADERS)
    append_headers(response, [("X-Request-Id", g.get("request_id", ""))])


def append_headers(response: Response, pairs: list[tuple[str, str]]) -> None:
    """Add headers that are known to be sound and not there yet, which is ten times faster than to set each."""
    response.headers._list.extend(pairs)  # noqa: SLF001


class RequestLog:
    """The logger of requests, bound when logging is configured: to bind it for each line costs more than the line."""

    bound: structlog.typing.FilteringBoundLogger = structlog.get_logger("echtra")


log: structlog.typing.FilteringBoundLogger = structlog.get_logger("echtra")


class StderrLogger:
    """Writes lines where standard error is now."""

    def msg(self, line: str) -> None:
        """One line, if there is room for it: a disk that is full must not keep an answer from its client."""
        with suppress(OSError, ValueError):
            sys.stderr.write(line + "\n")

    debug = info = warning = error = critical = msg


def configure_logging(level: str) -> None:
    """Write events of this level and above."""
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
    RequestLog.bound = structlog.get_logger("echtra").bind()


def start_request_timer() -> None:
    """Remember when the request came."""
    g.began = time.perf_counter()


def log_request(response: Response) -> None:
    """One line for the request that is being answered."""
    rule = request.url_rule.rule if request.url_rule else None
    who = auth.current_caller()
    write_request_line(
        request.method, rule, response.status_code, g.began, g.get("request_id"), who.player if who else None
    )


def write_request_line(
    method: str, rule: str | None, status: int, began: float, number: str | None, player: str | None
) -> None:
    """One line for a request: its rule and not its path, which may hold a secret."""
    ms = round((time.perf_counter() - began) * 1000, 2)
    RequestLog.bound.info("request", method=method, rule=rule, status=status, ms=ms, request=number, player=player)

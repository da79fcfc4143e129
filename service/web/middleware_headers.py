"""Headers of every answer: security, CORS, request ids."""

from __future__ import annotations

import re
import secrets

from flask import Response, g, request

REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
NOTHING = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
PAGE = (
    "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
SECURITY = {
    "Content-Security-Policy": NOTHING,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
OPEN = ("/v1/", "/openapi.json", "/.well-known/", "/problems/")
"""Where scripts of other sites may read: no cookie is used here, so a page can do only what its own token can."""
CORS = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": (
        "ETag, Link, Location, RateLimit, RateLimit-Limit, RateLimit-Policy, RateLimit-Remaining, RateLimit-Reset, "
        "Retry-After, X-Request-Id, Idempotency-Replayed, Preference-Applied"
    ),
}
PREFLIGHT = {
    "Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
    "Access-Control-Allow-Headers": (
        "Authorization, Content-Type, Accept, Accept-Language, Idempotency-Key, If-None-Match, Last-Event-ID, Prefer, "
        "X-Request-Id"
    ),
    "Access-Control-Max-Age": "86400",
}


def number() -> None:
    """Give the request an id: the client's own if it is a plain one."""
    g.request_id = request_id(request.headers.get("X-Request-Id", ""))


def request_id(given: str) -> str:
    """The id a client gave, if it is a plain one; else a new one."""
    return given if REQUEST_ID.fullmatch(given) else secrets.token_hex(8)


def _pairs(*parts: dict[str, str]) -> list[tuple[str, str]]:
    return [pair for part in parts for pair in part.items()]


OURS = _pairs(SECURITY, {"Cross-Origin-Resource-Policy": "same-origin"})
SECURE = [("Strict-Transport-Security", "max-age=31536000")]
SHARED = _pairs(SECURITY, CORS, {"Cross-Origin-Resource-Policy": "cross-origin"})


def dress(response: Response) -> None:
    """Set what every answer carries; a view that set its own keeps it."""
    headers, path = response.headers, request.path
    shared = path.startswith(OPEN)
    own = "Content-Security-Policy" in headers
    pairs = SHARED if shared else OURS
    add(response, pairs[own:])  # the policy is the first of them
    if shared and request.method == "OPTIONS":
        headers.update(PREFLIGHT)
    if request.is_secure:
        add(response, SECURE)
    add(response, [("X-Request-Id", g.get("request_id", ""))])


def add(response: Response, pairs: list[tuple[str, str]]) -> None:
    """Add headers that are known to be sound and not there yet, which is ten times faster than to set each."""
    response.headers._list.extend(pairs)  # noqa: SLF001

"""Headers of answers, as the document describes them."""

from __future__ import annotations

from service.web.middleware import CROSS_ORIGIN_HEADERS, HTTPS_HEADERS, VARY
from service.web.openapi.nodes import Node

ALWAYS_SAME = dict(CROSS_ORIGIN_HEADERS + HTTPS_HEADERS)
"""Headers with a constant value in every answer. The last one is only sent over HTTPS."""
REQUEST_HEADERS = ("X-Request-Id", "RateLimit", "RateLimit-Policy", "RateLimit-Limit", "RateLimit-Remaining")
COMMON = (*REQUEST_HEADERS, "RateLimit-Reset", "Cache-Control", *ALWAYS_SAME)


def _describe(about: str, example: str) -> Node:
    return {"description": about, "schema": {"type": "string"}, "example": example}


RESPONSE_HEADERS = {
    "X-Request-Id": _describe(
        "The id of this request, for support; a well-formed one of yours is kept.", "5f0c1a2b3c4d5e6f"
    ),
    "RateLimit": _describe(
        "How many requests are left, and the seconds until the limit resets.", '"requests";r=599;t=41'
    ),
    "RateLimit-Policy": _describe("How many requests are allowed in how many seconds.", '"requests";q=600;w=60'),
    "RateLimit-Limit": _describe("How many requests are allowed.", "600"),
    "RateLimit-Remaining": _describe("How many requests are left.", "599"),
    "RateLimit-Reset": _describe("Seconds until the limit resets.", "41"),
    "Cache-Control": _describe("How long the answer may be cached.", "private, no-cache"),
    "Vary": _describe("The request headers that the answer depends on.", VARY),
    "ETag": _describe("A hash of this answer, for `If-None-Match`.", '"0123456789abcdef0123456789abcdef"'),
    "Content-Language": _describe("The language of the texts in the answer.", "en"),
    "Content-Disposition": _describe("The name for the file.", 'attachment; filename="m7q2x9v4k8t3w6zp.jsonl"'),
    "Retry-After": _describe("Seconds to wait before trying again.", "5"),
    "Location": _describe("Where to read what was created, if it can be read.", "/v1/me/leave/q8za4t6m2x9p3kw7"),
    "Link": _describe(
        'The next page, with `rel="next"`; the last page has none.',
        '</v1/me/keys?cursor=…&limit=50>; rel="next"',
    ),
    "Idempotency-Replayed": _describe("`true` if this is the answer to an earlier request with the same key.", "true"),
    "Preference-Applied": _describe("The preference of the header `Prefer` that was applied.", "wait=10"),
    "WWW-Authenticate": _describe("How to authenticate.", 'Bearer realm="echtra"'),
    **{name: _describe("For browsers; the same in every answer.", value) for name, value in ALWAYS_SAME.items()},
}


def success_headers(method: str, status: str, *, paged: bool, idempotent: bool, waits: bool) -> Node:
    """Return the headers of a successful answer."""
    names = list(COMMON)
    names += ["ETag", "Vary", "Content-Language"] if method == "get" else []
    names += ["Location"] if status in ("200", "201", "202") and method == "post" else []
    names += ["Link"] if paged else []
    names += ["Idempotency-Replayed"] if idempotent else []
    names += ["Preference-Applied"] if waits else []
    return {name: reference(name) for name in names}


def problem_headers(status: int) -> Node:
    """Return the headers of a refusal."""
    names = [*COMMON, "Vary"]
    names += ["Retry-After"] if status in (409, 429, 500, 503) else []
    names += ["WWW-Authenticate"] if status == 401 else []  # noqa: PLR2004  # RFC 9110 asks for it
    return {name: reference(name) for name in names}


def reference(header: str) -> Node:
    """Return a reference to a header of the document."""
    return {"$ref": f"#/components/headers/{header}"}

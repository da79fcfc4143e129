"""Answers as gzip, for clients that take it: every text of a kilobyte or more that is there as a whole."""

from __future__ import annotations

import zlib
from functools import lru_cache

from flask import Response, request
from isal.isal_zlib import compress
from werkzeug.http import parse_accept_header

LEAST_BYTES = 1024
"""Below this the headers weigh more than what is saved."""
LEVEL = 3
"""The best of this library, which takes a tenth of the time of zlib's usual one."""
PAGE_LEVEL = 5
"""Of zlib, for pages: two milliseconds of ours make them a tenth smaller, which a slow line takes longer for."""
GZIP_WINDOW = 31
"""For zlib: the largest window, and the frame of gzip."""
TEXT_TYPES = frozenset(
    {
        "application/json",
        "application/jsonl",
        "application/javascript",
        "application/manifest+json",
        "application/problem+json",
        "image/svg+xml",
    }
)


def is_text_type(media: str) -> bool:
    """Whether content of this type becomes much smaller."""
    return media in TEXT_TYPES or media.startswith("text/")


def compress_response(response: Response) -> None:
    """Compress the body of an answer where that pays; its ETag names the text, not these bytes, and is weak then."""
    headers = response.headers
    if (
        response.is_streamed
        or response.direct_passthrough
        or "Content-Encoding" in headers
        or not is_text_type(response.mimetype or "")
    ):
        return
    accepted, is_page = request.headers.get("Accept-Encoding", ""), response.mimetype == "text/html"
    packed = (pack_page if is_page else pack)(response.get_data(), accepted)
    if packed is None:
        return
    response.set_data(packed)
    headers["Content-Encoding"] = "gzip"
    tag = headers.get("ETag", "")
    if tag.startswith('"'):
        headers["ETag"] = f"W/{tag}"


def pack(data: bytes, accept_encoding: str) -> bytes | None:
    """The data as gzip; nothing if it is too short for that, or the client does not take it."""
    if len(data) < LEAST_BYTES or not accepts_gzip(accept_encoding):
        return None
    return bytes(compress(data, LEVEL, wbits=GZIP_WINDOW))


def pack_page(data: bytes, accept_encoding: str) -> bytes | None:
    """A page as gzip, as `pack` gives other answers, but smaller."""
    if len(data) < LEAST_BYTES or not accepts_gzip(accept_encoding):
        return None
    return zlib.compress(data, PAGE_LEVEL, wbits=GZIP_WINDOW)


def takes_gzip() -> bool:
    """Whether the client says that it understands gzip."""
    return accepts_gzip(request.headers.get("Accept-Encoding", ""))


@lru_cache(maxsize=256)
def accepts_gzip(accept_encoding: str) -> bool:
    """Whether this header says that gzip is understood."""
    return parse_accept_header(accept_encoding).quality("gzip") > 0

"""Compression of answers with gzip: every complete text of at least a kilobyte, for clients that accept it."""

from __future__ import annotations

import zlib
from functools import lru_cache

from flask import Response, request
from isal.isal_zlib import compress
from werkzeug.http import parse_accept_header

LEAST_BYTES = 1024
"""Below this size, compression saves less than its headers cost."""
LEVEL = 3
"""The best level of isal, ten times faster than the default level of zlib."""
PAGE_LEVEL = 5
"""Level of zlib for pages: two milliseconds make them 10 % smaller, which pays off on slow connections."""
GZIP_WINDOW = 31
"""For zlib: the largest window, in gzip format."""
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
    """Return True for a media type that compresses well."""
    return media in TEXT_TYPES or media.startswith("text/")


def compress_response(response: Response) -> None:
    """Compress the body of an answer if that pays. Its ETag names the text, not these bytes, so it becomes weak."""
    headers = response.headers
    if (
        response.is_streamed
        or response.direct_passthrough
        or "Content-Encoding" in headers
        or not is_text_type(response.mimetype or "")
    ):
        return
    accepted, is_page = request.headers.get("Accept-Encoding", ""), response.mimetype == "text/html"
    packed = pack(response.get_data(), accepted, is_page=is_page)
    if packed is None:
        return
    response.set_data(packed)
    headers["Content-Encoding"] = "gzip"
    tag = headers.get("ETag", "")
    if tag.startswith('"'):
        headers["ETag"] = f"W/{tag}"


def pack(data: bytes, accept_encoding: str, *, is_page: bool = False) -> bytes | None:
    """Return the data as gzip, or None if it is too short or the client does not accept gzip.

    Pages are made smaller than other answers, since they are worth more CPU time.
    """
    if len(data) < LEAST_BYTES or not accepts_gzip(accept_encoding):
        return None
    if is_page:
        return zlib.compress(data, PAGE_LEVEL, wbits=GZIP_WINDOW)
    return bytes(compress(data, LEVEL, wbits=GZIP_WINDOW))


def takes_gzip() -> bool:
    """Return True if the client accepts gzip."""
    return accepts_gzip(request.headers.get("Accept-Encoding", ""))


@lru_cache(maxsize=256)
def accepts_gzip(accept_encoding: str) -> bool:
    """Return True if this header accepts gzip."""
    return parse_accept_header(accept_encoding).quality("gzip") > 0

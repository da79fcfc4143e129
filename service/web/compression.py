"""Answers as gzip, for clients that take it: every text of a kilobyte or more that is there as a whole."""

from __future__ import annotations

from flask import Response, request
from isal.isal_zlib import compress

LEAST_BYTES = 1024
"""Below this the headers weigh more than what is saved."""
LEVEL = 3
"""The best of this library, which takes a tenth of the time of zlib's usual one."""
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
    data = response.get_data()
    if len(data) < LEAST_BYTES or not takes_gzip():
        return
    response.set_data(compress(data, LEVEL, wbits=GZIP_WINDOW))
    headers["Content-Encoding"] = "gzip"
    tag = headers.get("ETag", "")
    if tag.startswith('"'):
        headers["ETag"] = f"W/{tag}"


def takes_gzip() -> bool:
    """Whether the client says that it understands gzip."""
    return request.accept_encodings.quality("gzip") > 0

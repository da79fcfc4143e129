"""ETags on reads: a hash of what this reader gets, so it tells no more than the answer itself."""

from __future__ import annotations

from hashlib import sha256

from flask import Response, request

VARY = "Authorization, Accept, Accept-Language"


def tag(response: Response) -> Response:
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

"""Our typeface, for pages: the same that pictures are drawn with."""

from __future__ import annotations

import gzip
from functools import cache
from pathlib import Path

from flask import Blueprint, Response, abort, request

blueprint = Blueprint("fonts", __name__)
FOLDER = Path(__file__).parents[2] / "fonts"
NAMES = frozenset({"EchtraSans-Regular.ttf", "EchtraSans-Bold.ttf"})


@blueprint.get("/fonts/<name>")
def font(name: str) -> Response:
    """One weight of the typeface; it never changes under its name, so browsers may keep it for a month."""
    if name not in NAMES:
        abort(404)
    packed = request.accept_encodings.quality("gzip") > 0
    response = Response(_bytes(name, packed=packed), content_type="font/ttf")
    response.headers.update({"Cache-Control": "public, max-age=2592000", "Vary": "Accept-Encoding"})
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    return response


@cache
def _bytes(name: str, *, packed: bool) -> bytes:
    data = (FOLDER / name).read_bytes()
    return gzip.compress(data, mtime=0) if packed else data

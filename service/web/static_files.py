"""Static files: `/static/HASH/NAME`, with the hash of the whole folder, so that browsers may cache them forever.

Files refer to each other without a path, and so stay within one HASH. A request with another hash, or with none, gets
the same file, but must revalidate it next time.
"""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from flask import Blueprint, Response, abort, current_app, request

from service.web import compression

FOLDER = Path(__file__).parent / "static"
VERIFIER_FOLDER = Path(__file__).parents[2] / "openapi" / "examples"
"""Folder of our JavaScript verifier, if the source is installed: pages check records with it."""
VERIFIER = "verify/verify.mjs"
HASH_LENGTH = 12
HASH_PATTERN = re.compile(rf"[0-9a-f]{{{HASH_LENGTH}}}/")
MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
SOURCE_ONLY = re.compile(rb"^[ \t]*//[^\n]*\n|/\*\*(?:(?!\*/).)*\*/\s*|^[ \t]+", re.MULTILINE | re.DOTALL)
"""Comments, JSDoc types and indentation: a third of the bytes, which browsers do not need."""
STYLE_SOURCE_ONLY = re.compile(rb"/\*.*?(?:\*/\s*|\Z)|^[ \t]+", re.MULTILINE | re.DOTALL)
"""Comments and indentation of style sheets."""
KEPT = "public, max-age=31536000, immutable"
blueprint = Blueprint("static_files", __name__)


@dataclass(frozen=True)
class StaticFile:
    """A file, ready to send."""

    media: str
    data: bytes

    @cached_property
    def packed(self) -> bytes | None:
        """The file as gzip, made on first use; None if that would not be smaller."""
        if len(self.data) < compression.LEAST_BYTES or not compression.is_text_type(self.media.partition(";")[0]):
            return None
        return zlib.compress(self.data, 9, wbits=compression.GZIP_WINDOW)

    @cached_property
    def tag(self) -> str:
        """Hash of its content."""
        return sha256(self.data).hexdigest()[:32]


@dataclass(frozen=True)
class StaticFolder:
    """All files of the folder, and the hash over them."""

    files: dict[str, StaticFile]
    hash: str


def load_folder(folder: Path = FOLDER) -> StaticFolder:
    """Read every file that pages use."""
    whole = sha256()
    files = {}
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.suffix in MEDIA_TYPES}
    paths |= {f"verify/{path.name}": path for path in VERIFIER_FOLDER.glob("*.mjs")}
    for name, path in sorted(paths.items()):
        data = path.read_bytes()
        if path.suffix == ".js" and path.parent == folder:
            data = SOURCE_ONLY.sub(b"", data)
        elif path.suffix == ".css":
            data = STYLE_SOURCE_ONLY.sub(b"", data)
        files[name] = StaticFile(MEDIA_TYPES[path.suffix], data)
        whole.update(f"{name}\n{len(data)}\n".encode() + data)
    return StaticFolder(files, whole.hexdigest()[:HASH_LENGTH])


def current_folder() -> StaticFolder:
    """Return the folder of the running service."""
    folder: StaticFolder = current_app.extensions["echtra-static"]
    return folder


def has_static_file(name: str) -> bool:
    """Return True if there is such a file."""
    return name in current_folder().files


def static_url(name: str) -> str:
    """Return the permanent URL of a file."""
    folder = current_folder()
    if name not in folder.files:
        raise KeyError(f"service/web/static has no file {name}")
    return f"/static/{folder.hash}/{name}"


@blueprint.get("/static/<path:path>")
def serve_file(path: str) -> Response:
    """Send one file, compressed if that helps."""
    folder = current_folder()
    given = HASH_PATTERN.match(path)
    file = folder.files.get(path[given.end() :] if given else path)
    if file is None:
        abort(404)
    packed = file.packed if compression.takes_gzip() else None
    response = Response(file.data if packed is None else packed, content_type=file.media)
    response.headers.update(
        {
            "Cache-Control": KEPT if path.startswith(f"{folder.hash}/") else "no-cache",
            "ETag": f'"{file.tag}"' if packed is None else f'W/"{file.tag}"',
            "Vary": "Accept-Encoding",
        }
    )
    if packed is not None:
        response.headers["Content-Encoding"] = "gzip"
    response.make_conditional(request.environ)
    return response

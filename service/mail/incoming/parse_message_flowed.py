"""Text that was sent as `format=flowed` (RFC 3676): lines broken for the road are joined again."""

from __future__ import annotations

import re

QUOTES = re.compile(r">*")
SIGNATURE = "-- "


def joined(text: str, *, delete: bool) -> str:
    """The lines as they were typed; with `delete` the space before each soft break was not typed either."""
    lines: list[str] = []
    open_depth = -1
    for row in text.split("\n"):
        depth, body = _parted(row)
        soft = body.endswith(" ") and body != SIGNATURE
        content = body[:-1] if soft and delete else body
        if open_depth == depth and body != SIGNATURE:
            lines[-1] += content
        else:
            lines.append(f"{'>' * depth} {content}" if depth else content)
        open_depth = depth if soft else -1
    return "\n".join(lines)


def _parted(row: str) -> tuple[int, str]:
    found = QUOTES.match(row)
    depth = found.end() if found else 0
    return depth, row[depth:].removeprefix(" ")

"""Large messages: a photograph sent with a move must not make it bounce, but is not stored.

A known reply address accepts 10 MB, any other address 1 MB. Of a large message the headers and the text parts are
stored, below our own header with the hash of all bytes as received. The record's proof is that hash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256

from service.mail import reply_addresses
from service.mail.incoming.parse_message import MOST_BYTES

MOST_REPLY_BYTES = 10 * 1024 * 1024
MOST_BOUNDARIES = 20
"""Maximum number of boundaries, since each row is compared with all of them."""
MARK = b"X-Echtra-Received: "
MARK_ROW = re.compile(rb"X-Echtra-Received: sha256=([0-9a-f]{64}); bytes=\d{1,9}; only text parts are kept\r\n")
BOUNDARY = re.compile(rb"boundary=\"?([^\s\";]{1,200})", re.IGNORECASE)
TEXT_TYPE = re.compile(rb"content-type:\s*(?:text|multipart|message)/", re.IGNORECASE)
NAMED_TYPE = re.compile(rb"^content-type:", re.IGNORECASE | re.MULTILINE)
ATTACHED = re.compile(rb"^content-disposition:\s*attachment", re.IGNORECASE | re.MULTILINE)


def fits(raw: bytes, local_parts: tuple[str, ...]) -> bool:
    """Return True if all of these local parts accept a message of this size."""
    if len(raw) <= MOST_BYTES:
        return True
    return len(raw) <= MOST_REPLY_BYTES and all(map(_is_reply_address, local_parts))


def _is_reply_address(local: str) -> bool:
    return reply_addresses.has_reply_form(local) and reply_addresses.find(local) is not None


def shorten(raw: bytes) -> bytes:
    """Return the stored form of a message: all of it, or the text of a large one below the hash of all bytes.

    A message that begins with our own header is treated in the same way, so that nobody can claim another hash.
    """
    if len(raw) <= MOST_BYTES and not raw.lower().startswith(MARK.lower()):
        return raw
    mark = f"sha256={sha256(raw).hexdigest()}; bytes={len(raw)}; only text parts are kept\r\n"
    # If the text itself is too large, one byte too many stays. Then it is refused and never read in part.
    return (MARK + mark.encode() + b"".join(_text_rows(raw)))[: MOST_BYTES + 1]


def hash_as_received(kept: bytes) -> str:
    """Return the SHA-256 of a message as it was received, whether or not all of it was stored."""
    mark = MARK_ROW.match(kept)
    return mark[1].decode() if mark else sha256(kept).hexdigest()


def _text_rows(raw: bytes) -> Iterator[bytes]:
    """Yield the rows of a message without the bodies of attachments. One pass, so the work is linear."""
    boundaries: list[bytes] = []
    head: list[bytes] = []
    in_head = keeps = True
    for row in raw.splitlines(keepends=True):
        if not in_head and row.startswith(b"--") and row.rstrip().startswith(tuple(boundaries) or (b"\0",)):
            in_head, keeps, head = not row.rstrip().endswith(b"--"), True, []
            yield row
        elif in_head:
            head.append(row)
            yield row
            if not row.strip():
                in_head, joined = False, b"".join(head)
                boundaries += [b"--" + name for name in BOUNDARY.findall(joined)][: MOST_BOUNDARIES - len(boundaries)]
                text = TEXT_TYPE.search(joined) is not None or NAMED_TYPE.search(joined) is None
                keeps = text and ATTACHED.search(joined) is None
        elif keeps:
            yield row

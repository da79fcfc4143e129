"""How a record hashes: the texts that are hashed or signed are lines of ASCII."""

from __future__ import annotations

import hmac
from hashlib import sha256


def join_lines(*parts: str | int) -> bytes:
    r"""`T`: the parts, each followed by a line end."""
    return "".join([f"{part}\n" for part in parts]).encode("ascii")


def sha256_hex(data: bytes) -> str:
    """`H`: SHA-256 in lower-case hex."""
    return sha256(data).hexdigest()


def hmac_sha256(key: bytes, *parts: str | int) -> bytes:
    """`M`: the 32 raw bytes of HMAC-SHA-256 over the joined parts."""
    return hmac.digest(key, join_lines(*parts), "sha256")

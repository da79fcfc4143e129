"""The hash chain: salts, commitments, the `by` of an entry, and its hash. Every move runs through this module."""

from __future__ import annotations

import hmac
from hashlib import sha256

SALT_BYTES = 16


def derive_salt(seed: bytes, match: str, seq: int) -> str:
    """Return the salt of an entry, 32 hex digits."""
    return hmac.digest(seed, b"salt\n%b\n%d\n" % (match.encode("ascii"), seq), "sha256")[:SALT_BYTES].hex()


def line_commitment(salt: str, line: str) -> str:
    """Return the commitment to a line."""
    return sha256(f"echtra-line-v1\n{salt}\n{line}\n".encode("ascii")).hexdigest()


def entry_hash(match: str, seq: int, seat: int, at: int, by: str, commit: str, prev: str) -> str:
    """Return the hash of an entry, over everything public about it and the hash before it."""
    return sha256(
        f"echtra-entry-v1\n{match}\n{seq}\n{seat}\n{at}\n{by}\n{commit}\n{prev}\n".encode("ascii")
    ).hexdigest()


def by_bot(name: str) -> str:
    """Return the `by` of a bot's line."""
    return f"bot {name}"


def by_signed(signature: str) -> str:
    """Return the `by` of a signed line. The signature is 128 hex digits."""
    return "signed " + sha256(bytes.fromhex(signature)).hexdigest()


def by_mail(salt: str, received: int, door: str, raw: str, verdict: str) -> str:
    """Return the `by` of a line that came by email; `raw` is the hash of the message as received."""
    text = f"echtra-mail-v1\n{salt}\n{received}\n{door}\n{raw}\n{verdict}\n"
    return "mail " + sha256(text.encode("ascii")).hexdigest()

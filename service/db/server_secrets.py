"""Secrets of the service: made at their first use, kept in the database."""

from __future__ import annotations

import base64
import hmac
import secrets

from service.db.connection import write_transaction
from service.db.models.accounts import SecretRow

_known: dict[str, bytes] = {}


def get_secret(name: str) -> bytes:
    """The secret with this name, 32 bytes."""
    if name not in _known:
        with write_transaction():
            SecretRow.insert(name=name, value=secrets.token_hex(32)).on_conflict_ignore().execute()
        _known[name] = bytes.fromhex(SecretRow.get_by_id(name).value)
    return _known[name]


def sign_link(name: str, text: str, length: int = 16) -> str:
    """The signature that ends a link of ours: so many base32 characters of an HMAC of its text with this secret."""
    digest = hmac.digest(get_secret(name), text.encode(), "sha256")
    return base64.b32encode(digest).decode().lower()[:length]


def clear_cache() -> None:
    """Read them again at their next use."""
    _known.clear()

"""Secrets of the service, created at their first use and stored in the database."""

from __future__ import annotations

import base64
import hmac
import secrets

from service.bounded_cache import BoundedCache
from service.db.connection import write_transaction
from service.db.models.accounts import SecretRow

_secrets: BoundedCache[str, bytes] = BoundedCache(64)


def get_secret(name: str) -> bytes:
    """Return the secret with this name, 32 bytes; create it at its first use."""
    return _secrets.get_or_make(name, lambda: _load_or_create(name))


def _load_or_create(name: str) -> bytes:
    with write_transaction():
        SecretRow.insert(name=name, value=secrets.token_hex(32)).on_conflict_ignore().execute()
    return bytes.fromhex(SecretRow.get_by_id(name).value)


def sign_link(name: str, text: str, length: int = 16) -> str:
    """Return the signature at the end of a link: the first `length` base32 characters of an HMAC of its text."""
    digest = hmac.digest(get_secret(name), text.encode(), "sha256")
    return base64.b32encode(digest).decode().lower()[:length]

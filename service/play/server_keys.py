"""The server's own keys: the one in use signs receipts and heads, old ones stay published."""

from __future__ import annotations

import time
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.db.connection import wait_for_lock, write_transaction
from service.db.models.accounts import ServerKeyRow
from service.record.keys import PublicKey, public_key_of
from service.timestamps import now, rfc3339


@dataclass(frozen=True)
class ServerSigningKey:
    """The key the server signs with now."""

    private: Ed25519PrivateKey
    key: PublicKey


LOCK = 0x6B657973
READ_AGAIN = 10
"""Seconds after which a process looks whether another key is in use by now."""
OVERLAP = 60_000
"""How long, in ms, an old key stays good: every process has seen the new one by then."""
_cached: dict[str, tuple[ServerSigningKey, float]] = {}


def current_key() -> ServerSigningKey:
    """The key in use; the first one is made when none is there."""
    known = _cached.get("key")
    if known is None or time.monotonic() - known[1] > READ_AGAIN:
        known = (_load_current() or _create_first(), time.monotonic())
        _cached["key"] = known
    return known[0]


def _load_current() -> ServerSigningKey | None:
    row = ServerKeyRow.select().where(ServerKeyRow.until.is_null()).order_by(ServerKeyRow.since.desc()).first()
    if row is None:
        return None
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(row.private))
    return ServerSigningKey(key, public_key_of(key))


def _create_first() -> ServerSigningKey:
    """The first key, made once however many processes start at the same time."""
    with write_transaction():
        wait_for_lock(LOCK)
        return _load_current() or rotate()


def rotate(private: Ed25519PrivateKey | None = None) -> ServerSigningKey:
    """A new key, or the one given, is in use from now on; the old one stays published with its end."""
    private = private or Ed25519PrivateKey.generate()
    made, at = ServerSigningKey(private, public_key_of(private)), now()
    with write_transaction():
        ServerKeyRow.update(until=at + OVERLAP).where(ServerKeyRow.until.is_null()).execute()
        ServerKeyRow.create(id=made.key.id, private=private.private_bytes_raw().hex(), x=made.key.x, since=at)
    clear_cache()
    return made


def clear_cache() -> None:
    """Read the key again at its next use."""
    _cached.clear()


def published_keys() -> dict[str, object]:
    """What `/.well-known/echtra.json` says: every key we ever signed with."""
    return {
        "keys": [
            {
                "alg": "EdDSA",
                "crv": "Ed25519",
                "from": rfc3339(row.since),
                "kid": row.id,
                "kty": "OKP",
                "until": rfc3339(row.until),
                "use": "sig",
                "x": row.x,
            }
            for row in ServerKeyRow.select().order_by(ServerKeyRow.since)
        ]
    }

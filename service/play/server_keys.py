"""The server's own keys: the one in use signs receipts and heads, old ones stay published."""

from __future__ import annotations

import time
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.db.connection import execute, rows, wait_for_lock, write_transaction
from service.record.keys import PublicKey, public_key_of
from service.timestamps import now, rfc3339


@dataclass(frozen=True)
class ServerSigningKey:
    """The key the server signs with now."""

    private: Ed25519PrivateKey
    key: PublicKey


CURRENT_KEY = "select private from server_key where until is null order by since desc limit 1"
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
        found = rows(CURRENT_KEY)
        known = (_load(found[0][0]) if found else _create_first(), time.monotonic())
        _cached["key"] = known
    return known[0]


def _load(private: str) -> ServerSigningKey:
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private))
    return ServerSigningKey(key, public_key_of(key))


def _create_first() -> ServerSigningKey:
    """The first key, made once however many processes start at the same time."""
    with write_transaction():
        wait_for_lock(LOCK)
        found = rows(CURRENT_KEY)
        return _load(found[0][0]) if found else rotate()


def rotate() -> ServerSigningKey:
    """A new key is in use from now on; the old one stays published with its end."""
    private = Ed25519PrivateKey.generate()
    made, at = ServerSigningKey(private, public_key_of(private)), now()
    with write_transaction():
        execute("update server_key set until = ? where until is null", at + OVERLAP)
        execute(
            "insert into server_key (id, private, x, since) values (?, ?, ?, ?)",
            made.key.id,
            private.private_bytes_raw().hex(),
            made.key.x,
            at,
        )
    clear_cache()
    return made


def clear_cache() -> None:
    """Read the key again at its next use."""
    _cached.clear()


def published_keys() -> dict[str, object]:
    """What `/.well-known/echtra.json` says: every key we ever signed with."""
    keys = rows("select id, x, since, until from server_key order by since")
    return {
        "keys": [
            {
                "alg": "EdDSA",
                "crv": "Ed25519",
                "from": rfc3339(since),
                "kid": kid,
                "kty": "OKP",
                "until": rfc3339(until),
                "use": "sig",
                "x": x,
            }
            for kid, x, since, until in keys
        ]
    }

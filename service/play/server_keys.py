"""The server's own keys: the one in use signs receipts and heads, old ones stay published."""

from __future__ import annotations

import time
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.db.connection import is_postgres, rows, run, writing
from service.record.keys import Key, of_private
from service.timestamps import now, rfc3339


@dataclass(frozen=True)
class ServerKey:
    """The key the server signs with now."""

    private: Ed25519PrivateKey
    key: Key


QUERY = "select private from server_key where until is null order by since desc limit 1"
LOCK = 0x6B657973
READ_AGAIN = 10
"""Seconds after which a process looks whether another key is in use by now."""
OVERLAP = 60_000
"""How long, in ms, an old key stays good: every process has seen the new one by then."""
_current: dict[str, tuple[ServerKey, float]] = {}


def current() -> ServerKey:
    """The key in use; the first one is made when none is there."""
    known = _current.get("key")
    if known is None or time.monotonic() - known[1] > READ_AGAIN:
        found = rows(QUERY)
        known = (_loaded(found[0][0]) if found else _first(), time.monotonic())
        _current["key"] = known
    return known[0]


def _loaded(private: str) -> ServerKey:
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(private))
    return ServerKey(key, of_private(key))


def _first() -> ServerKey:
    """The first key, made once however many processes start at the same time."""
    with writing():
        if is_postgres():
            run("select pg_advisory_xact_lock(?)", LOCK)
        found = rows(QUERY)
        return _loaded(found[0][0]) if found else rotate()


def rotate() -> ServerKey:
    """A new key is in use from now on; the old one stays published with its end."""
    private = Ed25519PrivateKey.generate()
    made, at = ServerKey(private, of_private(private)), now()
    with writing():
        run("update server_key set until = ? where until is null", at + OVERLAP)
        run(
            "insert into server_key (id, private, x, since) values (?, ?, ?, ?)",
            made.key.id,
            private.private_bytes_raw().hex(),
            made.key.x,
            at,
        )
    forget()
    return made


def forget() -> None:
    """Read the key again at its next use."""
    _current.clear()


def published() -> dict[str, object]:
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

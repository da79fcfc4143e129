"""The server's keys: the current one signs receipts and heads; old ones stay published."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service import shapes
from service.bounded_cache import BoundedCache
from service.db.connection import wait_for_lock, write_transaction
from service.db.models.accounts import ServerKeyRow
from service.record.keys import PublicKey, public_key_of
from service.timestamps import now, rfc3339


@dataclass(frozen=True)
class ServerSigningKey:
    """The server's current signing key."""

    private: Ed25519PrivateKey
    key: PublicKey


LOCK = 0x6B657973
READ_AGAIN = 10
"""Seconds after which a process checks for a new key."""
OVERLAP = 60_000
"""How long, in ms, an old key stays valid. By then every process has seen the new one."""
_current: BoundedCache[str, tuple[ServerSigningKey, float]] = BoundedCache(1)


def current_key() -> ServerSigningKey:
    """Return the current key. The first one is created on first use."""
    cached = _current.get("key")
    if cached is None or time.monotonic() - cached[1] > READ_AGAIN:
        cached = (_load_current() or _create_first(), time.monotonic())
        _current.put("key", cached)
    return cached[0]


def _load_current() -> ServerSigningKey | None:
    row = ServerKeyRow.select().where(ServerKeyRow.until.is_null()).order_by(ServerKeyRow.since.desc()).first()
    if row is None:
        return None
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(row.private))
    return ServerSigningKey(key, public_key_of(key))


def _create_first() -> ServerSigningKey:
    """Create the first key, only once even if several processes start at the same time."""
    with write_transaction():
        wait_for_lock(LOCK)
        return _load_current() or rotate()


def rotate(private: Ed25519PrivateKey | None = None) -> ServerSigningKey:
    """Switch to a new key, or to the one given. The old one stays published with its end date."""
    private = private or Ed25519PrivateKey.generate()
    made, at = ServerSigningKey(private, public_key_of(private)), now()
    with write_transaction():
        ServerKeyRow.update(until=at + OVERLAP).where(ServerKeyRow.until.is_null()).execute()
        ServerKeyRow.create(id=made.key.id, private=private.private_bytes_raw().hex(), x=made.key.x, since=at)
    _current.clear()
    return made


class ServerKeyShown(shapes.Shape):
    """A key of the server, as JWK with the time it was in use."""

    alg: str = shapes.choice(("EdDSA",), "Always `EdDSA`.")
    crv: str = shapes.choice(("Ed25519",), "Always `Ed25519`.")
    since: str = shapes.text("From when it was in use.", shapes.AT, key="from")
    kid: str = shapes.text("Its RFC 7638 id, as receipts and records name it.", shapes.KEY_ID)
    kty: str = shapes.choice(("OKP",), "Always `OKP`.")
    until: str | None = shapes.text("Until when; null while in use.")
    use: str = shapes.choice(("sig",), "Always `sig`.")
    x: str = shapes.text("The public key.", shapes.PUBLIC_KEY)


class ServerKeysShown(shapes.Shape):
    """Every key the server ever signed with."""

    component = "ServerKeys"

    keys: Sequence[ServerKeyShown] = shapes.items("Oldest first.", most=10000)


def published_keys() -> ServerKeysShown:
    """Return the document for `/.well-known/echtra.json`: every key we have ever signed with."""
    return ServerKeysShown(
        keys=[
            ServerKeyShown(
                alg="EdDSA",
                crv="Ed25519",
                since=rfc3339(row.since) or "",
                kid=row.id,
                kty="OKP",
                until=rfc3339(row.until),
                use="sig",
                x=row.x,
            )
            for row in ServerKeyRow.select().order_by(ServerKeyRow.since)
        ]
    )

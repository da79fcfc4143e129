"""Golden records: matches really played, as the service of their day exported them; added, never edited."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.record.keys import public_key_of

FOLDER = Path(__file__).parent
PEOPLE = ("aoife", "brian", "ciara")
SERVERS = ("server 1", "server 2")


@cache
def private(name: str) -> Ed25519PrivateKey:
    """The key of somebody in these matches; tests know them all, so that they can also cheat."""
    return Ed25519PrivateKey.from_private_bytes(sha256(f"golden {name}".encode()).digest())


@cache
def privates() -> dict[str, Ed25519PrivateKey]:
    """Every key by its id: of the people, the second ones they changed to, and of the server."""
    names = (*PEOPLE, *(f"{name} 2" for name in PEOPLE), *SERVERS)
    return {public_key_of(private(name)).id: private(name) for name in names}

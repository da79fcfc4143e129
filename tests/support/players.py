"""People for tests: confirmed players with a token and a key, as real clients have them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.accounts import players, signing_keys, tokens
from service.db.connection import rows, write_transaction
from service.record.keys import PublicKey, public_key_of
from service.timestamps import TimeSource, now

Client = Any
"""A client of the web service. The content of its answers has no type."""
Answer = Any
START = 1_800_000_000_000
"""2027-01-15T08:00:00Z, a Friday."""


@dataclass
class Clock:
    """The time as a test sets it."""

    at: int = START

    def __call__(self) -> int:
        """Return the time."""
        return self.at

    def forward(self, *, days: float = 0, hours: float = 0, minutes: float = 0, seconds: float = 0) -> None:
        """Move the time."""
        self.at += int((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000)

    def install(self) -> None:
        """Install this as the only source of time."""
        TimeSource.source = staticmethod(self)


@dataclass(frozen=True)
class Person:
    """A player at the other end of the API."""

    client: Client
    id: str
    name: str
    address: str
    token: str
    private: Ed25519PrivateKey

    @property
    def key(self) -> PublicKey:
        """Their public key."""
        return public_key_of(self.private)

    @property
    def bearer(self) -> dict[str, str]:
        """The header with the player's token."""
        return {"Authorization": f"Bearer {self.token}"}

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:  # noqa: ANN401
        """Send a request with the token. Names of headers have `_` for `-`."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        sent = {} if body is None else {"json": body}
        return self.client.open(path, method=method, headers={**self.bearer, **named}, **sent)

    def get(self, path: str, **headers: str) -> Answer:
        """Send a GET request."""
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:  # noqa: ANN401
        """Send a POST request."""
        return self.ask("POST", path, body, **headers)

    def patch(self, path: str, body: Any, **headers: str) -> Answer:  # noqa: ANN401
        """Send a PATCH request."""
        return self.ask("PATCH", path, body, **headers)

    def delete(self, path: str, **headers: str) -> Answer:
        """Send a DELETE request."""
        return self.ask("DELETE", path, **headers)


def newcomer(
    client: Client,
    name: str = "Aoife",
    *,
    scopes: tuple[str, ...] = ("play", "organise", "account"),
    language: str = "en",
    zone: str = "Europe/Dublin",
) -> Person:
    """Return a confirmed player with a token and a key, made without emails."""
    private = Ed25519PrivateKey.generate()
    with write_transaction():
        ((count,),) = rows("select count(*) from player")
        address = f"{name.lower()}{count}@example.org"
        player = players.create(name=name, language=language, zone=zone, at=now(), address=address)
        made = tokens.issue(player.id, "test", scopes)
        signing_keys.add(player.id, public_key_of(private), "test")
    return Person(client, player.id, name, address, made.text, private)


def letters(kind: str | None = None) -> list[dict[str, Any]]:
    """Return what the worker would send: the payloads of waiting emails, oldest first."""
    found = rows("select payload from job where topic = 'letter' and done_at is null order by id")
    payloads = [json.loads(text) for (text,) in found]
    return [payload for payload in payloads if kind in (None, payload["kind"])]

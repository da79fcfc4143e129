"""The keys of a server as it publishes them, and whether one of them was in use at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from service.record import canonical_json as canonical
from service.record.canonical_json import Row
from service.record.errors import Refused
from service.record.hashing import LIMIT
from service.record.keys import Key, KeyRefusedError

_START = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)


class KeyListError(ValueError):
    """A list of server keys that cannot be read."""


@dataclass(frozen=True)
class ServerKey:
    """A key and the times, in ms, between which the server signs with it; without `until` it still does."""

    key: Key
    since: int
    until: int | None = None

    @property
    def row(self) -> Row:
        """The key as `/.well-known/echtra.json` shows it."""
        times = {"from": written(self.since), "until": None if self.until is None else written(self.until)}
        return {**self.key.jwk, **times, "alg": "EdDSA", "kid": self.key.id, "use": "sig"}

    def in_use(self, at: int) -> bool:
        """Whether the server signed with it then."""
        return self.since <= at <= (LIMIT if self.until is None else self.until)


@dataclass(frozen=True)
class ServerKeys:
    """All keys a server has published, old ones too."""

    keys: tuple[ServerKey, ...]

    def key(self, server: str, at: int) -> Key | None:
        """The server's key with this id if it was in use at this time."""
        return next((each.key for each in self.keys if each.key.id == server and each.in_use(at)), None)

    def write(self) -> Row:
        """The document for `/.well-known/echtra.json`."""
        return {"keys": [each.row for each in self.keys]}


def written(at: int) -> str:
    """A time of the record as RFC 3339 writes it, with milliseconds."""
    return (_START + at * _MS).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def time(text: object) -> int:
    """The ms of an RFC 3339 time."""
    try:
        moment = datetime.fromisoformat(str(text))
        return (moment - _START) // _MS
    except (ValueError, TypeError, OverflowError):
        raise KeyListError(f"{text!r} is not a time like 2026-01-01T00:00:00.000Z") from None


def _key(row: object) -> Iterable[ServerKey]:
    if not isinstance(row, Mapping):
        raise KeyListError("each key of the list must be an object")
    try:
        key = Key(str(row.get("x")))
    except KeyRefusedError:
        return
    # A key that does not belong to its kid vouches for nothing.
    if row.get("kid") == key.id and row.get("kty") == "OKP" and row.get("crv") == "Ed25519":
        until = row.get("until")
        yield ServerKey(key, time(row.get("from")), None if until is None else time(until))


def read(data: bytes) -> ServerKeys:
    """The keys of a server from the bytes of its `/.well-known/echtra.json`."""
    try:
        document = canonical.parsed(data)
    except Refused as error:
        raise KeyListError(f"this is no list of server keys: {error.detail}") from None
    rows = document.get("keys") if isinstance(document, Mapping) else None
    if not isinstance(rows, list):
        raise KeyListError('this is no list of server keys: it must be {"keys": […]}, as /.well-known/echtra.json is')
    return ServerKeys(tuple(key for row in rows for key in _key(row)))

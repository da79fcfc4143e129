"""Published keys of a server with the times they were in use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from service.record import canonical_json
from service.record.canonical_json import JsonObject
from service.record.errors import BadRecordPart
from service.record.keys import KeyRefusedError, PublicKey
from service.record.patterns import MOST_NUMBER

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


class KeyListError(ValueError):
    """A list of server keys that cannot be read."""


@dataclass(frozen=True)
class ServerKey:
    """A key, and the times in ms between which the server signed with it. Without `until` it is still in use."""

    key: PublicKey
    since: int
    until: int | None = None

    @property
    def row(self) -> JsonObject:
        """The key as `/.well-known/echtra.json` shows it."""
        times = {"from": format_time(self.since), "until": None if self.until is None else format_time(self.until)}
        return {**self.key.jwk, **times, "alg": "EdDSA", "kid": self.key.id, "use": "sig"}

    def in_use(self, at: int) -> bool:
        """Return True if the server signed with it at this time."""
        return self.since <= at <= (MOST_NUMBER if self.until is None else self.until)


@dataclass(frozen=True)
class ServerKeys:
    """All keys that a server has published, old ones included."""

    keys: tuple[ServerKey, ...]

    def key(self, server: str, at: int) -> PublicKey | None:
        """Return the server's key with this id if it was in use at this time."""
        return next((each.key for each in self.keys if each.key.id == server and each.in_use(at)), None)

    def write(self) -> JsonObject:
        """Return the document for `/.well-known/echtra.json`."""
        return {"keys": [each.row for each in self.keys]}


def format_time(at: int) -> str:
    """Format a time of the record as RFC 3339, with milliseconds."""
    return (_EPOCH + at * _MILLISECOND).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def parse_time(text: object) -> int:
    """Return the milliseconds of an RFC 3339 time."""
    try:
        moment = datetime.fromisoformat(str(text))
        return (moment - _EPOCH) // _MILLISECOND
    except (ValueError, TypeError, OverflowError):
        raise KeyListError(f"{text!r} is not a time like 2026-01-01T00:00:00.000Z") from None


def _parse_server_key(row: object) -> Iterable[ServerKey]:
    if not isinstance(row, Mapping):
        raise KeyListError("each key of the list must be an object")
    try:
        key = PublicKey(str(row.get("x")))
    except KeyRefusedError:
        return
    # A key that does not match its kid proves nothing.
    if row.get("kid") == key.id and row.get("kty") == "OKP" and row.get("crv") == "Ed25519":
        until = row.get("until")
        yield ServerKey(key, parse_time(row.get("from")), None if until is None else parse_time(until))


def read(data: bytes) -> ServerKeys:
    """Parse the keys of a server from the bytes of its `/.well-known/echtra.json`."""
    try:
        document = canonical_json.parse_json(data)
    except BadRecordPart as error:
        raise KeyListError(f"this is not a list of server keys: {error.detail}") from None
    rows = document.get("keys") if isinstance(document, Mapping) else None
    if not isinstance(rows, list):
        raise KeyListError(
            'this is not a list of server keys: it must be {"keys": […]}, as /.well-known/echtra.json is'
        )
    return ServerKeys(tuple(key for row in rows for key in _parse_server_key(row)))

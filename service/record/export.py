"""Write an export for one viewer: one canonical JSON object per line, from plain values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.record.canonical_json import JsonObject, write
from service.record.entry import CHANCE, HOUSE
from service.record.header import Header, key_ids
from service.record.keys import PublicKey, public_key_of, sign
from service.record.signed_text import head_text

OPTIONAL_FIELDS = ("asked", "n", "key", "signature", "text", "orders", "mail")


def referenced_key_ids(header: Header, entries: Iterable[JsonObject]) -> frozenset[str]:
    """Return the ids of all keys named in the header and in `keys` and `seat` lines.

    Receipts and head name the server's keys.
    """
    ids = set().union(*(place.key_ids for place in header.places))
    for entry in entries:
        verb, *words = str(entry.get("line", "")).split(" ")
        if (verb == "keys" and entry["seat"] != CHANCE) or (verb == "seat" and entry["seat"] == HOUSE):
            ids |= key_ids(words[-1])
    return frozenset(ids)


def header_row(header: Header) -> JsonObject:
    """Return the first line of every export."""
    return {"hash": header.hash, "lines": list(header.rows), "type": "header"}


def key_row(key: PublicKey) -> JsonObject:
    """Return the line of a key that is named in the record."""
    return {"id": key.id, "jwk": key.jwk, "type": "key"}


def entry_row(entry: JsonObject, shown: str | None = None) -> JsonObject:
    """Return an entry. With `shown`, return only its redacted form and its public fields.

    The given entry has seq, seat, at, by, commit, hash, line and salt. A signed entry also has asked, n, key, signature
    and, if present, text and orders. An entry by email also has mail. Members that are None, and orders that are False,
    are left out.
    """
    row: JsonObject = {name: entry[name] for name in ("seq", "seat", "at", "by", "commit", "hash")}
    if shown is not None:
        return {**row, "shown": shown, "type": "entry"}
    present = {
        name: entry[name] for name in OPTIONAL_FIELDS if entry.get(name) is not None and entry[name] is not False
    }
    return {**row, **present, "line": entry["line"], "salt": entry["salt"], "type": "entry"}


def seed_row(seed: bytes) -> JsonObject:
    """Return the line of the seed, which is published when the match is over."""
    return {"seed": seed.hex(), "type": "seed"}


def head_row(
    server: Ed25519PrivateKey, *, match: str, seq: int, hash_: str, at: int, viewer: str, lines: str
) -> JsonObject:
    """Return the last line of an export, signed by the server over all bytes before it."""
    return {
        "at": at,
        "hash": hash_,
        "lines": lines,
        "match": match,
        "seq": seq,
        "server": public_key_of(server).id,
        "signature": sign(server, head_text(match, seq, hash_, at, viewer, lines)),
        "type": "head",
        "viewer": viewer,
    }


def write_export(
    server: Ed25519PrivateKey,
    *,
    header: Header,
    keys: Iterable[PublicKey],
    entries: Sequence[JsonObject],
    receipts: Iterable[JsonObject],
    seed: bytes | None,
    at: int,
    viewer: str,
) -> bytes:
    """Return a whole export. Entries are rows of `entry_row`; the server's key is added automatically."""
    shown = {key.id: key for key in (*keys, public_key_of(server))}
    rows = [
        header_row(header),
        *(key_row(shown[each]) for each in sorted(shown)),
        *entries,
        *sorted(receipts, key=lambda row: (row["seq"], row["at"], row["signature"])),
        *([] if seed is None else [seed_row(seed)]),
    ]
    body = b"".join(write(row) + b"\n" for row in rows)
    last = entries[-1] if entries else {"seq": 0, "hash": header.hash}
    head = head_row(
        server,
        match=header.match,
        seq=int(str(last["seq"])),
        hash_=str(last["hash"]),
        at=at,
        viewer=viewer,
        lines=sha256(body).hexdigest(),
    )
    return body + write(head) + b"\n"

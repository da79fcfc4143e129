"""What the server signs: receipts for joining and for moves, and the head of an export."""

from __future__ import annotations

from collections.abc import Iterable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.record.canonical_json import Row
from service.record.hashing import digest, joined
from service.record.keys import of_private, sign


def join_text(match: str, seat: int, player: str, seed: str, nonce: str, keys: str, at: int) -> bytes:
    """The bytes signed for a join receipt; `seed` is the hash of the seed."""
    return f"echtra-join-v1\n{match}\n{seat}\n{player}\n{seed}\n{nonce}\n{keys}\n{at}\n".encode("ascii")


def receipt_text(match: str, seq: int, hash_: str, at: int, signatures: str) -> bytes:
    """The bytes signed for a receipt; `signatures` is what `covered` gives."""
    return f"echtra-receipt-v1\n{match}\n{seq}\n{hash_}\n{at}\n{signatures}\n".encode("ascii")


def head_text(match: str, seq: int, hash_: str, at: int, viewer: str, lines: str) -> bytes:
    """The bytes signed for the head of an export; `lines` is the hash of all bytes before it."""
    return f"echtra-head-v1\n{match}\n{seq}\n{hash_}\n{at}\n{viewer}\n{lines}\n".encode("ascii")


def covered(signatures: Iterable[str]) -> str:
    """The hash of all signatures of a submission, waiting lines included; of none for a mail."""
    return digest(joined(*signatures))


def join_receipt(
    server: Ed25519PrivateKey, *, match: str, seat: int, player: str, seed: str, nonce: str, keys: str, at: int
) -> Row:
    """The receipt for joining, or for changing seat, keys or nonce before the start."""
    return {
        "at": at,
        "keys": keys,
        "match": match,
        "nonce": nonce,
        "player": player,
        "seat": seat,
        "seed": seed,
        "server": of_private(server).id,
        "signature": sign(server, join_text(match, seat, player, seed, nonce, keys, at)),
        "type": "join",
    }


def receipt(server: Ed25519PrivateKey, *, match: str, seq: int, hash_: str, at: int, signatures: Iterable[str]) -> Row:
    """The receipt for a submission or a mail; `seq` and `hash_` are of the head after the lines made at once."""
    over = covered(signatures)
    return {
        "at": at,
        "hash": hash_,
        "match": match,
        "seq": seq,
        "server": of_private(server).id,
        "signature": sign(server, receipt_text(match, seq, hash_, at, over)),
        "signatures": over,
        "type": "receipt",
    }

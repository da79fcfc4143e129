"""The texts that are signed: moves by players; receipts, joins and heads of exports by the server."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from service.record.canonical_json import JsonObject
from service.record.hashing import join_lines, sha256_hex
from service.record.keys import public_key_of, sign
from service.record.patterns import MOST_LINE_LENGTH, is_line

MOST_LINES = 64
ALTERNATIVES_SEPARATOR = " | "
LEAST_ALTERNATIVES = 2


def link_to_previous(previous: str | None, orders: bool = False) -> str:
    """Return a line's link to the previous one of its submission: `now`, `wait`, or the hash of that signature."""
    if previous is not None:
        return sha256(bytes.fromhex(previous)).hexdigest()
    return "wait" if orders else "now"


def move_text(match: str, seat: int, asked: int, prev: str, n: int, before: str, line: str) -> bytes:
    """Return the bytes that are signed for line n of a submission."""
    return f"echtra-move-v1\n{match}\n{seat}\n{asked}\n{prev}\n{n}\n{before}\n{line}\n".encode("ascii")


def split_alternatives(text: str) -> tuple[str, ...]:
    """Return the lines that a signed text names in order of preference, or None if the text is not well formed."""
    lines = tuple(text.split(ALTERNATIVES_SEPARATOR))
    well_formed = len(text) <= MOST_LINE_LENGTH and all(is_line(line) for line in lines)
    return lines if well_formed and len(set(lines)) == len(lines) else ()


def join_text(match: str, seat: int, player: str, seed: str, nonce: str, keys: str, at: int) -> bytes:
    """Return the bytes signed for a join receipt. `seed` is the hash of the seed."""
    return f"echtra-join-v1\n{match}\n{seat}\n{player}\n{seed}\n{nonce}\n{keys}\n{at}\n".encode("ascii")


def receipt_text(match: str, seq: int, hash_: str, at: int, signatures: str) -> bytes:
    """Return the bytes signed for a receipt. `signatures` is the result of `signatures_hash`."""
    return f"echtra-receipt-v1\n{match}\n{seq}\n{hash_}\n{at}\n{signatures}\n".encode("ascii")


def head_text(match: str, seq: int, hash_: str, at: int, viewer: str, lines: str) -> bytes:
    """Return the bytes signed for the head of an export. `lines` is the hash of all bytes before it."""
    return f"echtra-head-v1\n{match}\n{seq}\n{hash_}\n{at}\n{viewer}\n{lines}\n".encode("ascii")


def signatures_hash(signatures: Iterable[str]) -> str:
    """Return the hash of all signatures of a submission, waiting lines included. An email has no signatures."""
    return sha256_hex(join_lines(*signatures))


def sign_join_receipt(
    server: Ed25519PrivateKey, *, match: str, seat: int, player: str, seed: str, nonce: str, keys: str, at: int
) -> JsonObject:
    """Sign the receipt for joining, or for changing seat, keys or nonce before the start."""
    return {
        "at": at,
        "keys": keys,
        "match": match,
        "nonce": nonce,
        "player": player,
        "seat": seat,
        "seed": seed,
        "server": public_key_of(server).id,
        "signature": sign(server, join_text(match, seat, player, seed, nonce, keys, at)),
        "type": "join",
    }


def sign_receipt(
    server: Ed25519PrivateKey, *, match: str, seq: int, hash_: str, at: int, signatures: Iterable[str]
) -> JsonObject:
    """Sign the receipt for a submission or an email. `seq` and `hash_` are the head after the lines made at once."""
    over = signatures_hash(signatures)
    return {
        "at": at,
        "hash": hash_,
        "match": match,
        "seq": seq,
        "server": public_key_of(server).id,
        "signature": sign(server, receipt_text(match, seq, hash_, at, over)),
        "signatures": over,
        "type": "receipt",
    }

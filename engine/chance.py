"""Picks: numbered, verifiable choices for chance and bots, and a plain seeded source."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Pick, Seat

SPAN = 1 << 64


def keyed_hash(key: bytes, *parts: str | int) -> bytes:
    """Return the HMAC-SHA-256 of the parts, each followed by a line end."""
    return hmac.digest(key, "".join(f"{part}\n" for part in parts).encode("ascii"), "sha256")


def match_key(seed: bytes, nonces: tuple[str, ...], beacon: str = "-") -> bytes:
    """Return the key of all picks of a match, from its seed, the nonces of the seats and the beacon."""
    return keyed_hash(seed, "key", *nonces, beacon)


def _values(key: bytes, *parts: str | int) -> Iterator[int]:
    """Yield 64-bit values without end. Each HMAC block gives four."""
    for block in count():
        stream = keyed_hash(key, *parts, block)
        for at in range(0, 32, 8):
            yield int.from_bytes(stream[at : at + 8], "big")


def _fair(values: Iterator[int], n: int) -> int:
    """Return one of 0 to n-1, each with the same probability."""
    # Values above the last multiple of n are skipped: with them, small results would be a little more likely.
    bound = SPAN - SPAN % n
    for value in values:
        if value < bound:
            return value % n
    raise AssertionError("a stream never ends")


def numbered_pick(key: bytes, number: int, n: int) -> int:
    """Return the pick with this number, one of 0 to n-1."""
    return _fair(_values(key, "pick", number), n)


@dataclass
class Numbered:
    """Source of picks that counts: one numbered pick after the other."""

    key: bytes
    number: int = 0

    def __call__(self, n: int) -> int:
        """Return the next pick."""
        self.number += 1
        return numbered_pick(self.key, self.number - 1, n)


def bot_stream(key: bytes, seat: Seat, entries: int) -> Pick:
    """Return the source of choices for one line of a bot, after `entries` entries of its seat."""
    values = _values(key, "bot", seat, entries)
    return lambda n: _fair(values, n)


def seeded_pick(seed: int) -> Pick:
    """Return a fast, repeatable source of choices for tests, simulations and benchmarks."""
    random = Random(seed).random  # noqa: S311  # nothing here is a secret
    return lambda n: int(random() * n)


def stretched_pick(seed: int) -> Pick:
    """Return a source of very many choices that all follow from one seed.

    It takes the upper halves of a linear generator modulo 2^64, so that a verifier in any language can repeat it.
    """
    values = _linear_values(seed)
    return lambda n: next(values) * n >> 32


def _linear_values(value: int) -> Iterator[int]:
    while True:
        value = (value * 6364136223846793005 + 1442695040888963407) % SPAN
        yield value >> 32


def deal_key(text: str) -> bytes:
    """Return the key of the picks for a named deal, as in `echtra play --deal KEY`."""
    return sha256(text.encode()).digest()

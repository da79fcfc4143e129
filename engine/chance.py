"""Picks: the numbered, verifiable choices of chance and of bots, and a plain seeded source."""

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
    """HMAC-SHA-256 of the parts, each followed by a line end."""
    return hmac.digest(key, "".join(f"{part}\n" for part in parts).encode("ascii"), "sha256")


def match_key(seed: bytes, nonces: tuple[str, ...], beacon: str = "-") -> bytes:
    """The key of all picks of a match: its seed, what the seats added, and the beacon."""
    return keyed_hash(seed, "key", *nonces, beacon)


def _values(key: bytes, *parts: str | int) -> Iterator[int]:
    for block in count():
        stream = keyed_hash(key, *parts, block)
        for at in range(0, 32, 8):
            yield int.from_bytes(stream[at : at + 8], "big")


def _fair(values: Iterator[int], n: int) -> int:
    bound = SPAN - SPAN % n
    for value in values:
        if value < bound:
            return value % n
    raise AssertionError("a stream never ends")


def numbered_pick(key: bytes, number: int, n: int) -> int:
    """The pick with this number: one of 0 to n-1."""
    return _fair(_values(key, "pick", number), n)


@dataclass
class Numbered:
    """Picks one after the other, from a given number on."""

    key: bytes
    number: int = 0

    def __call__(self, n: int) -> int:
        """The next pick."""
        self.number += 1
        return numbered_pick(self.key, self.number - 1, n)


def bot_stream(key: bytes, seat: Seat, entries: int) -> Pick:
    """The choices of a bot for one line, after so many entries of its seat."""
    values = _values(key, "bot", seat, entries)
    return lambda n: _fair(values, n)


def seeded_pick(seed: int) -> Pick:
    """A plain, fast, repeatable source for tests, simulations and benchmarks."""
    random = Random(seed).random  # noqa: S311  # nothing here is a secret
    return lambda n: int(random() * n)


def stretched_pick(seed: int) -> Pick:
    """Very many choices out of one: the upper halves of a linear generator modulo 2^64, easy to write anywhere."""
    values = _linear_values(seed)
    return lambda n: next(values) * n >> 32


def _linear_values(value: int) -> Iterator[int]:
    while True:
        value = (value * 6364136223846793005 + 1442695040888963407) % SPAN
        yield value >> 32


def deal_key(text: str) -> bytes:
    """The key of the picks for a deal named by people, as in `echtra play --deal KEY`."""
    return sha256(text.encode()).digest()

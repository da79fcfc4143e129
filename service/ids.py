"""Random names: ids, tokens, codes and seeds."""

from __future__ import annotations

import secrets
from collections.abc import Callable

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def choose_sign(signs: str) -> str:
    """One of these signs, which nobody can guess."""
    return secrets.choice(signs)


def draw_bytes(count: int) -> bytes:
    """So many bytes that nobody can guess."""
    return secrets.token_bytes(count)


class ChanceSource:
    """Where ids and seeds come from; a simulation puts what can be repeated in its place."""

    choose_sign: Callable[[str], str] = staticmethod(choose_sign)
    draw_bytes: Callable[[int], bytes] = staticmethod(draw_bytes)


def new_id(length: int = 16) -> str:
    """A random id of letters and digits that are not mistaken for each other."""
    return "".join(ChanceSource.choose_sign(LETTERS) for _ in range(length))


def new_digits(length: int = 6) -> str:
    """A code to be typed from a letter."""
    return "".join(secrets.choice("0123456789") for _ in range(length))


def new_seed() -> bytes:
    """The seed of a match."""
    return ChanceSource.draw_bytes(32)

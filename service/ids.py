"""Random names: ids, tokens, codes and seeds."""

from __future__ import annotations

import secrets

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def new_id(length: int = 16) -> str:
    """A random id of letters and digits that are not mistaken for each other."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def new_digits(length: int = 6) -> str:
    """A code to be typed from a letter."""
    return "".join(secrets.choice("0123456789") for _ in range(length))


def new_seed() -> bytes:
    """The seed of a match."""
    return secrets.token_bytes(32)

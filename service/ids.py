"""Random ids, tokens, codes and seeds."""

from __future__ import annotations

import secrets
from collections.abc import Callable

LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def choose_sign(signs: str) -> str:
    """Return one of these characters, chosen by a secure random generator."""
    return secrets.choice(signs)


def draw_bytes(count: int) -> bytes:
    """Return `count` secure random bytes."""
    return secrets.token_bytes(count)


class ChanceSource:
    """Source of ids and seeds. A simulation replaces it with a repeatable one."""

    choose_sign: Callable[[str], str] = staticmethod(choose_sign)
    draw_bytes: Callable[[int], bytes] = staticmethod(draw_bytes)


def new_id(length: int = 16) -> str:
    """Return a random id of letters and digits that are hard to confuse."""
    return "".join(ChanceSource.choose_sign(LETTERS) for _ in range(length))


def new_digits(length: int = 6) -> str:
    """Return a numeric code for people to type."""
    return "".join(secrets.choice("0123456789") for _ in range(length))


def new_seed() -> bytes:
    """Return a new match seed."""
    return ChanceSource.draw_bytes(32)

"""Invariants of a match, in a module for each game with one function: `conserved(state)` asserts them."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def conserved(slug: str) -> Callable[[Any], None]:
    """The check of this game; a game without one cannot be tested."""
    check: Callable[[Any], None] = import_module(f"{__name__}.{slug.replace('-', '_')}").conserved
    return check

"""Small changes to tuples, which states are made of."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """Return the values with another one at this index."""
    return (*values[:at], value, *values[at + 1 :])


def without(values: tuple[T, ...], value: T) -> tuple[T, ...]:
    """Return the values without one copy of this one."""
    at = values.index(value)
    return values[:at] + values[at + 1 :]

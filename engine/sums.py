"""Sums that are the same on every machine and Python version, to the last bit."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import add


def add_up(values: Iterable[float]) -> float:
    """Add the values from left to right, as `sum` did until Python 3.12.

    Later versions round differently in the last bit, but bots must choose the same on all of them.
    """
    return reduce(add, values, 0.0)

"""How often Python looks for objects that only refer to each other."""

from __future__ import annotations

import gc

THRESHOLDS = 20_000, 20, 50
"""Python begins with 700, 10, 10; a request or a letter makes thousands of objects and hardly a circle of them."""


def collect_less() -> None:
    """Leave what was loaded at the start out of every search, and search more rarely; once for each process."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)

"""The single source of time, in milliseconds. Tests replace it."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def system_time() -> int:
    """Return this machine's clock."""
    return time.time_ns() // 1_000_000


class TimeSource:
    """The current time as the service sees it."""

    source: Callable[[], int] = staticmethod(system_time)


def now() -> int:
    """Return milliseconds since 1970-01-01T00:00Z."""
    return TimeSource.source()


@lru_cache(1_024)
def rfc3339(ms: int | None) -> str | None:
    """Return a time as RFC 3339 text, or None."""
    if ms is None:
        return None
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

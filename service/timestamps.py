"""The one source of time, in milliseconds; tests put their own in its place."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache

MINUTE = 60_000
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def system_time() -> int:
    """What the clock of this machine says."""
    return time.time_ns() // 1_000_000


class TimeSource:
    """What time it is, as far as the service is concerned."""

    source: Callable[[], int] = staticmethod(system_time)


def now() -> int:
    """Milliseconds since 1970-01-01T00:00Z."""
    return TimeSource.source()


@lru_cache(1_024)
def rfc3339(ms: int | None) -> str | None:
    """A time as people and programs outside the record write it."""
    if ms is None:
        return None
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")

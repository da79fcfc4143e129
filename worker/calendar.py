"""The calendar: matches that start at a time, and those that never fill."""

from __future__ import annotations

from service import starting
from service.config import Config
from service.moment import now


def turn(_config: Config) -> None:
    """Start or cancel what was to start by now, and let go of matches that waited too long for players."""
    for match in starting.due_to_start(now()):
        starting.start_at_time(match)
    starting.expire(now())

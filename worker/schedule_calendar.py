"""The calendar: matches that start at a time, those that never fill, and leagues that end."""

from __future__ import annotations

from service.config import Config
from service.matches import leagues
from service.matches import start as starting
from service.timestamps import now


def turn(_config: Config) -> None:
    """Start or cancel what was to start by now, let go of what waited too long, and end leagues that are over."""
    for match in starting.due_to_start(now()):
        starting.start_at_time(match)
    starting.expire(now())
    leagues.close(now())

"""Cache of calendars, so that phones that ask again and again cost the database nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from flask import Response, current_app

from service.bounded_cache import BoundedCache
from service.i18n.catalogue import msg
from service.problems import Problem
from service.timestamps import HOUR, MINUTE, now
from service.tournaments.calendars.calendar_addresses import calendar_path, find_address, renew_address
from service.web.rate_limits import SlidingWindow
from service.web.request_context import current_config

FRESH = MINUTE
"""How long a calendar is cached; in other processes an old address works that long after it was renewed."""
MOST_AN_HOUR = 60


@dataclass
class CalendarCache:
    """Recently requested calendars by key, missing ones included, and how often each was requested."""

    window: SlidingWindow = field(default_factory=lambda: SlidingWindow(MOST_AN_HOUR, HOUR))
    _calendars: BoundedCache[str, tuple[int, bytes | None]] = field(default_factory=lambda: BoundedCache(2_000))

    def read(self, key: str, make: Callable[[], bytes | None]) -> bytes | None:
        """Return the calendar of this key, or None; make it unless it is cached."""
        at, body = self._calendars.get(key) or (0, None)
        if at > now() - FRESH:
            return body
        body = make()
        self._calendars.put(key, (now(), body))
        return body

    def forget(self, key: str) -> None:
        """Drop a calendar from the cache."""
        self._calendars.drop(key)


def current_calendar_cache() -> CalendarCache:
    """Return the cache of the running service."""
    cache: CalendarCache = current_app.extensions.setdefault("echtra-calendars", CalendarCache())
    return cache


def find_calendar_url(player: str) -> str:
    """Return the URL of this player's own calendar."""
    return _write_url(find_address(player))


def renew_calendar_url(player: str) -> str:
    """Return a new URL for this player's calendar. The old one ends at once here, within `FRESH` in other processes."""
    current_calendar_cache().forget(f"own {find_address(player)}")
    return _write_url(renew_address(player))


def _write_url(token: str) -> str:
    return f"{current_config().url}{calendar_path(token)}"


def count_calendar(key: str) -> None:
    """Count a request for a calendar, and refuse it if there were too many."""
    window = current_calendar_cache().window
    fits, _, reset = window.hit(key)
    if not fits:
        raise Problem(
            "too-many-requests",
            msg("requests.too_many", most=window.most, window=window.length // 1000, wait=reset),
            retry_after=reset,
        )


def send_calendar(body: bytes | None) -> Response:
    """Return the response with a calendar; None, for one that is gone or never existed, raises `Problem`."""
    if body is None:
        raise Problem("not-found", msg("calendar.none"))
    headers = {"Cache-Control": "private, max-age=300"}
    return Response(body, content_type="text/calendar; charset=utf-8", headers=headers)

"""Calendars in the memory of a process, so that phones that ask again and again cost no work on the database."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock

from flask import Response, current_app

from service.i18n.catalogue import msg
from service.problems import Problem
from service.timestamps import HOUR, MINUTE, now
from service.tournaments.calendars.calendar_addresses import find_address, renew_address
from service.web.rate_limits import SlidingWindow
from service.web.request_context import current_config

MOST_CALENDARS = 2_000
FRESH = MINUTE
"""So long a calendar is given as it was; an address that was renewed is good for so long in other processes."""
MOST_AN_HOUR = 60


@dataclass
class CalendarCache:
    """Calendars that were asked for lately by what names them, those that are not there too; and how often each was."""

    window: SlidingWindow = field(default_factory=lambda: SlidingWindow(MOST_AN_HOUR, HOUR))
    _known: OrderedDict[str, tuple[int, bytes | None]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def read(self, key: str, make: Callable[[], bytes | None]) -> bytes | None:
        """The calendar of this key, made if it is not remembered; nothing where there is none."""
        with self._lock:
            at, body = self._known.get(key, (0, None))
        if at > now() - FRESH:
            return body
        body = make()
        with self._lock:
            self._known[key] = (now(), body)
            self._known.move_to_end(key)
            while len(self._known) > MOST_CALENDARS:
                self._known.popitem(last=False)
        return body

    def forget(self, key: str) -> None:
        """Make it anew the next time."""
        with self._lock:
            self._known.pop(key, None)


def current_calendar_cache() -> CalendarCache:
    """The memory of the running service."""
    found: CalendarCache = current_app.extensions.setdefault("echtra-calendars", CalendarCache())
    return found


def find_calendar_url(player: str) -> str:
    """Where this player's own calendar is."""
    return _write_url(find_address(player))


def renew_calendar_url(player: str) -> str:
    """A new place for this player's calendar; the one there was is gone at once in this process, soon in others."""
    current_calendar_cache().forget(f"own {find_address(player)}")
    return _write_url(renew_address(player))


def _write_url(token: str) -> str:
    return f"{current_config().url}/calendars/{token}.ics"


def count_calendar(key: str) -> None:
    """Count that a calendar is asked for; whoever asks far more often than a phone does is told to wait."""
    window = current_calendar_cache().window
    fits, _, reset = window.hit(key)
    if not fits:
        raise Problem(
            "too-many-requests",
            msg("requests.too_many", most=window.most, window=window.length // 1000, wait=reset),
            retry_after=reset,
        )


def send_calendar(body: bytes | None) -> Response:
    """Answer with a calendar; one that was never there and one that is no longer there are the same."""
    if body is None:
        raise Problem("not-found", msg("calendar.none"))
    headers = {"Cache-Control": "private, max-age=300"}
    return Response(body, content_type="text/calendar; charset=utf-8", headers=headers)

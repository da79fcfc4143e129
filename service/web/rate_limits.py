"""How often one may ask: sliding windows in memory, by token, else by address."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple

from flask import current_app, request

from service.config import Config
from service.problems import Problem
from service.timestamps import HOUR, MINUTE, now
from service.web.middleware import RequestRecord

MOST_KEYS = 50_000


class LimitState(NamedTuple):
    """How many requests are let through, how many are left and for how long, in a window of so many seconds."""

    most: int
    left: int
    reset: int
    length: int

    def pairs(self) -> list[tuple[str, str]]:
        """The headers that say so."""
        most, left, reset, length = self
        return [
            ("RateLimit-Policy", f'"requests";q={most};w={length}'),
            ("RateLimit", f'"requests";r={left};t={reset}'),
            ("RateLimit-Limit", str(most)),
            ("RateLimit-Remaining", str(left)),
            ("RateLimit-Reset", str(reset)),
        ]


@dataclass
class SlidingWindow:
    """Counts over a sliding window: this one's count, and the last one's as far as it still reaches in."""

    most: int
    length: int
    _counts: dict[str, tuple[int, int, int]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def hit(self, key: str, weight: int = 1) -> tuple[bool, int, int]:
        """Whether one more is let through, how many are left, and in how many seconds there is room again."""
        at = now()
        number, into = divmod(at, self.length)
        with self._lock:
            before, count = self._known(key, number)
            used = before * (self.length - into) // self.length + count
            fits = used + weight <= self.most
            if fits:
                self._counts[key] = (number, before, count + weight)
        wait = self.length - into if fits else self._wait(into, before, count, self.most - weight)
        return fits, max(0, self.most - used - weight * fits), (wait + 999) // 1000

    def _wait(self, into: int, before: int, count: int, room: int) -> int:
        """How long until what was counted has faded into this room, within this window or the next."""
        if count <= room:
            return self._faded(before, room - count) - into
        return self.length - into + self._faded(count, room)

    def _faded(self, count: int, room: int) -> int:
        """When in the window after it a count reaches in with no more than this."""
        return self.length - room * self.length // count

    def _known(self, key: str, number: int) -> tuple[int, int]:
        if len(self._counts) > MOST_KEYS:
            self._counts = {each: kept for each, kept in self._counts.items() if kept[0] >= number - 1}
        kept, before, count = self._counts.get(key, (number, 0, 0))
        if kept == number:
            return before, count
        return (count, 0) if kept == number - 1 else (0, 0)


@dataclass(frozen=True)
class RateLimits:
    """The windows of one service."""

    requests: SlidingWindow
    registrations: SlidingWindow
    signatures: SlidingWindow
    codes: SlidingWindow


def create_limits(config: Config) -> RateLimits:
    """The windows as configured."""
    return RateLimits(
        requests=SlidingWindow(config.limit_requests, MINUTE),
        registrations=SlidingWindow(config.limit_registrations, HOUR),
        signatures=SlidingWindow(30, MINUTE),
        codes=SlidingWindow(5, HOUR),
    )


def current_limits() -> RateLimits:
    """The windows of the running service."""
    limits: RateLimits = current_app.extensions["echtra-limits"]
    return limits


def count_request(record: RequestRecord, limits: RateLimits) -> None:
    """Count a request against its token, or its address where there is none."""
    window = limits.requests
    fits, record.limit = count_in_window(window, record.limit_key)
    if not fits:
        raise _too_many_requests_problem(window, record.limit.reset)


def count_in_window(window: SlidingWindow, key: str) -> tuple[bool, LimitState]:
    """Whether one more is let through, and what the headers tell of it."""
    fits, left, reset = window.hit(key)
    return fits, LimitState(window.most, left, reset, window.length // 1000)


def count_registration() -> None:
    """Count what sends a letter to somebody, by the address it is asked from."""
    window = current_limits().registrations
    fits, _, reset = window.hit(f"address {request.remote_addr}")
    if not fits:
        raise _too_many_requests_problem(window, reset)


def count_failed_signature(record: RequestRecord, limits: RateLimits) -> None:
    """Count a signature that did not fit; too many of them are refused before the next is looked at."""
    window = limits.signatures
    fits, _, reset = window.hit(record.limit_key)
    if not fits:
        raise _too_many_requests_problem(window, reset)


def _too_many_requests_problem(window: SlidingWindow, reset: int) -> Problem:
    return Problem(
        "too-many-requests",
        f"At most {window.most} in {window.length // 1000} seconds; try again in {reset} seconds.",
        retry_after=reset,
    )

"""Rate limits: sliding windows by token or address; the rare ones are shared by all processes through Redis."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import KW_ONLY, dataclass, field
from threading import Lock
from typing import NamedTuple, TypeVar

import structlog
from flask import current_app, request

from service.config import Config
from service.direct_requests import network_of
from service.i18n.catalogue import msg
from service.problems import Problem
from service.timestamps import DAY, HOUR, MINUTE, now
from service.web.middleware import RequestRecord

GUEST_MATCHES = (10, DAY)
"""Maximum number of matches that guests of one network create, and the length of its window."""
MOST_KEYS = 50_000
"""Maximum number of keys in a window in memory; the least recently counted one is evicted."""
SIGNATURES = (30, MINUTE)
"""Maximum number of wrong signatures, and the length of its window: enough for mistakes, too few for guessing."""
REDIS_TIMEOUT = 0.05
"""Maximum number of seconds that a request waits for Redis, DNS lookup included."""
REDIS_PAUSE = 5.0
"""Seconds without a request to Redis after a failure."""
Answer = TypeVar("Answer")
log: structlog.typing.FilteringBoundLogger = structlog.get_logger("echtra")


class LimitState(NamedTuple):
    """A limit after a request: the maximum, how many are left, seconds until reset, and window length in seconds."""

    most: int
    left: int
    reset: int
    length: int

    def pairs(self) -> list[tuple[str, str]]:
        """Return the headers for it."""
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
    """Counts over a sliding window: the current window's count plus the fading share of the previous one."""

    most: int
    length: int
    _counts: OrderedDict[str, tuple[int, int, int]] = field(default_factory=OrderedDict)
    """By key: number of the window, count of the previous window, count of this one; most recent key last."""
    _lock: Lock = field(default_factory=Lock)

    def hit(self, key: str) -> tuple[bool, int, int]:
        """Count one more hit; return whether it fits, how many are left, and the seconds until there is room again."""
        number, into = divmod(now(), self.length)
        with self._lock:
            before, count = self._counts_at(key, number)
            used = before * (self.length - into) // self.length + count
            fits = used < self.most
            if fits:
                self._counts[key] = (number, before, count + 1)
                self._counts.move_to_end(key)
                self._forget_old_keys(number)
        wait = self.length - into if fits else wait_for_room(self.most, self.length, into, before, count)
        return fits, max(0, self.most - used - fits), _full_seconds(wait)

    def _counts_at(self, key: str, number: int) -> tuple[int, int]:
        """Return the counts of a key in the previous window and in this one."""
        last, before, count = self._counts.get(key, (number, 0, 0))
        if last == number:
            return before, count
        return (count, 0) if last == number - 1 else (0, 0)

    def _forget_old_keys(self, number: int) -> None:
        """Drop at most two expired keys. A hit adds at most one, so the table shrinks over time."""
        for _ in range(2):
            oldest = next(iter(self._counts))
            if len(self._counts) <= MOST_KEYS and self._counts[oldest][0] >= number - 1:
                return
            del self._counts[oldest]


def wait_for_room(most: int, length: int, into: int, before: int, count: int) -> int:
    """Return the milliseconds until one more hit fits, if there are no others until then.

    `into` is how much of the current window has passed; `before` and `count` are the counts of the previous window and
    of this one.
    """
    if most == 0:
        return length
    if count < most:
        return _time_until_faded(length, before, most - 1 - count) - into
    return length - into + _time_until_faded(length, count, most - 1)


def _time_until_faded(length: int, count: int, room: int) -> int:
    """Return the time into the next window until the fading share of a count is at most `room`."""
    return length - room * length // count if count else 0


def _full_seconds(milliseconds: int) -> int:
    return (milliseconds + 999) // 1000


class RedisCounter:
    """Counts hits on Redis, with a hard timeout; after a failure Redis is not asked for a while."""

    def __init__(self, url: str) -> None:
        from limits.storage import RedisStorage
        from limits.strategies import SlidingWindowCounterRateLimiter
        from redis import ConnectionPool, RedisError
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        timeouts = {"socket_timeout": REDIS_TIMEOUT, "socket_connect_timeout": REDIS_TIMEOUT}
        pool = ConnectionPool.from_url(url, retry=Retry(NoBackoff(), 0), **timeouts)
        self._storage = RedisStorage("redis://", connection_pool=pool, key_prefix="echtra-limit")
        self._limiter = SlidingWindowCounterRateLimiter(self._storage)
        self._errors = (RedisError, TimeoutError)
        # Socket timeouts apply to each step, and DNS lookups have none: only a separate thread can be abandoned.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="rate-limits")
        self._lock = Lock()
        self._failed = False
        self._ask_again_at = 0.0

    def hit(self, name: str, most: int, length: int, key: str) -> tuple[bool, int, int] | None:
        """Count as `SlidingWindow.hit` does, in the window of this name; return None while Redis fails."""
        return self._ask(lambda: self._hit(name, most, length, key))

    def _hit(self, name: str, most: int, length: int, key: str) -> tuple[bool, int, int]:
        from limits import RateLimitItemPerSecond

        limit = RateLimitItemPerSecond(most, length // 1000, namespace=name)
        fits = self._limiter.hit(limit, key)
        before, _, count, remaining = self._storage.get_sliding_window(limit.key_for(key), limit.get_expiry())
        # Redis keeps a count for two window lengths: its own window, and the next.
        into = min(length, max(0, 2 * length - int(remaining * 1000)))
        used = before * (length - into) // length + count
        wait = length - into if fits else wait_for_room(most, length, into, before, count)
        # Room may have appeared between the two commands.
        return fits, max(0, most - used), _full_seconds(max(1, wait))

    def _ask(self, question: Callable[[], Answer]) -> Answer | None:
        if not self._may_ask():
            return None
        future = self._thread.submit(question)
        try:
            answer = future.result(REDIS_TIMEOUT)
        except self._errors as error:
            future.cancel()
            self._pause(error)
            return None
        with self._lock:
            self._failed, self._ask_again_at = False, 0.0
        return answer

    def _may_ask(self) -> bool:
        """Return True if Redis may be asked; after a failure one request tries for all."""
        with self._lock:
            if time.monotonic() < self._ask_again_at:
                return False
            if self._failed:
                self._ask_again_at = time.monotonic() + REDIS_PAUSE
            return True

    def _pause(self, error: Exception) -> None:
        with self._lock:
            if not self._failed:
                log.warning("rate-limits", redis=type(error).__name__, instead="memory")
            self._failed = True
            self._ask_again_at = time.monotonic() + REDIS_PAUSE


@dataclass
class SharedWindow(SlidingWindow):
    """A window on Redis that all processes count in. While Redis fails, each counts in its own memory."""

    _: KW_ONLY
    name: str
    redis: RedisCounter

    def hit(self, key: str) -> tuple[bool, int, int]:
        """Count a hit as `SlidingWindow.hit` does, for all processes."""
        counted = self.redis.hit(self.name, self.most, self.length, key)
        return super().hit(key) if counted is None else counted


@dataclass(frozen=True)
class RateLimits:
    """The windows of one service.

    Each process counts requests for itself: on Redis that would cost a third of a move. Sending emails and guessing
    signatures are rare, and counted for all processes together if there is a broker.
    """

    requests: SlidingWindow
    registrations: SlidingWindow
    signatures: SlidingWindow
    guest_matches: SlidingWindow


def create_limits(config: Config) -> RateLimits:
    """Create the configured windows."""
    requests, registrations = SlidingWindow(config.limit_requests, MINUTE), (config.limit_registrations, HOUR)
    if config.embedded:
        rare = (SlidingWindow(*window) for window in (registrations, SIGNATURES, GUEST_MATCHES))
        return RateLimits(requests, *rare)
    redis = RedisCounter(config.redis_url)
    return RateLimits(
        requests,
        SharedWindow(*registrations, name="registrations", redis=redis),
        SharedWindow(*SIGNATURES, name="signatures", redis=redis),
        SharedWindow(*GUEST_MATCHES, name="guest-matches", redis=redis),
    )


def current_limits() -> RateLimits:
    """Return the windows of the running service."""
    limits: RateLimits = current_app.extensions["echtra-limits"]
    return limits


def count_request(record: RequestRecord, limits: RateLimits) -> None:
    """Count a request against its token, or its address where there is none."""
    window = limits.requests
    fits, record.limit = count_in_window(window, record.limit_key)
    if not fits:
        raise _too_many_requests_problem(record.limit)


def count_in_window(window: SlidingWindow, key: str) -> tuple[bool, LimitState]:
    """Count a hit; return True if it is let through, and what the headers say of it."""
    fits, left, reset = window.hit(key)
    return fits, LimitState(window.most, left, reset, window.length // 1000)


def count_registration() -> None:
    """Count what sends an email to somebody, by the address it is asked from."""
    _count_rare(current_limits().registrations, f"network {network_of(request.remote_addr)}")


def count_guest_match() -> None:
    """Count a match that a guest creates, by the network of the request."""
    window = current_limits().guest_matches
    fits, _, reset = window.hit(f"network {network_of(request.remote_addr)}")
    if not fits:
        raise Problem("too-many-requests", msg("requests.too_many_guest_matches", most=window.most), retry_after=reset)


def count_failed_signature(record: RequestRecord, limits: RateLimits) -> None:
    """Count a signature that did not fit; too many of them are refused before the next is looked at."""
    _count_rare(limits.signatures, record.limit_key)


def _count_rare(window: SlidingWindow, key: str) -> None:
    fits, state = count_in_window(window, key)
    if not fits:
        raise _too_many_requests_problem(state)


@contextmanager
def counting_failed_signatures(record: RequestRecord, limits: RateLimits) -> Iterator[None]:
    """Count a submission that is refused for a wrong signature."""
    try:
        yield
    except Problem as problem:
        if problem.kind == "wrong-signature":
            count_failed_signature(record, limits)
        raise


def _too_many_requests_problem(limit: LimitState) -> Problem:
    return Problem(
        "too-many-requests",
        msg("requests.too_many", most=limit.most, window=limit.length, wait=limit.reset),
        retry_after=limit.reset,
    )

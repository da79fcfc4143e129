"""Rate limits: sliding windows by token, else by address; the rare ones counted on Redis for all processes together."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import NamedTuple, Protocol, TypeVar

import structlog
from flask import current_app, request

from service.config import Config
from service.i18n.catalogue import msg
from service.problems import Problem
from service.timestamps import DAY, HOUR, MINUTE, now
from service.web.guest_access import network_of
from service.web.middleware import RequestRecord

GUEST_MATCHES_A_DAY = 10
"""Matches that guests of one network may create in a day."""
MOST_KEYS = 50_000
"""How many keys a window in memory holds; of one more the key that was counted longest ago is forgotten."""
REDIS_TIMEOUT = 0.05
"""How many seconds a request waits for Redis at the most, from looking up its name to the answer."""
REDIS_PAUSE = 5.0
"""For how many seconds Redis is not asked again after it failed."""
Answer = TypeVar("Answer")
log: structlog.typing.FilteringBoundLogger = structlog.get_logger("echtra")


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


class Window(Protocol):
    """At most so many hits of a key in so many milliseconds."""

    @property
    def most(self) -> int:
        """How many."""

    @property
    def length(self) -> int:
        """In how many milliseconds."""

    def hit(self, key: str) -> tuple[bool, int, int]:
        """Whether one more is let through, how many are left, and in how many seconds there is room again."""


@dataclass
class SlidingWindow:
    """Counts over a sliding window: this one's count, and the last one's as far as it still reaches in."""

    most: int
    length: int
    _counts: OrderedDict[str, tuple[int, int, int]] = field(default_factory=OrderedDict)
    """By key the number of the window, the count of the one before it and its own; the key counted last is the last."""
    _lock: Lock = field(default_factory=Lock)

    def hit(self, key: str) -> tuple[bool, int, int]:
        """Whether one more is let through, how many are left, and in how many seconds there is room again."""
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
        """How often a key was counted in the window before this one, and in this one."""
        last, before, count = self._counts.get(key, (number, 0, 0))
        if last == number:
            return before, count
        return (count, 0) if last == number - 1 else (0, 0)

    def _forget_old_keys(self, number: int) -> None:
        """Drop up to two keys that count no more, so that a hit, which adds one at the most, leaves ever fewer."""
        for _ in range(2):
            oldest = next(iter(self._counts))
            if len(self._counts) <= MOST_KEYS and self._counts[oldest][0] >= number - 1:
                return
            del self._counts[oldest]


def wait_for_room(most: int, length: int, into: int, before: int, count: int) -> int:
    """How many milliseconds until one more fits, if nothing is counted meanwhile.

    So long (`into`) has this window of that length lasted; in the one before it and in it so many were counted.
    """
    if most == 0:
        return length
    if count < most:
        return _time_until_faded(length, before, most - 1 - count) - into
    return length - into + _time_until_faded(length, count, most - 1)


def _time_until_faded(length: int, count: int, room: int) -> int:
    """How long into the window after it a count reaches in with more than this."""
    return length - room * length // count if count else 0


def _full_seconds(milliseconds: int) -> int:
    return (milliseconds + 999) // 1000


class RedisCounter:
    """Counts hits on Redis; whoever asks waits no longer than said, and after a failure nobody asks for a while."""

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
        # The timeouts of a socket are for each step, and looking up a name has none: only another thread can be left.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="rate-limits")
        self._lock = Lock()
        self._failed = False
        self._ask_again_at = 0.0

    def hit(self, name: str, most: int, length: int, key: str) -> tuple[bool, int, int] | None:
        """As `Window.hit`, for the window of this name; nothing while Redis fails."""
        return self._ask(lambda: self._hit(name, most, length, key))

    def _hit(self, name: str, most: int, length: int, key: str) -> tuple[bool, int, int]:
        from limits import RateLimitItemPerSecond

        limit = RateLimitItemPerSecond(most, length // 1000, namespace=name)
        fits = self._limiter.hit(limit, key)
        before, _, count, remaining = self._storage.get_sliding_window(limit.key_for(key), limit.get_expiry())
        # Redis keeps a count for two lengths: in its own window, and in the next.
        into = min(length, max(0, 2 * length - int(remaining * 1000)))
        used = before * (length - into) // length + count
        wait = length - into if fits else wait_for_room(most, length, into, before, count)
        # Between the two questions room may have come.
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
        """Whether it is time to ask; after a failure one request tries for all."""
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


@dataclass(frozen=True)
class SharedWindow:
    """A window on Redis that all processes count in; in the memory of this one while Redis fails."""

    name: str
    memory: SlidingWindow
    redis: RedisCounter

    @property
    def most(self) -> int:
        """How many hits."""
        return self.memory.most

    @property
    def length(self) -> int:
        """In how many milliseconds."""
        return self.memory.length

    def hit(self, key: str) -> tuple[bool, int, int]:
        """Whether one more is let through, how many are left, and in how many seconds there is room again."""
        counted = self.redis.hit(self.name, self.most, self.length, key)
        return self.memory.hit(key) if counted is None else counted


@dataclass(frozen=True)
class RateLimits:
    """The windows of one service.

    Each process counts requests for itself: on Redis that would cost a third of a move. What sends letters
    and what guesses signatures is rare, and counted for all processes together where there is a broker.
    """

    requests: SlidingWindow
    registrations: Window
    signatures: Window
    guest_matches: Window


def create_limits(config: Config) -> RateLimits:
    """The windows as configured."""
    registrations, signatures = SlidingWindow(config.limit_registrations, HOUR), SlidingWindow(30, MINUTE)
    requests, guest_matches = SlidingWindow(config.limit_requests, MINUTE), SlidingWindow(GUEST_MATCHES_A_DAY, DAY)
    if config.embedded:
        return RateLimits(requests, registrations, signatures, guest_matches)
    redis = RedisCounter(config.redis_url)
    return RateLimits(
        requests,
        SharedWindow("registrations", registrations, redis),
        SharedWindow("signatures", signatures, redis),
        SharedWindow("guest-matches", guest_matches, redis),
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


def count_in_window(window: Window, key: str) -> tuple[bool, LimitState]:
    """Whether one more is let through, and what the headers tell of it."""
    fits, left, reset = window.hit(key)
    return fits, LimitState(window.most, left, reset, window.length // 1000)


def count_registration() -> None:
    """Count what sends a letter to somebody, by the address it is asked from."""
    window = current_limits().registrations
    fits, _, reset = window.hit(f"address {request.remote_addr}")
    if not fits:
        raise _too_many_requests_problem(window, reset)


def count_guest_match() -> None:
    """Count a match that a guest creates, by the network of the request."""
    window = current_limits().guest_matches
    fits, _, reset = window.hit(f"network {network_of(request.remote_addr)}")
    if not fits:
        raise Problem("too-many-requests", msg("requests.too_many_guest_matches", most=window.most), retry_after=reset)


def count_failed_signature(record: RequestRecord, limits: RateLimits) -> None:
    """Count a signature that did not fit; too many of them are refused before the next is looked at."""
    window = limits.signatures
    fits, _, reset = window.hit(record.limit_key)
    if not fits:
        raise _too_many_requests_problem(window, reset)


@contextmanager
def counting_failed_signatures(record: RequestRecord, limits: RateLimits) -> Iterator[None]:
    """Count a submission that is refused for a wrong signature."""
    try:
        yield
    except Problem as problem:
        if problem.kind == "wrong-signature":
            count_failed_signature(record, limits)
        raise


def _too_many_requests_problem(window: Window, reset: int) -> Problem:
    return Problem(
        "too-many-requests",
        msg("requests.too_many", most=window.most, window=window.length // 1000, wait=reset),
        retry_after=reset,
    )

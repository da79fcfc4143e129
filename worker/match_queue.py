"""Matches that wait to be resolved: named by who accepts a move, taken many at a time by a worker that was called.

A worker that was called stays for a moment after the last match. So a call by Celery is needed only where nothing
happened for a while, and a busy service resolves without a message for each move. A call or a name that is lost costs
nothing but time: the sweep finds the work.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from itertools import islice
from typing import Any, Protocol

import redis

from service.config import Config

CALL_SECONDS = 1.5
"""How long a call holds without a sign of the worker: so long nobody calls another one, even if that one was killed."""
STAY_SECONDS = 0.5
"""How long a worker waits for the next match before it goes."""
MOST_WAITING = 100_000
KEPT_SECONDS = 3600
"""How long Redis remembers what waits after the last match was named."""


class MatchQueue(Protocol):
    """Names of matches, each at most once."""

    def add(self, matches: Sequence[str]) -> bool:
        """Name matches; whether a worker must be called, since none is there."""

    def take(self, most: int, seconds: float = STAY_SECONDS) -> list[str]:
        """The names that have waited longest, waiting for the first of them as long as said; this holds the call."""

    def leave(self) -> bool:
        """Say that the worker goes; false if another name came meanwhile, and it must stay."""


class LocalMatchQueue:
    """The queue of a process that does everything."""

    def __init__(self) -> None:
        self._names: dict[str, None] = {}
        self._changed = threading.Condition()
        self._called_until = 0.0

    def add(self, matches: Sequence[str]) -> bool:
        """Name matches; whether a worker must be called."""
        with self._changed:
            if len(self._names) < MOST_WAITING:
                self._names.update(dict.fromkeys(matches))
            self._changed.notify()
            is_called = self._called_until > time.monotonic()
            if not is_called:
                self._hold_call(0)
            return not is_called

    def take(self, most: int, seconds: float = STAY_SECONDS) -> list[str]:
        """The names that have waited longest."""
        with self._changed:
            self._hold_call(seconds)
            self._changed.wait_for(lambda: self._names, seconds)
            self._hold_call(0)
            taken = list(islice(self._names, most))
            for name in taken:
                del self._names[name]
            return taken

    def leave(self) -> bool:
        """Say that the worker goes."""
        with self._changed:
            if self._names:
                return False
            self._called_until = 0.0
            return True

    def _hold_call(self, seconds: float) -> None:
        self._called_until = time.monotonic() + seconds + CALL_SECONDS


ADD = """
for place = 4, #ARGV do redis.call('zadd', KEYS[1], 'NX', ARGV[1], ARGV[place]) end
redis.call('expire', KEYS[1], ARGV[3])
return redis.call('set', KEYS[2], '1', 'NX', 'PX', ARGV[2]) and 1 or 0
"""
TAKE = """
redis.call('set', KEYS[2], '1', 'PX', ARGV[2])
return redis.call('zpopmin', KEYS[1], ARGV[1])
"""
LEAVE = "if redis.call('zcard', KEYS[1]) > 0 then return 0 end redis.call('del', KEYS[2]) return 1"


class RedisMatchQueue:
    """The queue of many processes: a sorted set by time of arrival, and a key that stands as long as a call holds."""

    def __init__(self, url: str, name: str = "echtra:matches") -> None:
        # Redis may take a moment longer than it is asked to wait.
        self._redis: Any = redis.Redis.from_url(url, socket_timeout=3, socket_connect_timeout=3)
        self._name = name
        self._keys = (name, f"{name}:called")
        self._add, self._take, self._leave = (self._redis.register_script(each) for each in (ADD, TAKE, LEAVE))

    def add(self, matches: Sequence[str]) -> bool:
        """Name matches; whether a worker must be called."""
        return bool(self._add(self._keys, (time.time(), int(CALL_SECONDS * 1000), KEPT_SECONDS, *matches)))

    def take(self, most: int, seconds: float = STAY_SECONDS) -> list[str]:
        """The names that have waited longest."""
        hold = int((seconds + CALL_SECONDS) * 1000)
        taken = self._take(self._keys, (most, hold))
        if not taken and seconds:
            first = self._redis.bzpopmin(self._name, seconds)
            taken = [first[1], first[2], *self._take(self._keys, (most - 1, hold))] if first else []
        return [name.decode() for name in taken[::2]]

    def leave(self) -> bool:
        """Say that the worker goes."""
        return bool(self._leave(self._keys))


def create_queue(config: Config) -> MatchQueue:
    """The queue that this configuration needs."""
    return LocalMatchQueue() if config.embedded else RedisMatchQueue(config.redis_url)

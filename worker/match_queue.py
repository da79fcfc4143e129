"""Matches that wait to be resolved: named by who accepts a move, taken many at a time by a worker that was called.

A worker that was called stays for a moment after the last match. So a call by Celery is needed only where nothing
happened for a while, or where more matches wait than those who are there get through; a busy service resolves without a
message for each move. A call or a name that is lost costs nothing but time: the sweep finds the work.
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
CROWD = 100
"""For so many matches that wait another worker is called."""
MOST_WAITING = 100_000
KEPT_SECONDS = 3600
"""How long Redis remembers what waits after the last match was named."""


class MatchQueue(Protocol):
    """Names of matches, each at most once."""

    def add(self, matches: Sequence[str]) -> bool:
        """Name matches; whether a worker must be called, since none is there or they are too few."""

    def enter(self, worker: str) -> None:
        """Say that a worker has come because of a call."""

    def take(self, worker: str, most: int, seconds: float = STAY_SECONDS) -> list[str]:
        """The names that have waited longest, waiting for the first of them as long as said; the worker stays."""

    def leave(self, worker: str) -> bool:
        """Say that a worker goes; false if another name came meanwhile, and it must stay."""

    def hand_over(self, worker: str) -> None:
        """Say that a worker goes and another is called in its place."""


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

    def enter(self, _worker: str) -> None:
        """Say that the worker has come."""

    def take(self, _worker: str, most: int, seconds: float = STAY_SECONDS) -> list[str]:
        """The names that have waited longest."""
        with self._changed:
            self._hold_call(seconds)
            self._changed.wait_for(lambda: self._names, seconds)
            self._hold_call(0)
            taken = list(islice(self._names, most))
            for name in taken:
                del self._names[name]
            return taken

    def leave(self, _worker: str) -> bool:
        """Say that the worker goes."""
        with self._changed:
            if self._names:
                return False
            self._called_until = 0.0
            return True

    def hand_over(self, _worker: str) -> None:
        """Say that the worker goes and another is called."""
        with self._changed:
            self._hold_call(0)

    def _hold_call(self, seconds: float) -> None:
        self._called_until = time.monotonic() + seconds + CALL_SECONDS


NOW = "local time = redis.call('time') local now = time[1] * 1000 + math.floor(time[2] / 1000)\n"
ADD = (
    NOW
    + """
local moment = string.format('%.0f', time[1] * 1000000 + time[2])
for place = 4, #ARGV do redis.call('zadd', KEYS[1], 'NX', moment, ARGV[place]) end
redis.call('expire', KEYS[1], ARGV[2])
redis.call('zremrangebyscore', KEYS[2], '-inf', now)
local wanted = 1 + math.floor(redis.call('zcard', KEYS[1]) / ARGV[3])
if redis.call('zscore', KEYS[2], 'called') or redis.call('zcard', KEYS[2]) >= wanted then return 0 end
redis.call('zadd', KEYS[2], now + ARGV[1], 'called')
return 1
"""
)
"""Workers that are there stand in the second set with the time until which that holds; so does a call, but one."""
ENTER = NOW + "redis.call('zrem', KEYS[2], 'called') redis.call('zadd', KEYS[2], now + ARGV[2], ARGV[1])"
TAKE = NOW + "redis.call('zadd', KEYS[2], now + ARGV[2], ARGV[1]) return redis.call('zpopmin', KEYS[1], ARGV[3])"
# A call that is still on its way goes too: where nothing waits nobody need come, and the next name calls anew.
LEAVE = "if redis.call('zcard', KEYS[1]) > 0 then return 0 end redis.call('zrem', KEYS[2], ARGV[1], 'called') return 1"
HAND_OVER = NOW + "redis.call('zrem', KEYS[2], ARGV[1]) redis.call('zadd', KEYS[2], now + ARGV[2], 'called')"


class RedisMatchQueue:
    """The queue of many processes: a sorted set by time of arrival, and one of the workers who are there."""

    def __init__(self, url: str, name: str = "echtra:matches") -> None:
        # Redis may take a moment longer than it is asked to wait.
        self._redis: Any = redis.Redis.from_url(url, socket_timeout=3, socket_connect_timeout=3)
        self._name = name
        self._keys = (name, f"{name}:workers")
        self._add, self._enter, self._take, self._leave, self._hand_over = (
            self._redis.register_script(each) for each in (ADD, ENTER, TAKE, LEAVE, HAND_OVER)
        )

    def add(self, matches: Sequence[str]) -> bool:
        """Name matches; whether a worker must be called."""
        return bool(self._add(self._keys, (int(CALL_SECONDS * 1000), KEPT_SECONDS, CROWD, *matches)))

    def enter(self, worker: str) -> None:
        """Say that a worker has come."""
        self._enter(self._keys, (worker, int(CALL_SECONDS * 1000)))

    def take(self, worker: str, most: int, seconds: float = STAY_SECONDS) -> list[str]:
        """The names that have waited longest."""
        stays = int((seconds + CALL_SECONDS) * 1000)
        taken = self._take(self._keys, (worker, stays, most))
        if not taken and seconds:
            first = self._redis.bzpopmin(self._name, seconds)
            taken = [first[1], first[2], *self._take(self._keys, (worker, stays, most - 1))] if first else []
        return [name.decode() for name in taken[::2]]

    def leave(self, worker: str) -> bool:
        """Say that a worker goes."""
        return bool(self._leave(self._keys, (worker,)))

    def hand_over(self, worker: str) -> None:
        """Say that a worker goes and another is called."""
        self._hand_over(self._keys, (worker, int(CALL_SECONDS * 1000)))


def create_queue(config: Config) -> MatchQueue:
    """The queue that this configuration needs."""
    return LocalMatchQueue() if config.embedded else RedisMatchQueue(config.redis_url)

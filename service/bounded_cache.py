"""Bounded caches of this process, and one function that empties all of them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakSet

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class BoundedCache(Generic[Key, Value]):
    """Thread-safe LRU cache of at most `most` values, none of which is None.

    Use it if `functools.lru_cache` is not enough: for values that are replaced or dropped one by one, and for
    everything read from the database.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()
        _caches.add(self)

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Key) -> Value | None:
        """Return the value of this key, or None."""
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def put(self, key: Key, value: Value) -> None:
        """Store a value. Drop the least recently used one if there are too many."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self.most:
                self._values.popitem(last=False)

    def get_or_make(self, key: Key, make: Callable[[], Value]) -> Value:
        """Return the value of this key. Make and store it if it is missing.

        `make` runs without the lock, so two threads may both make a value.
        """
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value)
        return value

    def drop(self, key: Key) -> None:
        """Drop the value of this key, if any."""
        with self._lock:
            self._values.pop(key, None)

    def clear(self) -> None:
        """Drop all values."""
        with self._lock:
            self._values.clear()


_caches: WeakSet[BoundedCache[Any, Any]] = WeakSet()


def reset_process_state() -> None:
    """Empty every bounded cache of this process.

    `service.db.connection.connect` calls it, since the cached values come from the previous database.
    """
    for cache in list(_caches):
        cache.clear()

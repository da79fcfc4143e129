"""Bounded caches of a process."""

from __future__ import annotations

import gc
import weakref
from threading import Thread

from service.bounded_cache import BoundedCache, reset_process_state
from service.db import connection


def test_of_too_many_values_the_one_used_longest_ago_is_dropped() -> None:
    cache: BoundedCache[str, int] = BoundedCache(2)
    for number, key in enumerate("abc"):
        cache.put(key, number)
        cache.get("a")
    assert [cache.get(key) for key in "abc"] == [0, None, 2]
    assert len(cache) == 2


def test_a_value_is_made_once_replaced_and_dropped() -> None:
    cache: BoundedCache[str, list[int]] = BoundedCache(2)
    made = cache.get_or_make("a", list)
    assert cache.get_or_make("a", list) is made
    cache.put("a", [1])
    assert cache.get("a") == [1]
    cache.drop("a")
    cache.drop("a")
    assert cache.get("a") is None


def test_a_reset_and_another_database_empty_every_cache(database: str) -> None:
    one: BoundedCache[str, int] = BoundedCache(2)
    two: BoundedCache[int, str] = BoundedCache(2)
    for reset in (reset_process_state, lambda: connection.connect(database)):
        one.put("a", 1)
        two.put(1, "a")
        reset()
        assert (len(one), len(two)) == (0, 0)


def test_a_cache_that_nobody_has_is_not_kept_for_the_reset() -> None:
    cache: BoundedCache[str, int] = BoundedCache(1)
    reference = weakref.ref(cache)
    del cache
    gc.collect()
    assert reference() is None


def test_threads_share_a_cache_without_losing_its_bound() -> None:
    cache: BoundedCache[int, int] = BoundedCache(8)

    def use(start: int) -> None:
        for number in range(2_000):
            cache.put((start + number) % 20, number)
            cache.get(number % 20)

    threads = [Thread(target=use, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(cache) == 8

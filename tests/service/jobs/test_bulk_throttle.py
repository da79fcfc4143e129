"""Work that comes in heaps is done in parts, with rests, by one thread at a time."""

from __future__ import annotations

import threading
import time
from itertools import chain, pairwise

import pytest

from service.jobs import bulk_throttle
from service.jobs.queue import RetryLater
from service.timestamps import now


def test_work_is_done_in_parts_and_rests_longer_than_it_works() -> None:
    parts: list[list[int]] = []

    def work(part: object) -> None:
        assert isinstance(part, list)
        time.sleep(0.01)
        parts.append(part)

    began = time.monotonic()
    bulk_throttle.do_in_parts(list(range(45)), work)
    assert [len(part) for part in parts] == [20, 20, 5]
    assert list(chain(*parts)) == list(range(45))
    assert time.monotonic() - began >= 0.03 * (1 + bulk_throttle.REST)


def test_others_are_sent_away_to_different_times_while_one_is_at_work() -> None:
    inside, done = threading.Event(), threading.Event()

    def hold(_part: object) -> None:
        inside.set()
        done.wait(10)

    holder = threading.Thread(target=bulk_throttle.do_in_parts, args=(list(range(21)), hold))
    holder.start()
    try:
        assert inside.wait(10)
        times = []
        for _ in range(3):
            with pytest.raises(RetryLater) as sent:
                bulk_throttle.do_in_parts(list(range(30)), lambda part: pytest.fail(str(part)))
            times.append(sent.value.due_at)
        assert times[0] > now()
        assert all(later - earlier >= 900 * bulk_throttle.TURN for earlier, later in pairwise(times))
        few: list[object] = []
        bulk_throttle.do_in_parts([1, 2], few.append)
        assert few == [[1, 2]]
    finally:
        done.set()
        holder.join()
    bulk_throttle.do_in_parts(list(range(21)), few.append)


def test_work_that_fails_lets_the_next_in() -> None:
    def fail(_part: object) -> None:
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            bulk_throttle.do_in_parts(list(range(21)), fail)

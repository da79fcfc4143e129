"""Hints to workers, sent by a thread of its own, so that no request waits for a broker that is slow, frozen or gone.

A message names many matches or jobs at once. With Redis a set per task holds what is named in messages that wait, so
that hints do not pile up while no worker runs: each match and job waits in one message at most.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice

import redis
from celery import Celery

from service.jobs import outbox

MOST_WAITING = 10_000
MOST_IN_MESSAGE = 50
KEPT_SECONDS = 3600
"""How long Redis remembers what waits after the last hint was added."""
RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.2}


class WaitingHints:
    """What is named in messages that no worker has taken yet, where several processes send them: kept in Redis."""

    def __init__(self, app: Celery) -> None:
        url = str(app.conf.broker_url)
        timeouts = {"socket_timeout": 3, "socket_connect_timeout": 3}
        self._redis = redis.Redis.from_url(url, **timeouts) if url.startswith(("redis", "valkey")) else None

    def add(self, task: str, whats: Sequence[str]) -> list[str]:
        """Note these as waiting; the answer is those that were not."""
        if self._redis is None:
            return list(whats)
        with self._redis.pipeline(transaction=False) as pipe:
            for what in whats:
                pipe.sadd(_key(task), what)
            pipe.expire(_key(task), KEPT_SECONDS)
            *added, _ = pipe.execute()
        return [what for what, is_new in zip(whats, added, strict=True) if is_new]

    def remove(self, task: str, whats: Sequence[str]) -> None:
        """Note that a worker has taken these, so that they may be hinted at again."""
        if self._redis is not None:
            with suppress(redis.RedisError):  # one that is gone remembers nothing anyway
                self._redis.srem(_key(task), *whats)


def _key(task: str) -> str:
    return f"echtra:hinted:{task}"


class HintSender(threading.Thread):
    """A thread that sends each hint once however often it is queued; too many are dropped: a sweep finds the work."""

    def __init__(self, app: Celery) -> None:
        super().__init__(name="hints", daemon=True)
        self.app = app
        self.known = WaitingHints(app)
        self._waiting: dict[str, dict[str, None]] = {}
        self._changed = threading.Condition()
        self._stopped = False

    def queue(self, task: str, what: str) -> None:
        """Send this soon; never waits."""
        with self._changed:
            waiting = self._waiting.setdefault(task, {})
            if len(waiting) < MOST_WAITING:
                waiting[what] = None
                self._changed.notify()

    def run(self) -> None:
        """Send until stopped."""
        while (hint := self._next()) is not None:
            task, whats = hint
            try:
                fresh = self.known.add(task, whats)
            except redis.RedisError:
                continue  # the sweep finds the work
            if fresh:
                send_hint(self.app, task, fresh)

    def _next(self) -> tuple[str, list[str]] | None:
        """Hints for one task: as many as have come while the last message was sent."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._stopped)
            if self._stopped:
                return None
            task = next(iter(self._waiting))
            waiting = self._waiting.pop(task)
            whats = list(islice(waiting, MOST_IN_MESSAGE))
            for what in whats:
                del waiting[what]
            if waiting:
                self._waiting[task] = waiting  # at the end: the other task has its turn
            return task, whats

    def install(self) -> None:
        """Send the hints of the service from now on."""
        outbox.HintChannel.send = self.queue

    def stop(self) -> None:
        """Send nothing more."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        self.join(10)


def send_hint(app: Celery, task: str, whats: Iterable[str]) -> bool:
    """Send a hint, and whether it went; a broker that is down loses nothing, since the sweep finds what is left."""
    try:
        app.send_task(task, args=(list(whats),), retry=False, retry_policy=RETRY_POLICY, ignore_result=True)
    except Exception:  # noqa: BLE001  # whatever a broker raises: the hint is lost, the work is not
        return False
    return True

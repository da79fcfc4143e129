"""Sending wake-ups, and receiving those for event streams.

Every process has one thread that sends, so that no request waits for a broker that is slow, frozen or gone. Wake-ups
for workers are Celery messages; wake-ups for event streams go to every web process by Redis pub/sub.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import islice

import redis
from celery import Celery

from service.config import Config
from service.jobs.wakeups import READ_EVENTS, RESOLVE, WakeupChannel
from worker.celery_app import create_celery

MOST_WAITING = 10_000
"""Maximum number of waiting ids of each kind in a process. Further ones are dropped, and a sweep finds the work."""
MOST_IN_MESSAGE = 50
MOST_MESSAGES = 1_000
"""Maximum number of messages waiting for workers. Beyond that none is sent: the next worker's sweep finds the work."""
CHECK_SECONDS = 1.0
"""Seconds between two questions to the broker about how many messages wait."""
EVENTS_CHANNEL = "echtra:events"
RECONNECT_SECONDS = 1.0
REDIS_TIMEOUT = 3


class WakeupSender(threading.Thread):
    """A thread that sends wake-ups. All that arrive while one message is being sent share the next message."""

    def __init__(self, app: Celery, config: Config, resolve: Callable[[list[str]], None] | None = None) -> None:
        super().__init__(name="wakeups", daemon=True)
        self.app = app
        # In the process that is web and worker at once this thread resolves matches itself: a message from the process
        # to itself would cost 0.5 ms of CPU time, a seventh of a turn.
        self._resolve = resolve
        self._redis = None if config.embedded else connect_redis(config)
        self._waiting: dict[str, dict[str, None]] = {}
        self._changed = threading.Condition()
        self._stopped = False
        self._next_check = 0.0
        self._is_full = False

    def queue(self, task: str, id_: str) -> None:
        """Send this soon. A wake-up that is queued several times is sent once. Never blocks."""
        with self._changed:
            waiting = self._waiting.setdefault(task, {})
            if len(waiting) < MOST_WAITING:
                waiting[id_] = None
                self._changed.notify()

    def run(self) -> None:
        """Send until stopped."""
        while (wakeup := self._next()) is not None:
            task, ids = wakeup
            if task == READ_EVENTS:
                self._publish()
            elif task == RESOLVE and self._resolve is not None:
                self._resolve(ids)
            elif not self._is_queue_full():
                send_task(self.app, task, ids)

    def _next(self) -> tuple[str, list[str]] | None:
        """Wait for wake-ups of one task and return them, or None once stopped."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._stopped)
            if self._stopped:
                return None
            task = next(iter(self._waiting))
            waiting = self._waiting.pop(task)
            ids = list(islice(waiting, MOST_IN_MESSAGE))
            for id_ in ids:
                del waiting[id_]
            if waiting:
                self._waiting[task] = waiting  # put it last, so that the other tasks get their turn
            return task, ids

    def _publish(self) -> None:
        if self._redis is not None:
            with suppress(redis.RedisError):
                self._redis.publish(EVENTS_CHANNEL, "")

    def _is_queue_full(self) -> bool:
        """Return True if messages pile up because no worker takes them. Asks the broker once a second."""
        if self._redis is not None and time.monotonic() >= self._next_check:
            self._next_check = time.monotonic() + CHECK_SECONDS
            with suppress(redis.RedisError):
                self._is_full = self._redis.llen(self.app.conf.task_default_queue) >= MOST_MESSAGES
        return self._is_full

    def install(self) -> None:
        """Send the wake-ups of this process from now on."""
        WakeupChannel.send = self.queue

    def stop(self) -> None:
        """Stop sending."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        self.join(10)


def connect_redis(config: Config, timeout: float | None = REDIS_TIMEOUT) -> redis.Redis:
    """Return a client for the broker of this configuration."""
    return redis.Redis.from_url(config.redis_url, socket_timeout=timeout, socket_connect_timeout=REDIS_TIMEOUT)


def start_sender(config: Config) -> WakeupSender:
    """Start to send the wake-ups of this process, which runs no tasks itself."""
    sender = WakeupSender(create_celery(config), config)
    sender.install()
    sender.start()
    return sender


def listen_for_events(config: Config, on_wakeup: Callable[[], None]) -> None:
    """Start a thread that calls a function for each wake-up of the event streams."""
    if not config.embedded:
        threading.Thread(target=_listen, args=(config, on_wakeup), name="listener", daemon=True).start()


def _listen(config: Config, on_wakeup: Callable[[], None]) -> None:
    client = connect_redis(config, timeout=None)
    while True:
        with suppress(redis.RedisError), client.pubsub() as subscription:  # type: ignore[no-untyped-call]
            subscription.subscribe(EVENTS_CHANNEL)
            for _ in subscription.listen():
                on_wakeup()  # the confirmation counts too: messages published before it were missed
        time.sleep(RECONNECT_SECONDS)


def send_task(app: Celery, task: str, *args: object) -> bool:
    """Send a message. Return False if the broker is down, which loses nothing: the sweep finds the work."""
    try:
        app.send_task(task, args=args, retry=False, ignore_result=True)
    except Exception:  # noqa: BLE001  # whatever a broker raises: the wake-up is lost, the work is not
        return False
    return True

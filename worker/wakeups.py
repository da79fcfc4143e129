"""Hints to workers, sent by a thread of its own, so that no request waits for a broker that is slow, frozen or gone.

A match is named in a queue (`match_queue.py`), and a worker is called if none is at it. Jobs are named in messages, as
many as there are at once; with Redis a set holds what is named in messages that wait, so that they do not pile up
while no worker runs: each job waits in one message at most.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

import redis
from celery import Celery

from service.jobs import queue as job_queue
from worker.celery_app import JOB_TASK, RESOLVE_TASK
from worker.match_queue import MatchQueue

MOST_WAITING = 10_000
MOST_IN_MESSAGE = 50
KEPT_SECONDS = 3600
"""How long Redis remembers what waits after the last hint was added."""
RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.2}
WAITING_JOBS = "echtra:hinted:jobs"


class WaitingJobs:
    """Jobs named in messages that no worker has taken yet, where several processes send them: kept in Redis."""

    def __init__(self, app: Celery) -> None:
        url = str(app.conf.broker_url)
        timeouts = {"socket_timeout": 3, "socket_connect_timeout": 3}
        self._redis = redis.Redis.from_url(url, **timeouts) if url.startswith(("redis", "valkey")) else None

    def add(self, jobs: Sequence[str]) -> list[str]:
        """Note these as waiting; the answer is those that were not."""
        if self._redis is None:
            return list(jobs)
        with self._redis.pipeline(transaction=False) as pipe:
            for job in jobs:
                pipe.sadd(WAITING_JOBS, job)
            pipe.expire(WAITING_JOBS, KEPT_SECONDS)
            *added, _ = pipe.execute()
        return [job for job, is_new in zip(jobs, added, strict=True) if is_new]

    def remove(self, jobs: Sequence[str]) -> None:
        """Note that a worker has taken these, so that they may be hinted at again."""
        if self._redis is not None:
            with suppress(redis.RedisError):  # one that is gone remembers nothing anyway
                self._redis.srem(WAITING_JOBS, *jobs)


class WakeupSender(threading.Thread):
    """A thread that sends each hint once however often it is queued; too many are dropped: a sweep finds the work."""

    def __init__(self, app: Celery, matches: MatchQueue) -> None:
        super().__init__(name="hints", daemon=True)
        self.app = app
        self.matches = matches
        self.known = WaitingJobs(app)
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
        while (wakeup := self._next()) is not None:
            task, whats = wakeup
            if task == RESOLVE_TASK:
                name_matches(self.app, self.matches, whats)
                continue
            with suppress(redis.RedisError):  # the sweep finds the work
                fresh = self.known.add(whats)
                if fresh:
                    name_jobs(self.app, fresh)

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
        job_queue.WakeupChannel.send = self.queue

    def stop(self) -> None:
        """Send nothing more."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        self.join(10)


def name_matches(app: Celery, queue: MatchQueue, matches: Sequence[str]) -> bool:
    """Name matches to be resolved and call a worker if none is there; whether the broker took it."""
    try:
        return not queue.add(matches) or send_task(app, RESOLVE_TASK)
    except redis.RedisError:
        return False


def name_jobs(app: Celery, jobs: Sequence[str]) -> bool:
    """Name jobs that are due, in one message; whether the broker took it."""
    return send_task(app, JOB_TASK, list(jobs))


def send_task(app: Celery, task: str, *args: object) -> bool:
    """Send a message, and whether it went; a broker that is down loses nothing, since the sweep finds what is left."""
    try:
        app.send_task(task, args=args, retry=False, retry_policy=RETRY_POLICY, ignore_result=True)
    except Exception:  # noqa: BLE001  # whatever a broker raises: the hint is lost, the work is not
        return False
    return True

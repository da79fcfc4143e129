"""Hints to workers, sent by a thread of its own, so that no request waits for a broker that is slow, frozen or gone."""

from __future__ import annotations

import threading

from celery import Celery

from service.jobs import outbox

MOST_WAITING = 10_000
RETRY_POLICY = {"max_retries": 1, "interval_start": 0, "interval_step": 0.1, "interval_max": 0.2}
Hint = tuple[str, str]


class HintSender(threading.Thread):
    """A thread that sends each hint once however often it is queued; too many are dropped: a sweep finds the work."""

    def __init__(self, app: Celery) -> None:
        super().__init__(name="hints", daemon=True)
        self.app = app
        self._waiting: dict[Hint, None] = {}
        self._changed = threading.Condition()
        self._stopped = False

    def queue(self, task: str, what: str) -> None:
        """Send this soon; never waits."""
        with self._changed:
            if len(self._waiting) < MOST_WAITING:
                self._waiting[task, what] = None
                self._changed.notify()

    def run(self) -> None:
        """Send until stopped."""
        while (hint := self._next()) is not None:
            send_hint(self.app, *hint)

    def _next(self) -> Hint | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._stopped)
            if self._stopped:
                return None
            hint = next(iter(self._waiting))
            del self._waiting[hint]
            return hint

    def install(self) -> None:
        """Send the hints of the service from now on."""
        outbox.HintChannel.send = self.queue

    def stop(self) -> None:
        """Send nothing more."""
        with self._changed:
            self._stopped = True
            self._changed.notify()
        self.join(10)


def send_hint(app: Celery, task: str, what: str) -> bool:
    """Send a hint, and whether it went; a broker that is down loses nothing, since the sweep finds what is left."""
    try:
        app.send_task(task, args=(what,), retry=False, retry_policy=RETRY_POLICY, ignore_result=True)
    except Exception:  # noqa: BLE001  # whatever a broker raises: the hint is lost, the work is not
        return False
    return True

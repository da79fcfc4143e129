"""Stopping a process: an event that signals can set, and a forced exit if stopping takes too long."""

from __future__ import annotations

import os
import sys
import threading
import time
from traceback import extract_stack

import structlog

MOST_SECONDS = 40
"""Seconds that stopping may take: requests and tasks that run have shorter times of their own."""
WAIT_STEP = 0.5
log = structlog.get_logger("worker")


class InterruptibleEvent(threading.Event):
    """An Event whose wait() wakes every 0.5 s, as a signal just before a blocking wait is handled only after it."""

    def set(self) -> None:
        """Set it; for the main thread another does so, since a signal may have called it out of the wait itself."""
        if threading.current_thread() is threading.main_thread():
            threading.Thread(target=super().set, name="leaving", daemon=True).start()
        else:
            super().set()

    def wait(self, timeout: float | None = None) -> bool:
        """Whether it is set by then."""
        until = None if timeout is None else time.monotonic() + timeout
        while not super().wait(WAIT_STEP if until is None else max(0, min(WAIT_STEP, until - time.monotonic()))):
            if until is not None and time.monotonic() >= until:
                return False
        return True


def force_exit_after(seconds: float = MOST_SECONDS) -> None:
    """End this process in so many seconds if it has not ended by itself by then."""
    threading.Thread(target=_exit_after, args=(seconds,), name="patience", daemon=True).start()


def _exit_after(seconds: float) -> None:
    time.sleep(seconds)
    log.error("stuck", threads=_thread_positions())
    sys.stderr.flush()
    os._exit(0)


def _thread_positions() -> dict[str, str]:
    """Where each thread stands, so that the log says why it did not end."""
    frames = sys._current_frames()  # noqa: SLF001  # there is no other way to see them
    found = {}
    for thread in threading.enumerate():
        if thread.ident in frames:
            last = extract_stack(frames[thread.ident])[-1]
            found[thread.name] = f"{last.filename}:{last.lineno} {last.name}"
    return found

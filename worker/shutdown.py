"""Stopping a process: an event that signals can set, and a forced exit if stopping takes too long."""

from __future__ import annotations

import os
import sys
import threading
import time
from traceback import extract_stack

import structlog

MOST_SECONDS = 40
"""Maximum seconds for stopping. Running requests and tasks have shorter timeouts."""
WAIT_STEP = 0.5
log = structlog.get_logger("worker")


class InterruptibleEvent(threading.Event):
    """An Event for the main thread. Its `wait` wakes every 0.5 s, so that a signal is handled soon.

    Python runs signal handlers in the main thread, and one that arrives just before a blocking wait would only be
    handled after it.
    """

    def set(self) -> None:
        """Set the event. Another thread does it for the main thread: a signal may have interrupted its own `wait`."""
        if threading.current_thread() is threading.main_thread():
            threading.Thread(target=super().set, name="leaving", daemon=True).start()
        else:
            super().set()

    def wait(self, timeout: float | None = None) -> bool:
        """Return True once the event is set, or False after the timeout."""
        until = None if timeout is None else time.monotonic() + timeout
        while not super().wait(WAIT_STEP if until is None else max(0, min(WAIT_STEP, until - time.monotonic()))):
            if until is not None and time.monotonic() >= until:
                return False
        return True


def force_exit_after(seconds: float = MOST_SECONDS) -> None:
    """End this process after this many seconds if it has not ended by itself."""
    threading.Thread(target=_exit_after, args=(seconds,), name="patience", daemon=True).start()


def _exit_after(seconds: float) -> None:
    time.sleep(seconds)
    log.error("stuck", threads=_thread_positions())
    sys.stderr.flush()
    os._exit(0)


def _thread_positions() -> dict[str, str]:
    """Return the line of code that each thread is at, for the log."""
    frames = sys._current_frames()  # noqa: SLF001  # there is no other way to see them
    found = {}
    for thread in threading.enumerate():
        if thread.ident in frames:
            last = extract_stack(frames[thread.ident])[-1]
            found[thread.name] = f"{last.filename}:{last.lineno} {last.name}"
    return found

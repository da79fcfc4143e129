"""A process stops on request, even if a thread hangs."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time

import pytest

from worker.shutdown import InterruptibleEvent


class Heard(Exception):
    """The signal came through."""


STUCK = """
import threading
from service.web import middleware
from worker.shutdown import force_exit_after
middleware.configure_logging("error")
threading.Thread(target=threading.Event().wait, name="held").start()
force_exit_after(0.2)
"""


def test_who_is_held_leaves_all_the_same_and_says_where_it_was_held() -> None:
    done = subprocess.run([sys.executable, "-c", STUCK], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0
    assert '"event": "stuck"' in done.stderr
    assert '"held": "' in done.stderr


def test_a_signal_that_the_main_thread_slept_through_is_heard_soon() -> None:
    def hear(_number: int, _frame: object) -> None:
        raise Heard

    before = signal.signal(signal.SIGUSR1, hear)
    elsewhere = threading.Timer(0.1, lambda: signal.pthread_kill(threading.get_ident(), signal.SIGUSR1))
    elsewhere.start()
    began = time.monotonic()
    try:
        with pytest.raises(Heard):
            InterruptibleEvent().wait(30)
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert time.monotonic() - began < 15  # a plain event waits for all of the thirty seconds


def test_a_signal_that_interrupts_the_wait_itself_is_heard() -> None:
    event = InterruptibleEvent()
    with event._cond:  # type: ignore[attr-defined]  # as a wait holds it
        event.set()
    assert event.wait(10)
    assert not InterruptibleEvent().wait(0.01)

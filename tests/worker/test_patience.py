"""A process that is told to stop does stop, whatever holds it."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest

from service.config import Config
from tests.worker.processes import free_port
from worker import listener
from worker.listener import Listener

STUCK = """
import threading
from service.api import logs
from worker.patience import leave_within
logs.configure("error")
threading.Thread(target=threading.Event().wait, name="held").start()
leave_within(0.2)
"""


def test_who_is_held_leaves_all_the_same_and_says_where_it_was_held() -> None:
    done = subprocess.run([sys.executable, "-c", STUCK], capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0
    assert '"event": "stuck"' in done.stderr
    assert '"held": "' in done.stderr


def test_a_signal_that_comes_while_the_server_is_about_to_wait_is_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "leave_within", lambda: None)
    server = Listener(lambda _environ, _start: [b""], replace(Config(), port=free_port()), lambda: None)
    with server.main_loop_interrupt._cond:  # type: ignore[attr-defined]  # as `wait` holds it
        server.signal_handler_interrupt(15, None)
    assert server.interrupt_signal
    assert server.main_loop_interrupt.wait(10)

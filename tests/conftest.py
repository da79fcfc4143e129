"""What holds for all tests: where their files lie, and that signals mean what they mean in a terminal."""

from __future__ import annotations

import os
import signal

from tests.memory import root


def pytest_configure() -> None:
    """Keep files in memory where there is room, and let Ctrl-C mean Ctrl-C."""
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(root()))
    # A shell lets the commands that it starts in the background ignore it, and so would our own.
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)

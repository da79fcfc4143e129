"""What holds for all tests: signals mean what they mean in a terminal, however the tests were started."""

from __future__ import annotations

import signal


def pytest_configure() -> None:
    """Undo what a shell does to the commands it starts in the background: they ignore Ctrl-C, and so would our own."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)

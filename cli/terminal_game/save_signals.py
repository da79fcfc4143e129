"""Being interrupted: what counts as Ctrl-C, and moments when it has to wait."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOPS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def stoppable() -> Iterator[None]:
    """Being ended from outside is like Ctrl-C here."""
    before = {number: signal.signal(number, _stop) for number in STOPS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def quiet() -> Iterator[None]:
    """An impatient second Ctrl-C does not spoil what must be done before leaving."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

"""Interrupts: signals that act like Ctrl-C, and moments when Ctrl-C is ignored."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

STOP_SIGNALS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


def _raise_interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def interrupt_on_stop_signals() -> Iterator[None]:
    """Treat SIGTERM and SIGHUP like Ctrl-C."""
    before = {number: signal.signal(number, _raise_interrupt) for number in STOP_SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def ignore_interrupts() -> Iterator[None]:
    """Ignore a second Ctrl-C, which would interrupt saving or cleaning up."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

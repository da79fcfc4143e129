"""Event streams: the event loop sends them, however many there are, without a thread for any of them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from service.events.stream import EventStream

STREAM_KEY = "echtra.stream"
"""Where a view leaves an event stream that is to be sent after the headers of its answer."""


async def send_stream(
    protocol: Any,  # noqa: ANN401  # granian's
    status: int,
    headers: list[tuple[str, str]],
    stream: EventStream,
    calls: LoopCalls,
) -> None:
    """Send an event stream until it ends, its client goes, or the process stops."""
    changed = asyncio.Event()
    timer = StreamTimer(stream, changed)
    try:
        transport = protocol.response_stream(status, headers)
        gone = asyncio.ensure_future(_wait_for_disconnect(protocol, changed))
        stream.subscription.on_change = partial(calls.add, changed.set)
        try:
            for block in stream.blocks(changed.clear):
                if block is None:
                    timer.set()
                    await changed.wait()
                    if gone.done():
                        return
                else:
                    await transport.send_str(block)
        finally:
            gone.cancel()
            timer.cancel()
    except RuntimeError:
        return  # the client has gone
    finally:
        stream.close()


class StreamTimer:
    """Wakes a stream when its patience is over; one that is set already is left as it is, and so may wake it early."""

    def __init__(self, stream: EventStream, changed: asyncio.Event) -> None:
        self._stream = stream
        self._changed = changed
        self._handle: asyncio.TimerHandle | None = None

    def set(self) -> None:
        """Let the stream be woken in time."""
        if self._handle is None:
            self._handle = asyncio.get_running_loop().call_later(self._stream.patience(), self._ring)

    def cancel(self) -> None:
        """Wake nobody any more."""
        if self._handle is not None:
            self._handle.cancel()

    def _ring(self) -> None:
        self._handle = None
        self._changed.set()


async def _wait_for_disconnect(protocol: Any, changed: asyncio.Event) -> None:  # noqa: ANN401
    await protocol.client_disconnect()
    changed.set()


class LoopCalls:
    """Calls functions in a loop from other threads: all that are waiting by one call of the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: deque[Callable[[], object]] = deque()
        self._is_called = False

    def add(self, function: Callable[..., object], *values: object) -> None:
        """Call a function soon; never waits."""
        self._waiting.append(partial(function, *values) if values else function)
        if not self._is_called:
            self._is_called = True
            with suppress(RuntimeError):  # the loop has stopped
                self._loop.call_soon_threadsafe(self._call_all)

    def _call_all(self) -> None:
        # Reset before draining, so that a concurrent `add` schedules another run.
        self._is_called = False
        while self._waiting:
            self._waiting.popleft()()

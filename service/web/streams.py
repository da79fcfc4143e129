"""Event streams: sent by the event loop, however many there are, without a thread for any of them."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from typing import Protocol

from service.events.stream import EventStream

Headers = list[tuple[str, str]]
STREAM_KEY = "echtra.stream"
"""Key under which a view leaves an event stream, to be sent after the headers of its answer."""


class StreamTransport(Protocol):
    """Sends the parts of an answer that has no known end."""

    async def send_str(self, data: str) -> None:
        """Send one part."""


class Responder(Protocol):
    """The way granian takes a whole answer."""

    def response_empty(self, status: int, headers: Headers) -> None:
        """Answer without a body."""

    def response_bytes(self, status: int, headers: Headers, body: bytes) -> None:
        """Answer with a body."""


class HttpProtocol(Responder, Protocol):
    """The interface of granian for reading the body of one request and answering it."""

    async def __call__(self) -> bytes:
        """Read the whole body."""

    def __aiter__(self) -> AsyncIterator[bytes]:
        """Read the body in chunks."""

    async def client_disconnect(self) -> None:
        """Wait until the client disconnects."""

    def response_stream(self, status: int, headers: Headers) -> StreamTransport:
        """Begin an answer that is sent in parts."""


async def send_stream(
    protocol: HttpProtocol,
    status: int,
    headers: Headers,
    stream: EventStream,
    calls: LoopCalls,
) -> None:
    """Send an event stream until it ends, its client disconnects, or the process stops."""
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
        return  # the client has disconnected
    finally:
        stream.close()


class StreamTimer:
    """Wakes a stream when it has to send a heartbeat or end. A running timer is kept, so it may fire early."""

    def __init__(self, stream: EventStream, changed: asyncio.Event) -> None:
        self._stream = stream
        self._changed = changed
        self._handle: asyncio.TimerHandle | None = None

    def set(self) -> None:
        """Start the timer unless it is running."""
        if self._handle is None:
            self._handle = asyncio.get_running_loop().call_later(self._stream.patience(), self._ring)

    def cancel(self) -> None:
        """Stop the timer."""
        if self._handle is not None:
            self._handle.cancel()

    def _ring(self) -> None:
        self._handle = None
        self._changed.set()


async def _wait_for_disconnect(protocol: HttpProtocol, changed: asyncio.Event) -> None:
    await protocol.client_disconnect()
    changed.set()


class LoopCalls:
    """Calls functions in a loop from other threads: all waiting ones by a single wake-up of the loop."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._waiting: deque[Callable[[], object]] = deque()
        self._is_called = False

    def add(self, function: Callable[..., object], *values: object) -> None:
        """Call a function soon, without waiting."""
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

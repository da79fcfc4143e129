"""Celery's broker in memory, for the process that is web and worker at once. Its consumer blocks, never polls."""

from __future__ import annotations

import threading
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, memory

SCHEME = "waiting-memory"
_arrived = threading.Event()


class Channel(memory.Channel):
    """A channel that reports each message it is given."""

    def _put(self, queue: str, message: dict[str, Any], **kwargs: Any) -> None:  # noqa: ANN401  # as kombu has it
        super()._put(queue, message, **kwargs)
        _arrived.set()


class Transport(memory.Transport):
    """A transport whose consumer sleeps until a message arrives. kombu's looks fifty times a second."""

    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None, **kwargs: Any) -> None:  # noqa: ANN401  # kombu's
        """Deliver one message, or wait for one. Raise `TimeoutError` if none arrives in time."""
        _arrived.clear()  # before looking, so that a message that comes in between is not overlooked
        try:
            super().drain_events(connection, timeout=0, **kwargs)
        except TimeoutError:
            if not _arrived.wait(timeout):
                raise


TRANSPORT_ALIASES[SCHEME] = f"{__name__}:Transport"

"""Reading events: from a position, by long poll, and as a stream."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Event as Flag

from service.db.connection import close_connection, release_connection
from service.events.dispatcher import Subscription, dispatcher, events_between, newest_settled
from service.events.event_shapes import EventShown
from service.shapes import to_json

RETRY_BLOCK = "retry: 2000\n\n"
dump_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
SIGN_OF_LIFE = ": still here\n\n"
MOST_AT_ONCE = 1_000
"""Maximum number of missed events at the start of a stream. It ends after them; the client reconnects for the rest."""


def stop_waiting() -> None:
    """End all waits of this process, which is about to stop."""
    dispatcher.stop()


def is_stopped() -> bool:
    """Return True once the process is stopping."""
    return dispatcher.stopped.is_set()


def events_after(player: str, after: int, limit: int) -> tuple[list[EventShown], int]:
    """Return the events of a player after a number, oldest first, and the number up to which they were read."""
    upto = newest_settled()
    if upto <= after:
        return [], after
    events = events_between(player, after, upto, limit)
    return events, events[-1].id if len(events) == limit else upto


def wait_for_events(
    player: str, after: int, limit: int, seconds: float, token: str = ""
) -> tuple[list[EventShown], int]:
    """Return the events of a player after a number. Wait for the first one while the token is valid."""
    until = time.monotonic() + seconds
    with dispatcher.subscribe(player, token) as subscription:
        while True:
            subscription.take()
            if subscription.is_revoked:
                return [], after
            events, after = events_after(player, after, limit)
            left = until - time.monotonic()
            if events or left <= 0 or is_stopped():
                return events, after
            release_connection()  # a wait needs no connection
            subscription.wait(left)


@dataclass
class EventStream:
    """The events of a player as blocks of text, until the stream's time is over.

    The sender takes the blocks one by one. None means that there is nothing to send until the subscription changes or
    `patience` runs out.
    """

    player: str
    after: int
    heartbeat: float
    """Seconds between keep-alive comments."""
    longest: float
    """Maximum seconds of the stream."""
    on_close: Callable[[], None]
    token: str = ""
    """The token of the request. The stream ends once it is no longer valid."""
    subscription: Subscription = field(init=False)
    ended: Flag = field(default_factory=Flag)
    _missed: list[EventShown] = field(init=False)

    def __post_init__(self) -> None:
        """Subscribe, then read the missed events, so that none falls in between."""
        self.subscription = dispatcher.subscribe(self.player, self.token)
        try:
            self._missed, self.after = events_after(self.player, self.after, MOST_AT_ONCE)
        except BaseException:
            self.subscription.close()
            raise
        self._until = time.monotonic() + self.longest
        self._sent = time.monotonic()

    def blocks(self, clear: Callable[[], None]) -> Iterator[str | None]:
        """Yield the blocks. `clear` is called before each look, so that no later change is overlooked."""
        yield RETRY_BLOCK + "".join(map(event_block, self._missed))
        if len(self._missed) == MOST_AT_ONCE:
            return
        while time.monotonic() < self._until and not is_stopped() and not self.ended.is_set():
            clear()
            events = [event for event in self.subscription.take() if event.id > self.after]
            if self.subscription.overflowed or self.subscription.is_revoked:
                return
            if events:
                self._sent = time.monotonic()
                yield "".join(map(event_block, events))
            elif time.monotonic() - self._sent >= self.heartbeat:
                self._sent = time.monotonic()
                yield SIGN_OF_LIFE
            else:
                yield None

    def patience(self) -> float:
        """Return the seconds until the next keep-alive comment or the end."""
        return max(0.0, min(self._sent + self.heartbeat, self._until) - time.monotonic())

    def __iter__(self) -> Iterator[bytes]:
        """Yield the blocks, for a server with one thread per stream."""
        close_connection()
        for block in self.blocks(lambda: None):
            if block is None:
                self.subscription.wait(self.patience())
            else:
                yield block.encode()

    def end(self) -> None:
        """End the stream soon."""
        self.ended.set()
        self.subscription.wake()

    def close(self) -> None:
        """End the subscription and free the place of the stream."""
        self.subscription.close()
        self.on_close()


def event_block(event: EventShown) -> str:
    """Return an event as a block of the stream."""
    return f"id: {event.id}\nevent: {event.type}\ndata: {dump_json(to_json(event))}\n\n"

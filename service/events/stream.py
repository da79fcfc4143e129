"""Reading events: what is there after a place, waiting for the next, and sending them as they come."""

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
"""How many missed events a stream begins with; it ends after them, and the client comes back for the rest."""


def stop_waiting() -> None:
    """End every wait of this process, as it is about to stop."""
    dispatcher.stop()


def is_stopped() -> bool:
    """Whether nobody may wait any more."""
    return dispatcher.stopped.is_set()


def events_after(player: str, after: int, limit: int) -> tuple[list[EventShown], int]:
    """The events of a player after a number, oldest first, and the number up to which was looked."""
    upto = newest_settled()
    if upto <= after:
        return [], after
    events = events_between(player, after, upto, limit)
    return events, events[-1].id if len(events) == limit else upto


def wait_for_events(
    player: str, after: int, limit: int, seconds: float, token: str = ""
) -> tuple[list[EventShown], int]:
    """Return the events of a player after a number; wait for the first as long as the token is good."""
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
            release_connection()  # who only waits needs no connection
            subscription.wait(left)


@dataclass
class EventStream:
    """The events of a player as blocks of text, until the stream's time is over.

    Whoever sends it takes the blocks one by one; in place of a block comes None when there is nothing to send before
    the subscription changes or `patience` runs out.
    """

    player: str
    after: int
    heartbeat: float
    """Seconds between signs of life."""
    longest: float
    """Seconds until the stream ends by itself."""
    on_close: Callable[[], None]
    token: str = ""
    """The token it was asked for with: once that is worthless the stream ends."""
    subscription: Subscription = field(init=False)
    ended: Flag = field(default_factory=Flag)
    _missed: list[EventShown] = field(init=False)

    def __post_init__(self) -> None:
        """Read what was missed, after events that come are kept already, so that none falls between."""
        self.subscription = dispatcher.subscribe(self.player, self.token)
        try:
            self._missed, self.after = events_after(self.player, self.after, MOST_AT_ONCE)
        except BaseException:
            self.subscription.close()
            raise
        self._until = time.monotonic() + self.longest
        self._sent = time.monotonic()

    def blocks(self, clear: Callable[[], None]) -> Iterator[str | None]:
        """The blocks; `clear` is called before each look, so that a change after it is not overlooked."""
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
        """For how many seconds there is nothing to send, if nothing happens."""
        return max(0.0, min(self._sent + self.heartbeat, self._until) - time.monotonic())

    def __iter__(self) -> Iterator[bytes]:
        """The blocks for a server that gives each stream a thread of its own."""
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
        """Give up the subscription and the place of the stream."""
        self.subscription.close()
        self.on_close()


def event_block(event: EventShown) -> str:
    """An event as a stream tells it."""
    return f"id: {event.id}\nevent: {event.type}\ndata: {dump_json(to_json(event))}\n\n"

"""The reader of new events in a process: it gives each event to the subscribers of its player.

It is woken when this process writes events, and by a wake-up when another one does (`worker.wakeups`). A lost wake-up
costs at most a second, since it looks once a second while anybody waits.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Condition, Lock, Thread
from threading import Event as Flag
from typing import Self

import structlog

from service.db.batches import rows_for
from service.db.connection import (
    DatabaseDown,
    close_connection,
    db,
    drop_connections,
    release_connection,
    rows,
    rows_appear_in_order,
    running_transactions,
)
from service.events.event_shapes import EventShown
from service.jobs import wakeups
from service.timestamps import now

LOOK_SECONDS = 1.0
"""Seconds between two looks without a wake-up."""
GAP_SECONDS = 0.005
"""Seconds until the next look while a number is missing that may still appear."""
UNSETTLED = 15_000
"""After this many ms a missing number counts as belonging to a transaction that was rolled back."""
MOST_READ = 5_000
MOST_KEPT = 1_000
"""Maximum number of events to keep for a subscriber who does not take them."""
FIELDS = ("id", "type", "match", "tournament", "seat", "seq", "at")
SELECT_OF_PLAYER = (
    "select id, type, match, tournament, seat, seq, at from event where player = ? and id > ? and id <= ? "
    "order by id limit ?"
)
SELECT_OF_ALL = (
    "select player, id, type, match, tournament, seat, seq, at from event where id > ? and id <= ? order by id limit ?"
)
SELECT_GOOD_TOKENS = (
    "select t.id from token t join player p on p.id = t.player where t.revoked_at is null and p.deleted_at is null "
    "and (t.expires_at is null or t.expires_at > ?) and t.id in ({holes})"
)
log = structlog.get_logger("events")


class SettledNumber:
    """The number below which no further event can appear, so that a reader at this number has missed nothing.

    PostgreSQL numbers events before they commit. A missing number belongs to a transaction that is still running or was
    rolled back. Every transaction writes something else before its first event. So once all transactions have ended
    that ran when the gap was first seen, the number will never appear.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._source: object = None
        self._number = 0
        self._gap: tuple[int, int] | None = None
        """The number before a gap, and the id of the next transaction when the gap was first seen."""

    @property
    def has_gap(self) -> bool:
        """True if there are events after a missing number that may still appear."""
        return self._gap is not None

    def look(self) -> int:
        """Read the number from the database."""
        with self._lock:
            if self._source is not db.obj:
                self._source, self._number, self._gap = db.obj, 0, None
            if rows_appear_in_order():
                self._number = int(rows("select coalesce(max(id), 0) from event")[0][0])
            else:
                self._number = self._newest_without_gap()
            return self._number

    def _newest_without_gap(self) -> int:
        old = now() - UNSETTLED
        number = self._number or int(rows("select coalesce(max(id), 0) from event where at <= ?", old)[0][0])
        number = self._advance(number, old)
        # At a gap look once more: usually no transaction is left that could fill it.
        return self._advance(number, old) if self._gap else number

    def _advance(self, number: int, old: int) -> int:
        """Return the number before the first gap after this one, or that of the newest event."""
        # Read before the events, so that the next query sees everything committed by then. Only needed at a gap.
        oldest_running = running_transactions()[0] if self._gap else 0
        for id_, at in rows("select id, at from event where id > ? order by id limit ?", number, MOST_READ):
            if id_ != number + 1 and at > old and not self._is_dead_gap(number, oldest_running):
                if self._gap is None or self._gap[0] != number:
                    self._gap = (number, running_transactions()[1])
                return number
            number = id_
        self._gap = None
        return number

    def _is_dead_gap(self, number: int, oldest_running: int) -> bool:
        return self._gap is not None and self._gap[0] == number and oldest_running >= self._gap[1]


_settled = SettledNumber()


def newest_settled() -> int:
    """Return the number of the newest event that readers may see."""
    return _settled.look()


def events_between(player: str, after: int, upto: int, limit: int) -> list[EventShown]:
    """Return the events of a player after one number and up to another, oldest first."""
    return [
        EventShown(**dict(zip(FIELDS, row, strict=True))) for row in rows(SELECT_OF_PLAYER, player, after, upto, limit)
    ]


@dataclass(eq=False)
class Subscription:
    """A subscriber to the events of a player, with the events not yet taken."""

    player: str
    closing: Callable[[Subscription], None]
    token: str = ""
    """The token of the request, checked while it waits; empty if there is none."""
    is_revoked: bool = False
    """True once that token is revoked or expired, or its account erased."""
    on_change: Callable[[], None] = lambda: None
    """Called in the dispatcher's thread when there is something to take, or when the process stops."""
    overflowed: bool = False
    """True if events were dropped because nobody took them. The reader must start again after its last one."""
    _events: deque[EventShown] = field(default_factory=deque)
    _changed: Condition = field(default_factory=Condition)
    _is_changed: bool = False

    def put(self, events: list[EventShown]) -> None:
        """Add events."""
        if len(self._events) + len(events) > MOST_KEPT:
            self.overflowed = True
            self._events.clear()
        else:
            self._events.extend(events)
        self.wake()

    def take(self) -> list[EventShown]:
        """Return the events that were added since the last call."""
        with self._changed:
            self._is_changed = False
            taken = list(self._events)
            self._events.clear()
        return taken

    def wake(self) -> None:
        """Wake the subscriber."""
        with self._changed:
            self._is_changed = True
            self._changed.notify_all()
        self.on_change()

    def wait(self, seconds: float) -> None:
        """Wait for a change, at most this long."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_changed, seconds)

    def close(self) -> None:
        """End the subscription."""
        self.closing(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()


class EventDispatcher:
    """A thread that runs while anybody waits. It reads each new event once and gives it to its player's subscribers."""

    def __init__(self) -> None:
        self.stopped = Flag()
        self._lock = Lock()
        self._subscriptions: dict[str, set[Subscription]] = {}
        self._position: int | None = None
        self._source: object = None
        self._woken = Flag()
        self._thread: Thread | None = None
        self._tokens_checked = 0.0

    def subscribe(self, player: str, token: str = "") -> Subscription:
        """Subscribe to the events of a player from now on, for as long as the token is valid."""
        subscription = Subscription(player, self._unsubscribe, token)
        with self._lock:
            if self._position is None or self._source is not db.obj:
                self._position, self._source = newest_settled(), db.obj
            self._subscriptions.setdefault(player, set()).add(subscription)
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="events", daemon=True)
                self._thread.start()
        return subscription

    def _unsubscribe(self, subscription: Subscription) -> None:
        with self._lock:
            waiting = self._subscriptions.get(subscription.player, set())
            waiting.discard(subscription)
            if not waiting:
                self._subscriptions.pop(subscription.player, None)
            if not self._subscriptions:
                self._woken.set()  # so that the thread ends

    def wake(self) -> None:
        """Look for new events now."""
        self._woken.set()

    def stop(self) -> None:
        """Wake all subscribers, because the process is about to stop."""
        self.stopped.set()
        with self._lock:
            everybody = [each for waiting in self._subscriptions.values() for each in waiting]
        for subscription in everybody:
            subscription.wake()
        self._woken.set()

    def _run(self) -> None:
        while self._is_needed():
            try:
                self._end_revoked()
                self._deliver()
                release_connection()
                self._woken.wait(GAP_SECONDS if _settled.has_gap else LOOK_SECONDS)
            except DatabaseDown as error:
                log.warning("database", error=str(error).strip())
                drop_connections()
                time.sleep(LOOK_SECONDS)
            except Exception:
                log.exception("events")
                drop_connections()
                time.sleep(LOOK_SECONDS)
        close_connection()

    def _is_needed(self) -> bool:
        """Return True if anybody waits. If not, the thread ends; the next subscriber starts another."""
        with self._lock:
            if self._subscriptions and not self.stopped.is_set():
                return True
            self._position = self._thread = None
            return False

    def _end_revoked(self) -> None:
        """Wake the subscribers whose token is no longer valid. Checks once a second."""
        if time.monotonic() - self._tokens_checked < LOOK_SECONDS:
            return
        self._tokens_checked = time.monotonic()
        with self._lock:
            held = [each for waiting in self._subscriptions.values() for each in waiting if each.token]
        asked = sorted({each.token for each in held})
        good = {token for (token,) in rows_for(SELECT_GOOD_TOKENS, asked, before=(now(),))}
        for subscription in held:
            if subscription.token not in good:
                subscription.is_revoked = True
                subscription.wake()

    def _deliver(self) -> None:
        self._woken.clear()
        upto = newest_settled()
        with self._lock:
            after = self._position
        if after is None or upto <= after:
            return
        found = rows(SELECT_OF_ALL, after, upto, MOST_READ)
        if len(found) == MOST_READ:
            upto = found[-1][1]
            self._woken.set()  # there are more
        with self._lock:
            self._position = upto
            batches: list[tuple[Subscription, list[EventShown]]] = []
            by_player: dict[str, list[EventShown]] = {}
            for player, *event in found:
                if player in self._subscriptions:
                    by_player.setdefault(player, []).append(EventShown(**dict(zip(FIELDS, event, strict=True))))
            for player, events in by_player.items():
                batches += [(subscription, events) for subscription in self._subscriptions[player]]
        for subscription, events in batches:
            subscription.put(events)


dispatcher = EventDispatcher()


def signal_new_events() -> None:
    """Wake the dispatchers of all processes. Call after the commit of events."""
    dispatcher.wake()
    wakeups.wake_event_readers()

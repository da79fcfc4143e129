"""Signals between processes over the database: LISTEN and NOTIFY of PostgreSQL; with SQLite there is one process.

A signal may be lost, and several may come as one: it says that there is something to look for, not what.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event as Flag
from threading import Lock, Thread
from typing import Any

import psycopg

from service.db.connection import is_postgres, open_own_connection

RECONNECT_SECONDS = 1.0
PATIENCE_SECONDS = 0.5
"""How long a listener waits before it looks whether it is still wanted."""


class Notifier:
    """A thread with a connection of its own that sends signals; those that come while one is sent go as one."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._channels: set[str] = set()
        self._wanted = Flag()
        self._thread: Thread | None = None

    def notify(self, channel: str) -> None:
        """Send a signal soon; never waits."""
        with self._lock:
            self._channels.add(channel)
            self._wanted.set()
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._run, name="notifier", daemon=True)
                self._thread.start()

    def _run(self) -> None:
        connection: psycopg.Connection[Any] | None = None
        while True:
            self._wanted.wait()
            with self._lock:
                self._wanted.clear()
                channels, self._channels = self._channels, set()
            try:
                if connection is None or connection.closed:
                    connection = open_own_connection()
                for channel in channels:
                    connection.execute("select pg_notify(%s, '')", (channel,))
            except psycopg.Error:
                # Whoever listens looks by itself once a second.
                connection = None


_notifier = Notifier()


def notify(channel: str) -> None:
    """Tell every process that listens to a channel to look; outside of any transaction."""
    if is_postgres():
        _notifier.notify(channel)


@contextmanager
def listening(channel: str, on_signal: Callable[[], None]) -> Iterator[None]:
    """Call a function for each signal of a channel meanwhile, in a thread of its own."""
    if not is_postgres():
        yield
        return
    ended = Flag()
    thread = Thread(target=_listen, args=(channel, on_signal, ended), name=f"listen-{channel}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(2 * PATIENCE_SECONDS)


def _listen(channel: str, on_signal: Callable[[], None], ended: Flag) -> None:
    while not ended.is_set():
        with suppress(psycopg.Error), open_own_connection() as connection:
            connection.execute(f"listen {channel}")
            on_signal()  # what was signalled before
            while not ended.is_set():
                for _ in connection.notifies(timeout=PATIENCE_SECONDS, stop_after=1):
                    on_signal()
        ended.wait(RECONNECT_SECONDS if not ended.is_set() else 0)

"""Connections to the database: handed on as soon as others can use them, closed where nobody can."""

from __future__ import annotations

from threading import Barrier, Thread

from service.config import Config
from service.db.connection import close_connection, connect, db, drop_connections, is_postgres, release_connection, rows
from service.webhooks import sender
from tests.support.factories import match_of, somebody
from tests.support.webhook_receivers import Receiver
from tests.support.webhooks import happen, hook_of, sweep


def backends() -> set[int]:
    """The processes of the server behind the connections that three threads get at once."""
    found: set[int] = set()
    all_there = Barrier(3)

    def ask() -> None:
        found.update(number for (number,) in rows("select pg_backend_pid()"))
        all_there.wait(10)
        release_connection()

    threads = [Thread(target=ask) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return found


def test_who_served_a_hook_leaves_the_connections_of_others_open(local: Config, receiver: Receiver) -> None:
    me = somebody()
    hook = hook_of(me, receiver.url, local)
    happen(me, match_of(local, me, bots={1: "steady"}), 1)
    release_connection()
    before = backends() if is_postgres() else set()
    kept: list[bool] = []

    def served() -> None:
        sender._serve_in_thread(hook.id, local)
        kept.append(not db.is_closed())

    thread = Thread(target=served)
    thread.start()
    thread.join()
    assert len(receiver.got) == 1
    assert kept == [False]
    if is_postgres():
        assert backends() == before


def test_who_waits_for_a_receiver_holds_no_connection(local: Config, receiver: Receiver) -> None:
    connect(local.database, 1)
    me = somebody()
    hook_of(me, receiver.url, local)
    happen(me, match_of(local, me, bots={1: "steady"}), 1)
    seen: list[int] = []

    def look() -> None:
        seen.extend(count for (count,) in rows("select count(*) from hook"))
        close_connection()

    receiver.meanwhile = look
    assert sweep(local) == 1
    assert seen == [1]
    drop_connections()

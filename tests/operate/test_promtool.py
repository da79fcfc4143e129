"""What Prometheus' own checker says of our figures and rules."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.test_cluster import answers, broker, env, fetch, start
from tests.support.servers import ROOT, Process, free_port, ready

__all__ = ["broker", "env", "start"]
pytestmark = pytest.mark.operate


def promtool(*words: str, text: bytes = b"") -> None:
    """Let promtool check something; it fails on any complaint, and where it is missing."""
    program = shutil.which("promtool")
    assert program is not None, "promtool is missing; install it (apt-get install prometheus)"
    done = subprocess.run([program, *words], input=text, capture_output=True, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()


def test_promtool_takes_the_figures_of_web_processes_and_of_workers(
    start: Callable[..., Process],  # the fixture
    env: dict[str, str],  # the fixture
) -> None:
    port, door = int(env["ECHTRA_PORT"]), free_port()
    worker = start("worker", ECHTRA_METRICS_DOOR=f"127.0.0.1:{door}")
    ready(port, start("web", ECHTRA_PROCESSES="2"))
    until = time.monotonic() + 30
    while not answers(door):
        assert time.monotonic() < until, worker.text()
        time.sleep(0.1)
    for _ in range(6):
        status, text = fetch(port, "/metrics")
        assert (status, "echtra_oldest_job_seconds" in text) == (200, True)
        promtool("check", "metrics", text=text.encode())
    promtool("check", "metrics", text=fetch(door, "/metrics")[1].encode())


@pytest.mark.parametrize("name", ["rules", "config"])
def test_promtool_takes_the_files_that_we_ship(name: str, tmp_path: Path) -> None:
    for file in (ROOT / "deploy/prometheus").iterdir():
        shutil.copy(file, tmp_path)
    promtool("check", name, str(tmp_path / ("rules.yml" if name == "rules" else "prometheus.yml")))

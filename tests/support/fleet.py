"""Web, workers, broker and database as separate processes, each of which can be killed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.support.servers import Postgres, Process, Redis


@dataclass(frozen=True)
class Fault:
    """A fault of the service, and its repair."""

    name: str
    do: Callable[[], None]


def settings(data: Path, port: int, **more: str) -> dict[str, str]:
    """Return the environment of the processes."""
    return {
        "ECHTRA_DATA": str(data),
        "ECHTRA_PORT": str(port),
        "ECHTRA_LOG_LEVEL": "warning",
        "ECHTRA_LIMIT_REQUESTS": "100000000",
        "ECHTRA_LETTER_HOLD": "0",
        **more,
    }


class Fleet:
    """Web, workers, broker and database as separate processes."""

    def __init__(self, folder: Path, port: int) -> None:
        self.broker, self.server = Redis(), Postgres()
        env = settings(folder, port, ECHTRA_DATABASE_URL=self.server.url, ECHTRA_BROKER_URL=self.broker.url)
        self.web = Process("web", env=env, log=folder / "web.log")
        self.workers = [Process("worker", env=env, log=folder / f"worker{number}.log") for number in range(2)]
        self.processes = [self.web, *self.workers]

    def start(self) -> None:
        """Start everything."""
        self.broker.start()
        for process in self.processes:
            process.start()

    def end(self) -> None:
        """Stop everything."""
        for process in self.processes:
            process.end()
        self.broker.end()
        self.server.end()

    def revive(self) -> None:
        """Restart the processes that could not start while the database was away, as a process manager does."""
        for process in self.processes:
            if process.process is not None and process.process.poll() is not None:
                process.start()

    def faults(self) -> list[Fault]:
        """Return all processes that can be killed."""
        killed = [Fault(process.words[0], self._killer(process)) for process in self.processes]
        return [*killed, Fault("redis", self._broker), Fault("flushall", self._flush), Fault("postgres", self._plug)]

    def _killer(self, process: Process) -> Callable[[], None]:
        def kill() -> None:
            process.kill()
            process.start()

        return kill

    def _broker(self) -> None:
        self.broker.kill()
        time.sleep(0.2)
        self.broker.start()

    def _flush(self) -> None:
        with self.broker.client() as client:
            client.flushall()

    def _plug(self) -> None:
        self.server.kill()
        self.server.start()
        self.revive()

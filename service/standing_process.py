"""A separate process that answers requests one by one, with a CPU deadline and a memory cap.

It does work that may take too long, or that strangers can make take too long. If a request exceeds a limit, the process
is killed, and the next request starts another.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Generic, TypeVar

STOP_SECONDS = 5
WALL_FACTOR = 10
"""Extra time by the clock that a request may take beyond its CPU deadline, on a busy machine."""
Request = TypeVar("Request")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class ProcessLimits:
    """The limits of one request."""

    cpu_seconds: float
    memory_bytes: int
    """Memory that the process may take beyond what it has when it is ready."""
    niceness: int = 5
    """Niceness of the process, so that those that answer people come first."""


class LimitExceeded(Exception):
    """A request that exceeded a limit; `what` is `cpu`, `memory` or `crash`."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


@dataclass(frozen=True)
class _Failure:
    """The answer of the process to a request that failed."""

    what: str


class StandingProcess(Generic[Request, Answer]):
    """A process that calls one function for each request. It starts with the first one.

    `answer` must be a function of a module, since the process imports it by name, and must raise nothing.
    """

    def __init__(self, name: str, answer: Callable[[Request], Answer], limits: ProcessLimits) -> None:
        self._name = name
        self._answer = answer
        self._limits = limits
        self._lock = threading.Lock()
        self._owner = 0
        self._process: multiprocessing.process.BaseProcess | None = None
        self._connection: Connection | None = None

    def ask(self, request: Request) -> Answer:
        """Return the answer to a request. Raise `LimitExceeded` if it used too much."""
        with self._lock:
            connection = self._connect()
            try:
                connection.send(request)
                answer: Answer | _Failure = self._receive(connection)
            except (EOFError, OSError):
                raise LimitExceeded(self._end()) from None
        if isinstance(answer, _Failure):
            raise LimitExceeded(answer.what)
        return answer

    def _receive(self, connection: Connection) -> Answer | _Failure:
        # The timer counts CPU time only, so a blocked process needs this second deadline.
        if not connection.poll(self._limits.cpu_seconds * WALL_FACTOR):
            raise EOFError
        answer: Answer | _Failure = connection.recv()
        return answer

    def _connect(self) -> Connection:
        """Return the connection to the process. Start one if none runs, or if another process forked us with it."""
        running = self._process is not None and self._owner == os.getpid() and self._process.is_alive()
        if running and self._connection is not None:
            return self._connection
        if self._owner == os.getpid():
            self._end()
        context = multiprocessing.get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._process = context.Process(
            target=serve, args=(theirs, self._answer, self._limits), name=f"echtra {self._name}", daemon=True
        )
        self._process.start()
        self._owner = os.getpid()
        theirs.close()
        return self._connection

    def _end(self) -> str:
        """Kill the process. Return why it had ended."""
        code = None
        if self._process is not None:
            self._process.kill()
            self._process.join(STOP_SECONDS)
            code = self._process.exitcode
        if self._connection is not None:
            self._connection.close()
        self._process, self._connection = None, None
        return "cpu" if code in (-signal.SIGPROF, -signal.SIGKILL) else "crash"

    def stop(self) -> None:
        """End the process. A request in progress raises `LimitExceeded`."""
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()  # without the lock, which a request in progress holds
        with self._lock:
            self._end()


def serve(connection: Connection, answer: Callable[[Request], Answer], limits: ProcessLimits) -> None:
    """Answer requests until their sender is gone. This runs in the process itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C in the terminal reaches us too; the parent process stops us
    threading.Thread(target=exit_with_parent, name="parent", daemon=True).start()
    with suppress(OSError):
        os.nice(limits.niceness)
    _cap_memory(limits.memory_bytes)
    with suppress(EOFError, OSError):
        while True:
            connection.send(_answer_within(connection.recv(), answer, limits.cpu_seconds))


def _answer_within(request: Request, answer: Callable[[Request], Answer], seconds: float) -> Answer | _Failure:
    """Return the answer. The signal of this timer ends the process, even inside a library that checks for no signal."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return answer(request)
    except MemoryError:
        return _Failure("memory")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _cap_memory(more: int) -> None:
    """Limit the memory that the process may take beyond what it has. Systems without such limits ignore this."""
    with suppress(OSError, ValueError):
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()  # noqa: SIM115, PTH123
        resource.setrlimit(resource.RLIMIT_AS, (used + more, used + more))


def exit_with_parent() -> None:
    """End at once with the parent process, even if that was killed while we work."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(0)

"""A process beside this one that answers requests one by one, with a CPU deadline and a memory cap.

Work that may take too long, or that strangers can make take too long, is done there: if it exceeds a limit the process
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
"""How much longer than its CPU deadline a request may take by the clock, on a machine that is busy."""
Request = TypeVar("Request")
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class ProcessLimits:
    """The limits of one request."""

    cpu_seconds: float
    memory_bytes: int
    """How much memory the process may take beyond what it has when it is ready."""
    niceness: int = 5
    """How far the process stands back behind those that answer people."""


class LimitExceeded(Exception):
    """A request that used too much; `what` is `cpu`, `memory` or `crash`."""

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
        """Kill the process; return why it had ended."""
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
        """End the process. A request that it is answering raises `LimitExceeded`."""
        if self._process is not None and self._owner == os.getpid():
            self._process.kill()  # without the lock, which a request under way holds
        with self._lock:
            self._end()


def serve(connection: Connection, answer: Callable[[Request], Answer], limits: ProcessLimits) -> None:
    """Answer requests until whoever sends them is gone: this runs in the process itself."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a Ctrl-C in the terminal reaches us too; who started us stops us
    threading.Thread(target=exit_with_parent, name="parent", daemon=True).start()
    with suppress(OSError):
        os.nice(limits.niceness)
    _cap_memory(limits.memory_bytes)
    with suppress(EOFError, OSError):
        while True:
            connection.send(_answer_within(connection.recv(), answer, limits.cpu_seconds))


def _answer_within(request: Request, answer: Callable[[Request], Answer], seconds: float) -> Answer | _Failure:
    """Return the answer. The signal of this timer ends the process, even inside a library that looks at no signal."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return answer(request)
    except MemoryError:
        return _Failure("memory")
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _cap_memory(more: int) -> None:
    """Let the process take no more than this beyond what it has; systems without the limit do without."""
    with suppress(OSError, ValueError):
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()  # noqa: SIM115, PTH123
        resource.setrlimit(resource.RLIMIT_AS, (used + more, used + more))


def exit_with_parent() -> None:
    """End at once with the process that started this one, even if that was killed while we work."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(0)

"""The web server of a process that does everything: granian's, beside the crew instead of in processes of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import MTServer

from service.config import Config
from service.web.gateway import HEADER_SECONDS, MOST_REQUESTS, Gateway
from worker.shutdown import InterruptibleEvent, force_exit_after

SHUTDOWN_SECONDS = 5
"""How many seconds requests have to end when the process stops."""


class EmbeddedServer(MTServer):
    """Serves from threads of this process until a signal comes; then says so before it stops."""

    def __init__(self, gateway: Gateway, config: Config, leaving: Callable[[], None]) -> None:
        super().__init__(
            "echtra",
            address=config.host,
            port=config.port,
            interface=Interfaces.RSGI,
            workers=1,
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(header_read_timeout=HEADER_SECONDS * 1000),
            backpressure=MOST_REQUESTS,
            websockets=False,
            workers_kill_timeout=SHUTDOWN_SECONDS,
            log_level=LogLevels.critical,
        )
        self.main_loop_interrupt = InterruptibleEvent()
        self.gateway = gateway
        self.leaving = leaving

    def run(self) -> None:
        """Serve; returns after SIGINT or SIGTERM, when requests have ended or had time to."""
        self.serve(target_loader=lambda *_: self.gateway)  # type: ignore[arg-type]  # an object of RSGI, not a function

    def shutdown(self, exit_code: int = 0) -> None:
        """Whoever waits for something is sent home first."""
        force_exit_after()
        self.leaving()
        super().shutdown(exit_code)  # type: ignore[no-untyped-call]

    def stop(self) -> None:
        """Stop serving, as after a signal; `run` returns then. For another thread than the one that serves."""
        self.interrupt_signal = True
        self.main_loop_interrupt.set()

    @property
    def held(self) -> bool:
        """Whether a client still has not sent all of its request, though the time for it is over."""
        return any(thread.name == "granian-worker" for thread in threading.enumerate())

    def _check_gil(self) -> None:
        # Threads are granian's way for Python without a GIL; one worker of many threads is as good with it.
        return

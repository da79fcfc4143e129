"""The web server of `echtra serve`: granian in threads of this process, next to the worker."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import MTServer

from service.config import Config
from service.web.gateway import HEADER_SECONDS, MOST_REQUESTS, Gateway
from worker.shutdown import InterruptibleEvent, force_exit_after

SHUTDOWN_SECONDS = 5
"""Seconds for requests to finish when the process stops."""
SERVER_OPTIONS: dict[str, Any] = {
    "interface": Interfaces.RSGI,
    "http": HTTPModes.http1,
    "http1_settings": HTTP1Settings(header_read_timeout=HEADER_SECONDS * 1000),
    "backpressure": MOST_REQUESTS,
    "websockets": False,
}
"""The options of granian, for threads of this process and for separate processes alike."""


class EmbeddedServer(MTServer):
    """Serves from threads of this process until a signal. Calls `leaving` before it stops."""

    def __init__(self, gateway: Gateway, config: Config, leaving: Callable[[], None]) -> None:
        super().__init__(
            "echtra",
            address=config.host,
            port=config.port,
            workers=1,
            workers_kill_timeout=SHUTDOWN_SECONDS,
            log_level=LogLevels.critical,
            **SERVER_OPTIONS,
        )
        self.main_loop_interrupt = InterruptibleEvent()
        self.gateway = gateway
        self.leaving = leaving

    def run(self) -> None:
        """Serve until SIGINT or SIGTERM. Return once requests have finished or their time is up."""
        self.serve(target_loader=lambda *_: self.gateway)  # type: ignore[arg-type]  # an object of RSGI, not a function

    def shutdown(self, exit_code: int = 0) -> None:
        """Release waiting clients first."""
        force_exit_after()
        self.leaving()
        super().shutdown(exit_code)  # type: ignore[no-untyped-call]

    def stop(self) -> None:
        """Stop serving, as after a signal, so that `run` returns. Call from another thread."""
        self.interrupt_signal = True
        self.main_loop_interrupt.set()

    @property
    def held(self) -> bool:
        """True if a client has not sent its whole request in the time for it."""
        return any(thread.name == "granian-worker" for thread in threading.enumerate())

    def _check_gil(self) -> None:
        # Granian offers threads only without a GIL, but one worker with many threads works well with it.
        return

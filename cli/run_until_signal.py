"""Running a part of the service until a signal stops this process."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import TYPE_CHECKING

import click

from cli import preflight
from service.db import database_clock
from worker.shutdown import force_exit_after

if TYPE_CHECKING:
    from service.config import Config


def run_until_signal(
    config: Config, greeting: str, ended: Event, start: Callable[[], None], stop: Callable[[], None]
) -> None:
    """Start a part, print the greeting, and stop the part after a signal or once `ended` is set."""
    preflight.stop_on_signals()
    preflight.call_database(config, database_clock.keep_database_time)
    preflight.open_metrics_door(config)
    try:
        start()
        click.echo(greeting)
        ended.wait()
    except (KeyboardInterrupt, preflight.StopSignal):
        pass
    finally:
        force_exit_after()
        stop()

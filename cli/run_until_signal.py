"""A process that works until it is told to stop."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import click

from cli import preflight
from service.db import database_clock
from worker.shutdown import force_exit_after

if TYPE_CHECKING:
    from engine.words import Locale
    from worker.process import Scheduler


def run(beat: Scheduler, ended: Event, said: str, locale: Locale) -> None:
    """Let it work, once this is said, until a signal comes or it has ended by itself."""
    preflight.stop_on_signals()
    database_clock.keep_database_time()
    preflight.open_metrics_door(beat.config, locale)
    try:
        beat.start()
        click.echo(said)
        ended.wait()
    except (KeyboardInterrupt, preflight.StopSignal):
        pass
    finally:
        force_exit_after()
        beat.stop()

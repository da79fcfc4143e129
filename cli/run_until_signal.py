"""A process that works until it is told to stop."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import click

from cli import preflight as starting
from worker.shutdown import leave_within

if TYPE_CHECKING:
    from worker.process import Beat


def run(beat: Beat, ended: Event, said: str) -> None:
    """Let it work, once this is said, until a signal comes or it has ended by itself."""
    starting.stop_on_signals()
    try:
        beat.start()
        click.echo(said)
        ended.wait()
    except (KeyboardInterrupt, starting.Stopped):
        pass
    finally:
        leave_within()
        beat.stop()

"""The progress bar of long commands: on the error stream, and only where somebody looks."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn


def progress_bar(*, no_color: bool) -> Progress:
    """A bar that vanishes when it is done."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True, no_color=no_color),
        disable=not sys.stderr.isatty(),
        transient=True,
    )

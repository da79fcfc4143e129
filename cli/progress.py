"""The progress bar of long commands, on standard error and only in a terminal."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from cli.command import is_plain


def progress_bar() -> Progress:
    """Return a bar that disappears when the work is done."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True, no_color=is_plain()),
        disable=not sys.stderr.isatty(),
        transient=True,
    )

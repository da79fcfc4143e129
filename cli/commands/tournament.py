"""`echtra tournament`: everything about tournaments from the command line, with a command for each task."""

from __future__ import annotations

import click

from cli import LazyGroup
from cli.command import language_flag

TOURNAMENT_COMMANDS = (
    *("plan", "apply", "show", "standings", "rule", "appoint", "challenge", "export"),
    *("simulate", "verify", "trf"),
)
"""Every command of the group, in the order of the help page; the last three need no database."""


@click.group(
    "tournament", cls=LazyGroup, names=TOURNAMENT_COMMANDS, text="usage.tournament.about", prefix="tournament_"
)
@language_flag
def command() -> None:
    """Work with tournaments."""

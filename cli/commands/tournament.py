"""`echtra tournament`: everything about tournaments from the command line, a command for each thing to do."""

from __future__ import annotations

import click

from cli import LazyGroup
from cli.command import bilingual_option
from engine.words import LOCALES

TOURNAMENT_COMMANDS = {
    "plan": "cli.commands.tournament_plan",
    "apply": "cli.commands.tournament_apply",
    "show": "cli.commands.tournament_show",
    "standings": "cli.commands.tournament_standings",
    "rule": "cli.commands.tournament_rule",
    "challenge": "cli.commands.tournament_challenge",
    "export": "cli.commands.tournament_export",
    "simulate": "cli.commands.tournament_simulate",
    "verify": "cli.commands.tournament_verify",
    "trf": "cli.commands.tournament_trf",
}
"""For each command the module that has it as `command`."""


@click.group(
    "tournament", cls=LazyGroup, table=TOURNAMENT_COMMANDS, text="usage.tournament.about", prefix="tournament_"
)
@bilingual_option("--lang", type=click.Choice(LOCALES), expose_value=False, text="usage.option.lang")
def command() -> None:
    """Work with tournaments."""

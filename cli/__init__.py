"""The console script `echtra`: a table of commands, each imported when it is called."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Any, NoReturn

import click

from cli.command import (
    BilingualHelp,
    BilingualOption,
    bilingual_option,
    context_language,
    strip_control_characters,
)
from cli.usage_errors import NoSuchCommand, usage_error_text
from engine.words import LOCALES
from service.i18n.catalogue import translate

COMMANDS = {
    "play": "cli.commands.play",
    "learn": "cli.commands.learn",
    "replay": "cli.commands.replay",
    "simulate": "cli.commands.simulate",
    "cards": "cli.commands.cards",
    "serve": "cli.commands.serve",
    "web": "cli.commands.web",
    "worker": "cli.commands.worker",
    "beat": "cli.commands.beat",
    "mail-door": "cli.commands.mail_door",
    "migrate": "cli.commands.migrate",
    "demo": "cli.commands.demo",
    "verify": "cli.commands.verify",
    "tournament": "cli.commands.tournament",
    "doctor": "cli.commands.doctor",
    "rebuild": "cli.commands.rebuild",
    "house": "cli.commands.house",
    "letters": "cli.commands.letters",
    "players": "cli.commands.players",
    "jobs": "cli.commands.jobs",
    "backup": "cli.commands.backup",
    "restore": "cli.commands.restore",
    "secrets": "cli.commands.secrets",
    "keys": "cli.commands.keys",
    "openapi": "cli.commands.openapi",
}
"""For each command the module that has it as `command`."""


class LazyGroup(BilingualHelp, click.Group):
    """A group that imports a command when it is called, and not to list it.

    `table` has for each command the module that has it as `command`; `text` is the key of what the help page says
    first, `prefix` stands before the names of the commands in the keys of what is said of them.
    """

    def __init__(self, *args: Any, table: Mapping[str, str], text: str, prefix: str = "", **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        self.table = table
        self.text = text
        self.prefix = prefix

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the table."""
        return list(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now."""
        if cmd_name not in self.table:
            return None
        found: click.Command = import_module(self.table[cmd_name]).command
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names, or a refusal that lists them."""
        if args[0] not in self.table and not args[0].startswith("-"):
            raise NoSuchCommand(args[0], list(self.table), ctx)
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, then the commands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table, without importing anything."""
        locale = context_language(ctx)
        rows = [(name, translate(locale, f"usage.{self.prefix}{name.replace('-', '_')}.short")) for name in self.table]
        with formatter.section(translate(locale, "usage.heading.commands")):
            formatter.write_dl(rows)

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:  # noqa: ANN401  # as click has it
        """Run, and leave with exit code 2 and one sentence if something is wrong with the call."""
        kwargs["standalone_mode"] = False
        try:
            code = super().main(*args, **kwargs)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message())
            sys.exit(0)
        except click.UsageError as error:
            _exit_with_usage_error(error)
        except click.ClickException as error:
            error.show()
            sys.exit(error.exit_code)
        except click.Abort:
            sys.exit(130)
        sys.exit(code if isinstance(code, int) else 0)


def _exit_with_usage_error(error: click.UsageError) -> NoReturn:
    if error.ctx is None:
        error.show()
        sys.exit(error.exit_code)
    locale = context_language(error.ctx)
    see_help = translate(locale, "usage.see_help", path=error.ctx.command_path)
    click.echo(strip_control_characters(f"{usage_error_text(error, locale)} {see_help}"), err=True)
    sys.exit(error.exit_code)


@click.group(
    cls=LazyGroup, table=COMMANDS, text="usage.about", context_settings={"help_option_names": ["-h", "--help"]}
)
@bilingual_option("--lang", type=click.Choice(LOCALES), expose_value=False, text="usage.option.lang")
@click.version_option(
    package_name="echtra", message="%(prog)s %(version)s", cls=BilingualOption, text="usage.option.version"
)
def main() -> None:
    """Celtic board games by letter, by REST and here."""

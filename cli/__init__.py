"""The console script `echtra`: a table of commands, each imported when it is called.

To add a command, write `commands/<name>.py` and add its name to the table below; its help is in
`service/i18n/texts/usage.toml`. The match in the terminal is in `terminal_game/`.

Do not break this: a wrong call prints one sentence and exits with 2, never with a traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from cli.command import (
    BilingualHelp,
    BilingualOption,
    Refusal,
    context_language,
    environment_language,
    language_flag,
    language_option,
    strip_control_characters,
)
from cli.usage_errors import NoSuchCommand, usage_error_text
from service.i18n.catalogue import translate

COMMANDS = (
    *("play", "learn", "replay", "simulate", "cards"),
    *("serve", "web", "worker", "beat", "mail-door", "migrate", "demo"),
    *("verify", "tournament"),
    *(
        "check",
        "doctor",
        "rebuild",
        "house",
        "letters",
        "players",
        "jobs",
        "backup",
        "restore",
        "prove-backup",
        "secrets",
        "keys",
        "openapi",
    ),
)
"""Every command, in the order of the help page: games, processes, records, tools for operators."""


class LazyGroup(BilingualHelp, click.Group):
    """A group that imports a command only when it is called, not to list it.

    The command `mail-door` is `command` in `cli.commands.mail_door`. `text` is the key of the help page's first
    paragraph. `prefix` comes before the names of the commands in their modules and in the keys of their texts.
    """

    def __init__(self, *args: Any, names: Sequence[str], text: str, prefix: str = "", **kwargs: Any) -> None:  # noqa: ANN401
        super().__init__(*args, **kwargs)
        self.names = names
        self.text = text
        self.prefix = prefix

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.names)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command of this name."""
        if cmd_name not in self.names:
            return None
        command: click.Command = import_module(f"cli.commands.{self._full_name(cmd_name)}").command
        return command

    def _full_name(self, name: str) -> str:
        return self.prefix + name.replace("-", "_")

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command named by the first word, or refuse with a list of commands."""
        if args[0] not in self.names and not args[0].startswith("-"):
            raise NoSuchCommand(args[0], self.names, ctx)
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, then the commands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands without importing any."""
        locale = context_language(ctx)
        rows = [(name, translate(locale, f"usage.{self._full_name(name)}.short")) for name in self.names]
        with formatter.section(translate(locale, "usage.heading.commands")):
            formatter.write_dl(rows)

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:  # noqa: ANN401  # as click has it
        """Run the command. A wrong call prints one sentence and exits with code 2."""
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
        except Exception as error:  # noqa: BLE001  # raised again unless the database is down
            _exit_without_database(error)
        sys.exit(code if isinstance(code, int) else 0)


def _exit_with_usage_error(error: click.UsageError) -> NoReturn:
    if error.ctx is None:
        error.show()
        sys.exit(error.exit_code)
    locale = context_language(error.ctx)
    see_help = translate(locale, "usage.see_help", path=error.ctx.command_path)
    click.echo(strip_control_characters(f"{usage_error_text(error, locale)} {see_help}"), err=True)
    sys.exit(error.exit_code)


def _exit_without_database(error: Exception) -> NoReturn:
    """Report in one sentence that the database went away during a command. Raise any other error again."""
    database = sys.modules.get("service.db.connection")
    if database is None or not isinstance(error, database.DatabaseDown):
        raise error
    locale = language_option(sys.argv) or environment_language(os.environ)
    why = (str(error).strip().splitlines() or ["?"])[0].strip().rstrip(".")
    click.echo(strip_control_characters(translate(locale, "commands.preflight.unreachable", why=why)), err=True)
    sys.exit(Refusal.exit_code)


@click.group(
    cls=LazyGroup, names=COMMANDS, text="usage.about", context_settings={"help_option_names": ["-h", "--help"]}
)
@language_flag
@click.version_option(
    package_name="echtra", message="%(prog)s %(version)s", cls=BilingualOption, text="usage.option.version"
)
def main() -> None:
    """Celtic board games by email, over REST and in the terminal."""

"""The console script `echtra`: a table of commands, each imported when it is called."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any, NoReturn

import click

from cli.command import (
    LANG_HELP,
    Bilingual,
    Refusal,
    bilingual_option,
    context_language,
    remember_language,
    strip_control_characters,
    text_in,
    translate_headings,
)
from engine.words import LOCALES
from service.i18n.legacy.cli_french import translated

COMMANDS: dict[str, tuple[str, Bilingual]] = {
    "play": ("cli.commands.play", ("Play a whole match here.", "Jouer une partie entière ici.")),
    "learn": ("cli.commands.learn", ("Learn a game by a guided first match.", "Apprendre un jeu, une partie guidée.")),
    "replay": ("cli.commands.replay", ("Show a match file.", "Montrer une partie enregistrée.")),
    "simulate": ("cli.commands.simulate", ("Let bots play many matches.", "Faire jouer des robots en nombre.")),
    "cards": ("cli.commands.cards", ("Print the cards of a game.", "Afficher les cartes d'un jeu.")),
    "serve": ("cli.commands.serve", ("Run the whole service here.", "Faire tourner tout le service ici.")),
    "web": ("cli.commands.web", ("Run the web service alone.", "Faire tourner le seul service web.")),
    "worker": ("cli.commands.worker", ("Run one worker of many.", "Faire tourner un worker parmi d'autres.")),
    "beat": ("cli.commands.beat", ("Run the clock alone.", "Faire tourner la seule pendule.")),
    "mail-door": ("cli.commands.mail_door", ("Take replies by mail.", "Recevoir les réponses par courriel.")),
    "migrate": ("cli.commands.migrate", ("Bring the database up to date.", "Mettre la base de données à jour.")),
    "verify": ("cli.commands.verify", ("Verify records.", "Vérifier des registres.")),
    "doctor": ("cli.commands.doctor", ("Say what is wrong or stuck.", "Dire ce qui est faux ou bloqué.")),
    "rebuild": ("cli.commands.rebuild", ("Make the caches anew.", "Refaire les caches.")),
    "house": ("cli.commands.house", ("Decide about a match.", "Décider au sujet d'une partie.")),
    "keys": ("cli.commands.keys", ("Look at the server's keys.", "Voir les clés du serveur.")),
    "openapi": ("cli.commands.openapi", ("Write the OpenAPI document.", "Écrire le document OpenAPI.")),
}
"""For each command the module that has it as `command`, and what it does."""

ABOUT: Bilingual = (
    "Celtic board games by letter, by REST and here.",
    "Des jeux celtiques par lettre, par REST et ici.",
)
SEE_HELP: Bilingual = ("See: {path} --help", "Voir : {path} --help")


class LazyGroup(click.Group):
    """A group that imports a command when it is called, and not to list it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name, imported now."""
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = import_module(COMMANDS[cmd_name][0]).command
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names, or a refusal that lists them."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            known = ", ".join(COMMANDS)
            raise click.UsageError(
                text_in(
                    (
                        f"There is no command {args[0]}; there are: {known}.",
                        f"Il n'y a pas de commande {args[0]} ; il y a : {known}.",
                    ),
                    context_language(ctx),
                ),
                ctx,
            )
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As every group, once the language is known."""
        remember_language(ctx, args)
        return super().parse_args(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table, without importing anything."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text_in(said, context_language(ctx))) for name, (_, said) in COMMANDS.items()])

    def get_help(self, ctx: click.Context) -> str:
        """The help page in the language of the call."""
        self.help = text_in(ABOUT, context_language(ctx))
        return translate_headings(super().get_help(ctx), context_language(ctx))

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
    if isinstance(error, Refusal) or error.ctx is None:
        error.show()
        sys.exit(error.exit_code)
    locale = context_language(error.ctx)
    message = translated(error.format_message(), locale)
    click.echo(
        strip_control_characters(f"{message} {text_in(SEE_HELP, locale).format(path=error.ctx.command_path)}"), err=True
    )
    sys.exit(error.exit_code)


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@bilingual_option("--lang", type=click.Choice(LOCALES), expose_value=False, said=LANG_HELP)
@click.version_option(package_name="echtra", message="%(prog)s %(version)s")
def main() -> None:
    """Celtic board games by letter, by REST and here."""

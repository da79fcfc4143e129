"""Commands that explain themselves in English and French, and errors that say what to do next."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from engine.words import LOCALES, Locale

Bilingual = tuple[str, str]
"""The same text in English and in French."""

LANG_HELP: Bilingual = ("Language; otherwise as LANG says.", "Langue ; sinon celle de LANG.")
FRENCH_HEADINGS = (
    ("Usage: ", "Usage : "),
    ("Options:", "Options :"),
    ("Commands:", "Commandes :"),
    ("Show this message and exit.", "Afficher cette aide."),
    ("Show the version and exit.", "Afficher la version."),
)


class Refusal(click.ClickException):
    """What the user asked for cannot be done; one sentence says why and what to do next."""

    exit_code = 2

    def show(self, file: Any = None) -> None:  # noqa: ANN401  # as click has it
        """The sentence alone, on the error stream."""
        click.echo(strip_control_characters(self.message), file=file, err=file is None)


def strip_control_characters(text: str) -> str:
    """The text without control characters, which a strange file may have brought in."""
    return "".join(each if each.isprintable() or each == "\n" else "?" for each in text)


def language_option(args: Sequence[str]) -> Locale | None:
    """The language that `--lang` names among these words."""
    for at, word in enumerate(args):
        name, _, value = word.partition("=")
        wanted = value or "".join(args[at + 1 : at + 2])
        for locale in LOCALES:
            if name == "--lang" and wanted == locale:
                return locale
    return None


def environment_language(environ: Mapping[str, str]) -> Locale:
    """The language of the environment."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(name):
            return "fr" if environ[name].lower().startswith("fr") else "en"
    return "en"


def context_language(ctx: click.Context) -> Locale:
    """The language of this call."""
    found: Locale = ctx.meta.get("worker.locale", "en")
    return found


def remember_language(ctx: click.Context, args: Sequence[str]) -> None:
    """Note the language before anything is parsed, so that help and errors speak it too."""
    ctx.meta["worker.locale"] = (
        language_option(args) or ctx.meta.get("worker.locale") or environment_language(os.environ)
    )


def text_in(said: Bilingual, locale: Locale) -> str:
    """The text in this language."""
    return said[LOCALES.index(locale)]


def translate_headings(text: str, locale: Locale) -> str:
    """A help page with its headings in this language."""
    if locale == "fr":
        for english, french in FRENCH_HEADINGS:
            text = text.replace(english, french)
    return text


class BilingualOption(click.Option):
    """An option whose help exists in both languages."""

    def __init__(self, *args: Any, said: Bilingual, **kwargs: Any) -> None:  # noqa: ANN401  # what click.Option takes
        super().__init__(*args, **{**kwargs, "help": said[0]})
        self.said = said

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The row of the help page, in the language of the call."""
        self.help = text_in(self.said, context_language(ctx))
        return super().get_help_record(ctx)


class BilingualCommand(click.Command):
    """A command whose help exists in both languages."""

    def __init__(self, *args: Any, said: Bilingual, **kwargs: Any) -> None:  # noqa: ANN401  # what click.Command takes
        super().__init__(*args, **{**kwargs, "help": said[0]})
        self.said = said

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As every command, once the language is known."""
        remember_language(ctx, args)
        return super().parse_args(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        """The help page in the language of the call."""
        self.help = text_in(self.said, context_language(ctx))
        return translate_headings(super().get_help(ctx), context_language(ctx))


def bilingual_command(name: str, said: Bilingual) -> Callable[[Callable[..., Any]], BilingualCommand]:
    """A command with `--lang` and `--no-color`, its help in both languages."""

    def decorated(function: Callable[..., Any]) -> BilingualCommand:
        function = bilingual_option("--no-color", is_flag=True, said=("Print no colours.", "Afficher sans couleurs."))(
            function
        )
        function = bilingual_option(
            "--lang",
            "locale",
            type=click.Choice(LOCALES),
            callback=lambda ctx, _param, value: value or context_language(ctx),
            said=LANG_HELP,
        )(function)
        return click.command(name, cls=BilingualCommand, said=said)(function)

    return decorated


def bilingual_option(*names: str, said: Bilingual, **kwargs: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # noqa: ANN401
    """An option, its help in both languages."""
    return click.option(*names, cls=BilingualOption, said=said, **kwargs)


def program_name() -> str:
    """What to type for this program: its name where the shell finds it, else the way to it from here."""
    if shutil.which("echtra"):
        return "echtra"
    path = str(Path(sys.executable).with_name("echtra"))
    return min(path, os.path.relpath(path), key=len)

"""Commands that explain themselves in English and French, and errors that say what to do next."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from cli.usage_errors import ExtraWords, RejectedValue
from engine.words import LOCALES, Locale
from service.i18n.catalogue import translate

KEPT_SIGNS = "\n\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
"""Signs that Python does not call printable and that stand in our texts."""


class Refusal(click.ClickException):
    """What the user asked for cannot be done; one sentence says why and what to do next."""

    exit_code = 2

    def show(self, file: Any = None) -> None:  # noqa: ANN401  # as click has it
        """The sentence alone, on the error stream."""
        click.echo(strip_control_characters(self.message), file=file, err=file is None)


def refusal(locale: Locale, key: str, /, **values: object) -> Refusal:
    """An error that says the text of this key."""
    return Refusal(translate(locale, key, **values))


def strip_control_characters(text: str) -> str:
    """The text without control characters, which a strange file may have brought in."""
    return "".join(each if each.isprintable() or each in KEPT_SIGNS else "?" for each in text)


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


class BilingualParameter(click.Parameter):
    """A parameter that keeps a value which it does not take, so that the error can name it in each language."""

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:  # noqa: ANN401  # as click has it
        """As every parameter."""
        try:
            return super().type_cast_value(ctx, value)
        except click.BadParameter as error:
            words = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
            raise RejectedValue(error.message, ctx, self, words) from None


class BilingualArgument(BilingualParameter, click.Argument):
    """An argument whose errors exist in both languages."""


class BilingualOption(BilingualParameter, click.Option):
    """An option whose help and errors exist in both languages."""

    def __init__(self, *args: Any, text: str, **kwargs: Any) -> None:  # noqa: ANN401  # what click.Option takes
        super().__init__(*args, **kwargs)
        self.text = text

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """The row of the help page, in the language of the call."""
        self.help = translate(context_language(ctx), self.text)
        return super().get_help_record(ctx)


class BilingualHelp(click.Command):
    """A command whose help page exists in both languages; `text` is the key of what it says first."""

    text: str

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As every command, once the language is known."""
        remember_language(ctx, args)
        try:
            return super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            # Where click cannot know the command, it names neither it nor its language.
            error.ctx = error.ctx or ctx
            raise

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The first line, in the language of the call."""
        words = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, words, translate(context_language(ctx), "usage.heading.usage"))

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """What the command does."""
        self.help = translate(context_language(ctx), self.text)
        super().format_help_text(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options, one a row."""
        records = [each.get_help_record(ctx) for each in self.get_params(ctx) if isinstance(each, click.Option)]
        with formatter.section(translate(context_language(ctx), "usage.heading.options")):
            formatter.write_dl([record for record in records if record is not None])

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """The option that shows the help page."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = translate(context_language(ctx), "usage.option.help")
        return option


class BilingualCommand(BilingualHelp):
    """A command whose help and errors exist in both languages."""

    # Words that are too many are refused here, in the language of the call, and not by click.
    allow_extra_args = True

    def __init__(self, *args: Any, text: str, **kwargs: Any) -> None:  # noqa: ANN401  # what click.Command takes
        super().__init__(*args, **kwargs)
        self.text = text

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As every command; words that no parameter takes are refused."""
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise ExtraWords(rest, ctx)
        return rest


def bilingual_command(name: str, text: str) -> Callable[[Callable[..., Any]], BilingualCommand]:
    """A command with `--lang` and `--no-color`; `text` is the key of what its help page says first."""

    def decorated(function: Callable[..., Any]) -> BilingualCommand:
        function = bilingual_option("--no-color", is_flag=True, text="usage.option.no_color")(function)
        function = bilingual_option(
            "--lang",
            "locale",
            type=click.Choice(LOCALES),
            callback=lambda ctx, _param, value: value or context_language(ctx),
            text="usage.option.lang",
        )(function)
        return click.command(name, cls=BilingualCommand, text=text)(function)

    return decorated


def bilingual_option(*names: str, text: str, **kwargs: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # noqa: ANN401
    """An option; `text` is the key of its help."""
    return click.option(*names, cls=BilingualOption, text=text, **kwargs)


def program_name() -> str:
    """What to type for this program: its name where the shell finds it, else the way to it from here."""
    if shutil.which("echtra"):
        return "echtra"
    path = str(Path(sys.executable).with_name("echtra"))
    return min(path, os.path.relpath(path), key=len)

"""Commands that explain themselves in English and French, and errors that say what to do next."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from cli.usage_errors import ExtraWords, RejectedValue
from engine.words import LOCALES, Locale
from service.i18n.catalogue import translate

LANGUAGE = f"{__name__}.language"
"""Key of the language in click's context."""
FILE = click.Path(path_type=Path)
KEPT_SIGNS = "\n\N{NO-BREAK SPACE}\N{NARROW NO-BREAK SPACE}"
"""Characters of our texts that Python does not call printable."""


class Refusal(click.ClickException):
    """A call that cannot be carried out. One sentence says why, and what to do next."""

    exit_code = 2

    def show(self, file: Any = None) -> None:  # noqa: ANN401  # as click has it
        """Print the sentence alone on standard error."""
        click.echo(strip_control_characters(self.message), file=file, err=file is None)


def refusal(key: str, /, **values: object) -> Refusal:
    """Return a refusal with the text of this key, in the language of the call."""
    return Refusal(localise(key, **values))


@contextmanager
def refuse_problems() -> Iterator[None]:
    """Turn a `Problem` of the service into a refusal in the language of the call."""
    from service.problems import Problem

    try:
        yield
    except Problem as problem:
        raise Refusal(problem.detail_in(current_language())) from None


def strip_control_characters(text: str) -> str:
    """Replace control characters, which a file from elsewhere may contain, by question marks."""
    return "".join(each if each.isprintable() or each in KEPT_SIGNS else "?" for each in text)


def print_line(text: str) -> None:
    """Print a line that may quote text from elsewhere."""
    click.echo(strip_control_characters(text))


def language_option(args: Sequence[str]) -> Locale | None:
    """Return the language that `--lang` names among these arguments."""
    for position, word in enumerate(args):
        name, _, value = word.partition("=")
        wanted = value or "".join(args[position + 1 : position + 2])
        for locale in LOCALES:
            if name == "--lang" and wanted == locale:
                return locale
    return None


def environment_language(environ: Mapping[str, str]) -> Locale:
    """Return the language of the environment."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environ.get(name):
            return "fr" if environ[name].lower().startswith("fr") else "en"
    return "en"


def context_language(ctx: click.Context) -> Locale:
    """Return the language of a call."""
    locale: Locale = ctx.meta.get(LANGUAGE, "en")
    return locale


def current_language() -> Locale:
    """Return the language of the call under way in this thread."""
    return context_language(click.get_current_context())


def localise(key: str, /, **values: object) -> str:
    """Return the text of this key in the language of the call."""
    return translate(current_language(), key, **values)


def remember_language(ctx: click.Context, args: Sequence[str]) -> None:
    """Store the language before anything is parsed, so that help and usage errors use it too."""
    ctx.meta[LANGUAGE] = language_option(args) or ctx.meta.get(LANGUAGE) or environment_language(os.environ)


class BilingualParameter(click.Parameter):
    """A parameter that keeps the value it rejects, so that the error can name it in each language."""

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:  # noqa: ANN401  # as click has it
        """Convert a value as click does."""
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
        """Return the row of the help page, in the language of the call."""
        self.help = translate(context_language(ctx), self.text)
        return super().get_help_record(ctx)


class BilingualHelp(click.Command):
    """A command whose help page exists in both languages; `text` is the key of its first paragraph."""

    text: str

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as click does, once the language is known."""
        remember_language(ctx, args)
        try:
            return super().parse_args(ctx, args)
        except click.BadOptionUsage as error:
            # Click's parser does not set the context, without which the error has no command and no language.
            error.ctx = error.ctx or ctx
            raise

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the first line, in the language of the call."""
        words = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, words, translate(context_language(ctx), "usage.heading.usage"))

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does."""
        self.help = translate(context_language(ctx), self.text)
        super().format_help_text(ctx, formatter)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, one a row."""
        records = [each.get_help_record(ctx) for each in self.get_params(ctx) if isinstance(each, click.Option)]
        with formatter.section(translate(context_language(ctx), "usage.heading.options")):
            formatter.write_dl([record for record in records if record is not None])

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the option that shows the help page."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.help = translate(context_language(ctx), "usage.option.help")
        return option


class BilingualCommand(BilingualHelp):
    """A command whose help and errors exist in both languages."""

    # Extra words are refused below, in the language of the call, because click refuses them in English.
    allow_extra_args = True

    def __init__(self, *args: Any, text: str, **kwargs: Any) -> None:  # noqa: ANN401  # what click.Command takes
        super().__init__(*args, **kwargs)
        self.text = text

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse as every command does, but refuse words that no parameter takes."""
        rest = super().parse_args(ctx, args)
        if rest and not ctx.resilient_parsing:
            raise ExtraWords(rest, ctx)
        return rest


def bilingual_command(name: str, text: str) -> Callable[[Callable[..., Any]], BilingualCommand]:
    """Declare a command with `--lang` and `--no-color`; `text` is the key of its help page.

    Neither option is a parameter of the function: `current_language` and `is_plain` return them.
    """

    def decorate(function: Callable[..., Any]) -> BilingualCommand:
        no_color = bilingual_option(
            "--no-color", is_flag=True, expose_value=False, callback=_forbid_color, text="usage.option.no_color"
        )
        return click.command(name, cls=BilingualCommand, text=text)(language_flag(no_color(function)))

    return decorate


def _forbid_color(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value:
        ctx.color = False


def is_plain() -> bool:
    """Return True if `--no-color` or the environment forbids colours."""
    return click.get_current_context().color is False or bool(os.environ.get("NO_COLOR"))


def bilingual_option(*names: str, text: str, **kwargs: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # noqa: ANN401
    """Declare an option; `text` is the key of its help."""
    return click.option(*names, cls=BilingualOption, text=text, **kwargs)


language_flag = bilingual_option("--lang", type=click.Choice(LOCALES), expose_value=False, text="usage.option.lang")
"""The option `--lang` of commands and groups; `remember_language` reads it before anything is parsed."""


def program_name() -> str:
    """Return what to type for this program: its name if the shell finds it, otherwise the shortest path to it."""
    if shutil.which("echtra"):
        return "echtra"
    path = str(Path(sys.executable).with_name("echtra"))
    return min(path, os.path.relpath(path), key=len)

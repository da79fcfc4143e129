"""Usage errors in the language of the call, built from the fields of click's errors, not from its sentences."""

from __future__ import annotations

from collections.abc import Sequence

import click

from engine.words import Locale
from service.i18n.catalogue import Message, msg, render


class RejectedValue(click.BadParameter):
    """A value that its parameter does not take."""

    def __init__(self, message: str, ctx: click.Context, param: click.Parameter, value: str) -> None:
        super().__init__(message, ctx, param)
        self.value = value


class ExtraWords(click.UsageError):
    """Words that no parameter takes."""

    def __init__(self, words: Sequence[str], ctx: click.Context) -> None:
        self.sentence = msg("usage.error.extra_words", count=len(words), words=" ".join(words))
        super().__init__(str(self.sentence), ctx)


class NoSuchCommand(click.UsageError):
    """A word that does not name a command."""

    def __init__(self, name: str, known: Sequence[str], ctx: click.Context) -> None:
        self.sentence = msg("usage.error.no_command", name=name, known=", ".join(known))
        super().__init__(str(self.sentence), ctx)


def usage_error_text(error: click.UsageError, locale: Locale) -> str:
    """Return the error of a call; in English click's own sentence, which may add a suggestion."""
    message = None if locale == "en" else usage_error_message(error)
    return error.format_message() if message is None else render(message, locale)


def usage_error_message(error: click.UsageError) -> Message | None:
    """Return the error of a call as a message, or None for errors that our commands cannot cause."""
    match error:
        case ExtraWords() | NoSuchCommand():
            return error.sentence
        case click.NoSuchOption():
            return msg("usage.error.no_option", option=error.option_name)
        case click.BadOptionUsage():
            key = "usage.error.needs_value" if _takes_value(error) else "usage.error.no_value"
            return msg(key, option=error.option_name)
        case click.MissingParameter(param=click.Parameter() as missing):
            return msg("usage.error.missing", parameter=_parameter_name(missing, error))
        case RejectedValue(param=click.Parameter() as rejecting):
            return _rejected_value_message(_parameter_name(rejecting, error), rejecting.type, error.value)
    return None


def _takes_value(error: click.BadOptionUsage) -> bool:
    options = error.ctx.command.params if error.ctx else []
    return any(
        isinstance(each, click.Option) and error.option_name in each.opts and not each.is_flag for each in options
    )


def _parameter_name(parameter: click.Parameter, error: click.UsageError) -> str:
    return parameter.get_error_hint(error.ctx).strip("'")


def _rejected_value_message(name: str, kind: click.ParamType, value: str) -> Message | None:
    if isinstance(kind, click.Choice):
        choices = ", ".join(map(repr, kind.choices))
        return msg("usage.error.not_one_of", parameter=name, value=value, choices=choices)
    if isinstance(kind, click.IntRange) and _is_whole_number(value):
        return msg("usage.error.out_of_range", parameter=name, value=int(value), range=_range_text(kind))
    if isinstance(kind, type(click.INT)):
        return msg("usage.error.not_a_number", parameter=name, value=value)
    return None


def _is_whole_number(text: str) -> bool:
    try:
        int(text)
    except ValueError:
        return False
    return True


def _range_text(kind: click.IntRange) -> str:
    """Return the bounds as click writes them. Both are inclusive in our commands."""
    if kind.max is None:
        return f"x>={kind.min}"
    return f"x<={kind.max}" if kind.min is None else f"{kind.min}<=x<={kind.max}"

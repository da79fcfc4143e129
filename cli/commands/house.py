"""`echtra house`: what the operator decides about a match."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import Refusal, bilingual_command, bilingual_option, refusal
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale


@bilingual_command("house", "usage.house.about")
@click.argument("match")
@click.argument("line", nargs=-1)
@bilingual_option("--seat", type=int, metavar="N", text="usage.house.seat")
@bilingual_option("--due", metavar="TIME", text="usage.house.due")
def command(
    match: str,
    line: tuple[str, ...],
    seat: int | None,
    due: str | None,
    locale: Locale,
    no_color: bool,  # noqa: ARG001  # every command takes it
) -> None:
    """Write a decision of the house."""
    from cli import preflight
    from service.matches.arbiter_decisions import arbiter_for_operator
    from service.problems import Problem

    if bool(line) == (seat is not None and due is not None) or (seat is None) != (due is None):
        raise refusal(locale, "commands.house.one", match=match)
    until = preflight.parse_time(due, locale) if due else 0
    config = preflight.load_config(locale)
    preflight.check_database(config, locale)
    try:
        desk = arbiter_for_operator(match, config)
        made = desk.decide(" ".join(line)) if line else desk.extend(seat or 0, until)
    except Problem as error:
        raise Refusal(error.detail_in(locale)) from None
    click.echo(translate(locale, "commands.house.done", seq=made.seq, lines=", ".join(made.lines)))

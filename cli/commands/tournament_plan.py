"""`echtra tournament plan`: what a document would do, nothing written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, bilingual_option
from service.i18n.catalogue import render, translate

if TYPE_CHECKING:
    from engine.words import Locale
    from service.tournaments.lifecycle import TournamentPlan


@bilingual_command("plan", "usage.tournament_plan.about")
@click.argument("file", type=click.Path(path_type=Path))
@bilingual_option("--as", "player", required=True, metavar="PLAYER", text="usage.tournament_plan.as")
def command(file: Path, player: str, locale: Locale, no_color: bool) -> int:
    """Say what a document would do."""
    from cli.tournament_access import find_organiser, open_database, read_document_file, refuse_problems
    from service.tournaments.lifecycle import plan_tournament

    config = open_database(locale)
    organiser = find_organiser(player, locale)
    document = read_document_file(file, organiser, config, locale)
    with refuse_problems(locale):
        plan = plan_tournament(organiser, document, config)
    print_plan(plan, locale, no_color=no_color)
    return 0


def print_plan(plan: TournamentPlan, locale: Locale, *, no_color: bool) -> None:
    """Print a plan: whom it takes, when its rounds are, what would change, and what to know first."""
    from cli.terminal import Terminal
    from cli.tournament_access import format_time

    def say(key: str, **values: object) -> str:
        return translate(locale, f"commands.tournament.plan.{key}", **values)

    terminal = Terminal(locale, no_color=no_color)
    changed = "same" if plan.tournament and not plan.differences else "change" if plan.tournament else "new"
    terminal.prose(say(changed, name=plan.name, tournament=plan.tournament))
    if plan.taken:
        terminal.prose(say("people"))
        terminal.points(f"{text}: {name} ({id_})" for text, (id_, name) in plan.taken.items())
    if plan.rounds:
        header = [say("stage"), say("round"), say("starts"), say("ends")]
        rows = [
            [each.stage, str(each.number), format_time(each.starts_at, locale), format_time(each.ends_at, locale)]
            for each in plan.rounds
        ]
        terminal.grid(say("rounds"), header, rows, left=len(header))
    if plan.differences:
        terminal.prose(say("differences"))
        terminal.points(
            say(
                "difference" if each.allowed else "begun",
                path=each.path,
                before=json.dumps(each.before, ensure_ascii=False),
                after=json.dumps(each.after, ensure_ascii=False),
            )
            for each in plan.differences
        )
    for warning in plan.warnings:
        terminal.prose(render(warning, locale))
    terminal.prose(say("etag", etag=plan.etag))

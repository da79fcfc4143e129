"""`echtra tournament plan`: what a document would do, nothing written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, bilingual_option
from service.i18n.catalogue import render, translate

if TYPE_CHECKING:
    from cli.terminal import Terminal
    from engine.words import Locale
    from service.tournaments.lifecycle import TournamentPlan
    from service.tournaments.views.forecast import TournamentForecast


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
    if plan.occurrences:
        rows = [[each.name, format_time(each.starts_at, locale)] for each in plan.occurrences]
        terminal.grid(say("repetitions"), [say("name"), say("starts")], rows, left=2)
    print_forecast(plan.forecast, terminal, locale)
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


def print_forecast(forecast: TournamentForecast, terminal: Terminal, locale: Locale) -> None:
    """Print when rounds and the whole will be over, who is away then, and who most likely holds them up."""
    from cli.tournament_access import format_time

    def say(key: str, **values: object) -> str:
        return translate(locale, f"commands.tournament.forecast.{key}", **values)

    if forecast.reason is not None or forecast.ends is None:
        terminal.prose(say("unknown", reason=render(forecast.reason, locale) if forecast.reason else ""))
        return

    def show(moment: int | None) -> str:
        return say("no_bound") if moment is None else format_time(moment, locale)

    header = [say("round"), say("early"), say("middle"), say("late"), say("bound")]
    rows = [
        [f"{each.stage}:{each.number}", *map(show, (each.ends.early, each.ends.middle, each.ends.late, each.bound))]
        for each in forecast.rounds
    ]
    whole = forecast.ends
    rows.append([say("whole"), *map(show, (whole.early, whole.middle, whole.late, forecast.bound))])
    terminal.grid(say("title"), header, rows, left=len(header))
    if not forecast.own_times:
        terminal.prose(say("others_times"))
    terminal.points(
        [
            *(say("clash", name=each.name, round=f"{each.stage}:{each.number}") for each in forecast.clashes),
            *(
                say("slow", name=each.name, round=f"{each.stage}:{each.number}", percent=each.percent)
                for each in forecast.slowest
            ),
        ]
    )

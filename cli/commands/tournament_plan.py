"""`echtra tournament plan`: print what a document would do, without doing it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import FILE, bilingual_command, bilingual_option, localise, refuse_problems
from service.i18n.catalogue import render

if TYPE_CHECKING:
    from cli.terminal import Terminal
    from service.tournaments.lifecycle import TournamentPlan
    from service.tournaments.views.forecast import TournamentForecast


@bilingual_command("plan", "usage.tournament_plan.about")
@click.argument("file", type=FILE)
@bilingual_option("--as", "player", required=True, metavar="PLAYER", text="usage.tournament_plan.as")
def command(file: Path, player: str) -> None:
    """Print what a document would do."""
    from cli.preflight import open_database
    from cli.terminal import Terminal
    from cli.tournament_access import find_player, read_document_file
    from service.tournaments.lifecycle import plan_tournament

    config = open_database()
    organiser = find_player(player)
    document = read_document_file(file, organiser, config)
    with refuse_problems():
        plan = plan_tournament(organiser, document, config)
    _print_plan(plan, Terminal())


def _print_plan(plan: TournamentPlan, terminal: Terminal) -> None:
    """Print who would take part, when the rounds are, what would change, and the warnings."""
    from cli.tournament_access import format_time

    def say(key: str, **values: object) -> str:
        return localise(f"commands.tournament.plan.{key}", **values)

    show = partial(format_time, zone=plan.document.zone)
    changed = "same" if plan.tournament and not plan.differences else "change" if plan.tournament else "new"
    terminal.prose(say(changed, name=plan.name, tournament=plan.tournament))
    if plan.taken:
        terminal.prose(say("people"))
        terminal.points(f"{text}: {name} ({id_})" for text, (id_, name) in plan.taken.items())
    if plan.rounds:
        header = [say("stage"), say("round"), say("starts"), say("ends")]
        rows = [[each.stage, str(each.number), show(each.starts_at), show(each.ends_at)] for each in plan.rounds]
        terminal.grid(say("rounds"), header, rows, left=len(header))
    if plan.occurrences:
        rows = [[each.name, show(each.starts_at)] for each in plan.occurrences]
        terminal.grid(say("repetitions"), [say("name"), say("starts")], rows, left=2)
    _print_forecast(plan.forecast, terminal, plan.document.zone)
    if plan.outlooks:
        header = [say("entrants"), say("rounds"), say("middle"), say("bound")]
        rows = [
            [str(each.entrants), str(each.rounds), show(ends.middle if ends else None), show(each.forecast.bound)]
            for each in plan.outlooks
            for ends in [each.forecast.ends]
        ]
        terminal.grid(say("outlook"), header, rows, left=len(header))
    if len({each.rounds for each in plan.outlooks}) > 1:
        few, many = plan.outlooks
        counts = {"rounds": few.rounds, "least": few.entrants, "more": many.rounds, "most": many.entrants}
        terminal.prose(say("depends", **counts))
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
        terminal.prose(render(warning, terminal.locale))
    terminal.prose(say("etag", etag=plan.etag))


def _print_forecast(forecast: TournamentForecast, terminal: Terminal, zone: str) -> None:
    """Print when the rounds and the tournament will be over, who is away then, and who will probably be slowest."""
    from cli.tournament_access import format_time

    def say(key: str, **values: object) -> str:
        return localise(f"commands.tournament.forecast.{key}", **values)

    if forecast.reason is not None or forecast.ends is None:
        terminal.prose(say("unknown", reason=render(forecast.reason, terminal.locale) if forecast.reason else ""))
        return

    def show(moment: int | None) -> str:
        return say("no_bound") if moment is None else format_time(moment, zone)

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

"""`echtra tournament standings`: the standings of a stage, and why they are so."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, bilingual_option
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale
    from service.db.models.tournaments import TournamentRow


@bilingual_command("standings", "usage.tournament_standings.about")
@click.argument("name")
@bilingual_option("--stage", default="", metavar="STAGE", text="usage.tournament_standings.stage")
@bilingual_option("--why", is_flag=True, text="usage.tournament_standings.why")
@bilingual_option("--json", "as_json", is_flag=True, text="usage.tournament_verify.json")
def command(  # one parameter an option
    name: str, stage: str, why: bool, as_json: bool, locale: Locale, no_color: bool
) -> int:
    """Print the standings of a stage."""
    from cli.tournament_access import find_named, open_database, refuse_problems
    from service.tournaments.views import overview

    open_database(locale)
    row = find_named(name, locale)
    with refuse_problems(locale):
        found = overview.find_stage(row.id, stage)
    _print_stage(row, found.name, locale, why=why, as_json=as_json, no_color=no_color)
    return 0


def _print_stage(row: TournamentRow, stage: str, locale: Locale, *, why: bool, as_json: bool, no_color: bool) -> None:
    from cli.terminal import Terminal
    from cli.tournament_files import print_standings, standing_as_json
    from service.tournaments.rounds.standings import rank_stage
    from service.tournaments.tournament_store import load_state
    from service.tournaments.views import overview

    sections = rank_stage(load_state(row.id), stage)
    source = overview.export_source(row, locale)
    numbers = [line.number for lines in sections for line in lines]
    reasons = overview.explain_lines(row, stage, numbers, locale) if why else {}
    if as_json:
        shown = [
            [
                {
                    **standing_as_json(line, {}),
                    "player": source.state.holders[line.number],
                    "name": source.name_of(line.number),
                    **({"why": reasons[line.number].summary} if line.number in reasons else {}),
                }
                for line in lines
            ]
            for lines in sections
        ]
        click.echo(json.dumps({"stage": stage, "sections": shown}, ensure_ascii=False, indent=2))
        return
    terminal = Terminal(locale, no_color=no_color)
    if not numbers:
        terminal.prose(translate(locale, "commands.tournament.no_standings"))
    for number, lines in enumerate(sections, 1):
        key = "commands.tournament.section" if len(sections) > 1 else "commands.tournament.stage"
        title = translate(locale, key, stage=stage, section=number)
        print_standings(terminal, title, lines, source.name_of, {})
    for number, reason in reasons.items():
        terminal.heading(source.name_of(number))
        terminal.prose(reason.summary)
        terminal.points(reason.details)

"""`echtra tournament standings`: the standings of a stage, and the reasons for the order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, bilingual_option, current_language, localise, refuse_problems

if TYPE_CHECKING:
    from service.db.models.tournaments import TournamentRow


@bilingual_command("standings", "usage.tournament_standings.about")
@click.argument("name")
@bilingual_option("--stage", default="", metavar="STAGE", text="usage.tournament_standings.stage")
@bilingual_option("--why", is_flag=True, text="usage.tournament_standings.why")
@bilingual_option("--json", "as_json", is_flag=True, text="usage.tournament_verify.json")
def command(name: str, stage: str, why: bool, as_json: bool) -> None:
    """Print the standings of a stage."""
    from cli.preflight import open_database
    from cli.tournament_access import find_tournament
    from service.tournaments.views import overview

    open_database()
    row = find_tournament(name)
    with refuse_problems():
        stage = overview.find_stage(row.id, stage).name
    _print_stage(row, stage, why=why, as_json=as_json)


def _print_stage(row: TournamentRow, stage: str, *, why: bool, as_json: bool) -> None:
    from cli.standings_tables import print_standings, standing_as_json
    from cli.terminal import Terminal
    from service.tournaments.rounds.standings import rank_stage
    from service.tournaments.tournament_store import load_state
    from service.tournaments.views import overview

    sections = rank_stage(load_state(row.id), stage)
    source = overview.export_source(row, current_language())
    numbers = [line.number for lines in sections for line in lines]
    reasons = overview.explain_lines(row, stage, numbers, current_language()) if why else {}
    if as_json:
        shown = [
            [
                {
                    **standing_as_json(line),
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
    terminal = Terminal()
    if not numbers:
        terminal.prose(localise("commands.tournament.no_standings"))
    for number, lines in enumerate(sections, 1):
        key = "commands.tournament.section" if len(sections) > 1 else "commands.tournament.stage"
        title = localise(key, stage=stage, section=number)
        print_standings(terminal, title, lines, source.name_of)
    for number, reason in reasons.items():
        terminal.heading(source.name_of(number))
        terminal.prose(reason.summary)
        terminal.points(reason.details)

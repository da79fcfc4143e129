"""`echtra tournament show`: the state of a tournament, or a list of all."""

from __future__ import annotations

import click

from cli.command import bilingual_command, localise

MOST_LISTED = 100


@bilingual_command("show", "usage.tournament_show.about")
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Show a tournament, or list all."""
    from cli.preflight import open_database

    open_database()
    if name is None:
        _list_all()
    else:
        _show_one(name)


def _list_all() -> None:
    from cli.terminal import print_list
    from service.db.models.tournaments import TournamentRow

    columns = ("id", "name", "game", "state")
    rows = TournamentRow.select().order_by(TournamentRow.created_at.desc()).limit(MOST_LISTED)
    shown = [[getattr(row, column) for column in columns] for row in rows]
    header = [localise(f"commands.tournament.column.{column}") for column in columns]
    print_list(header, shown, empty=localise("commands.tournament.empty"))


def _show_one(name: str) -> None:
    from cli.terminal import Terminal
    from cli.tournament_access import find_tournament, format_time
    from service.tournaments.formats.tournament_state import IN
    from service.tournaments.views import overview

    def say(key: str, **values: object) -> str:
        return localise(f"commands.tournament.{key}", **values)

    terminal, row = Terminal(), find_tournament(name)
    count = overview.count_entrants([row.id])[row.id].get(IN, 0)
    title = overview.title_of(row, terminal.locale)
    values = {"title": title, "name": row.name, "tournament": row.id, "state": row.state}
    terminal.prose(say("shown", **values, entrants=count, seq=row.head_seq, digits=overview.head_digits(row)))
    rounds = overview.list_rounds(row)
    if rounds:
        header = [say("plan.stage"), say("plan.round"), say("column.state"), say("plan.starts"), say("column.results")]
        rows = [
            [
                each.stage,
                str(each.number),
                each.state,
                format_time(each.started_at or each.starts_at),
                f"{each.finished}/{each.tables}",
            ]
            for each in rounds
        ]
        terminal.grid(say("plan.rounds"), header, rows, left=4)
    terminal.points(
        say("repeats", stage=each.stage, round=each.number, count=each.repeats) for each in rounds if each.repeats
    )

"""`echtra tournament show`: where a tournament stands, or which there are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from cli.terminal import Terminal
    from engine.words import Locale

MOST_LISTED = 100


@bilingual_command("show", "usage.tournament_show.about")
@click.argument("name", required=False)
def command(name: str | None, locale: Locale, no_color: bool) -> int:
    """Show a tournament, or list all."""
    from cli.terminal import Terminal
    from cli.tournament_access import open_database

    open_database(locale)
    terminal = Terminal(locale, no_color=no_color)
    if name is None:
        _list_all(terminal)
    else:
        _show_one(name, terminal)
    return 0


def _list_all(terminal: Terminal) -> None:
    from service.db.models.tournaments import TournamentRow

    locale = terminal.locale
    rows = list(TournamentRow.select().order_by(TournamentRow.created_at.desc()).limit(MOST_LISTED))
    if not rows:
        terminal.prose(translate(locale, "commands.tournament.empty"))
        return
    columns = ("id", "name", "game", "state")
    header = [translate(locale, f"commands.tournament.column.{column}") for column in columns]
    terminal.grid("", header, [[getattr(row, column) for column in columns] for row in rows], left=len(header))


def _show_one(name: str, terminal: Terminal) -> None:
    from cli.tournament_access import find_named, format_time
    from service.tournaments.formats.tournament_state import IN
    from service.tournaments.views import overview

    locale = terminal.locale

    def say(key: str, **values: object) -> str:
        return translate(locale, f"commands.tournament.{key}", **values)

    row = find_named(name, locale)
    count = overview.count_entrants([row.id])[row.id].get(IN, 0)
    values = {"title": overview.title_of(row, locale), "name": row.name, "tournament": row.id, "state": row.state}
    terminal.prose(say("shown", **values, entrants=count, seq=row.head_seq, digits=overview.head_digits(row)))
    rounds = overview.list_rounds(row)
    if rounds:
        header = [say("plan.stage"), say("plan.round"), say("column.state"), say("plan.starts"), say("column.results")]
        rows = [
            [
                each.stage,
                str(each.number),
                each.state,
                format_time(each.started_at or each.starts_at, locale),
                f"{each.finished}/{each.tables}",
            ]
            for each in rounds
        ]
        terminal.grid(say("plan.rounds"), header, rows, left=4)
    terminal.points(
        say("repeats", stage=each.stage, round=each.number, count=each.repeats) for each in rounds if each.repeats
    )

"""Standings as commands print them, as tables and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from cli.command import localise

if TYPE_CHECKING:
    from cli.terminal import Terminal
    from service.tournaments.formats.tiebreaks import Standing
    from service.tournaments.formats.verify import TournamentReport

MOST_SHOWN = 50
NAME_COLUMN = 2
COLUMN_GAP = 2
LEAST_NAME = 8


def standing_as_json(line: Standing, codes: Mapping[str, str] = {}) -> dict[str, Any]:
    """Return a line of the standings with points and ties as decimals. `codes` are other names for some ties."""
    from service.tournaments.formats.points import show_points

    return {
        "rank": line.rank,
        "number": line.number,
        "points": show_points(line.points),
        "ties": {codes.get(name, name): show_points(value) for name, value in line.values.items()},
    }


def print_standings(
    terminal: Terminal,
    title: str,
    lines: Sequence[Standing],
    name_of: Callable[[int], str],
    codes: Mapping[str, str] = {},
) -> None:
    """Print standings as a table: rank, name, points and every tie-break, at most the first 50."""
    from service.tournaments.views.derivations import format_units

    locale = terminal.locale
    header = [localise(f"commands.tournament.column.{name}") for name in ("rank", "number", "name", "points")]
    header += [codes.get(name, name) for name in (lines[0].ties if lines else ())]
    rows = [
        [
            str(line.rank),
            str(line.number),
            name_of(line.number),
            format_units(line.points, locale),
            *(format_units(value, locale) for value in line.tie_values),
        ]
        for line in lines[:MOST_SHOWN]
    ]
    for number, columns in enumerate(_fit_columns(header, rows, terminal.width)):
        cut = [[row[column] for column in columns] for row in (header, *rows)]
        terminal.grid("" if number else title, cut[0], _shorten_names(cut[0], cut[1:], terminal.width), left=3)
    if len(lines) > MOST_SHOWN:
        terminal.prose(localise("commands.tournament.more", count=len(lines) - MOST_SHOWN))


def print_report_standings(terminal: Terminal, report: TournamentReport, name_of: Callable[[str], str]) -> None:
    """Print the standings of every stage of a verified tournament; `name_of` returns the name for an entrant's id."""

    def say(key: str, **values: object) -> str:
        return localise(f"commands.tournament.{key}", **values)

    def holder(number: int) -> str:
        return name_of(report.holders[number])

    for name, rankings in report.rankings.items():
        for section, ranking in enumerate(rankings, 1):
            title = say("section", stage=name, section=section) if len(rankings) > 1 else say("stage", stage=name)
            print_standings(terminal, title, ranking.standings, holder)
    header = [say("column.rank"), say("column.number"), say("column.name")]
    for name, places in report.places.items():
        rows = [[str(place), str(number), holder(number)] for place, number in places]
        terminal.grid(say("stage", stage=name), header, rows, left=3)
    for name, order in report.ladders.items():
        ladder = [[str(at), str(number), holder(number)] for at, number in enumerate(order, 1)]
        terminal.grid(say("stage", stage=name), header, ladder, left=3)


def _fit_columns(header: list[str], rows: list[list[str]], width: int) -> list[list[int]]:
    """Distribute the columns over tables that fit this width; each table repeats rank, number, name and points."""
    wide = [max(map(len, column)) + COLUMN_GAP for column in zip(header, *rows, strict=True)]
    wide[NAME_COLUMN] = min(wide[NAME_COLUMN], LEAST_NAME + COLUMN_GAP)
    first = list(range(NAME_COLUMN + 2))
    tables = [list(first)]
    for column in range(len(first), len(header)):
        if sum(wide[each] for each in (*tables[-1], column)) > width + COLUMN_GAP and len(tables[-1]) > len(first):
            tables.append(list(first))
        tables[-1].append(column)
    return tables


def _shorten_names(header: list[str], rows: list[list[str]], width: int) -> list[list[str]]:
    """Shorten names so that every column of numbers fits this width."""
    others = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    del others[NAME_COLUMN]
    room = max(width - sum(others) - COLUMN_GAP * len(others), LEAST_NAME)
    return [
        [cell if at != NAME_COLUMN or len(cell) <= room else f"{cell[: room - 1]}…" for at, cell in enumerate(row)]
        for row in rows
    ]

"""Files of tournaments as commands read them, and standings as commands print them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.command import refusal

if TYPE_CHECKING:
    from cli.terminal import Terminal
    from engine.words import Locale
    from service.tournaments.formats.tiebreaks import Standing
    from service.tournaments.formats.verify import TournamentReport

MOST_BYTES = 256 * 1024 * 1024
MOST_SHOWN = 50
NAME_COLUMN = 2
COLUMN_GAP = 2
LEAST_NAME = 8


def read_tournament_file(path: Path, locale: Locale, most: int = MOST_BYTES) -> bytes:
    """The bytes of a file; a file that is not there, not readable or too large is refused in a sentence."""
    try:
        if path.stat().st_size > most:
            raise refusal(locale, "commands.tournament.too_large", path=path, most=most // 1024)
        return path.read_bytes()
    except FileNotFoundError:
        raise refusal(locale, "commands.match_file.missing", path=path) from None
    except OSError as error:
        raise refusal(locale, "commands.match_file.unreadable", path=path, why=error.strerror or error) from None


def standing_as_json(line: Standing, codes: Mapping[str, str]) -> dict[str, Any]:
    """A line of the standings, points and ties as decimals; `codes` are other names for some ties."""
    from service.tournaments.formats.points import show_points

    return {
        "rank": line.rank,
        "number": line.number,
        "points": show_points(line.points),
        "ties": {codes.get(name, name): show_points(value) for name, value in line.values.items()},
    }


def print_standings(
    terminal: Terminal, title: str, lines: Iterable[Standing], name_of: Callable[[int], str], codes: Mapping[str, str]
) -> None:
    """Standings as a table: rank, name, points and every tie-break; only the first of many."""
    from service.i18n.catalogue import translate
    from service.tournaments.views.derivations import format_units

    found = list(lines)
    locale = terminal.locale
    ties = found[0].ties if found else ()
    names = ("rank", "number", "name", "points")
    header = [translate(locale, f"commands.tournament.column.{name}") for name in names]
    rows = [
        [
            str(line.rank),
            str(line.number),
            name_of(line.number),
            format_units(line.points, locale),
            *(format_units(value, locale) for value in line.tie_values),
        ]
        for line in found[:MOST_SHOWN]
    ]
    header += [codes.get(name, name) for name in ties]
    for at, columns in enumerate(_fit_columns(header, rows, terminal.width)):
        cut = [[row[column] for column in columns] for row in (header, *rows)]
        terminal.grid("" if at else title, cut[0], _shorten_names(cut[0], cut[1:], terminal.width), left=3)
    if len(found) > MOST_SHOWN:
        terminal.prose(translate(locale, "commands.tournament.more", count=len(found) - MOST_SHOWN))


def print_report_standings(terminal: Terminal, report: TournamentReport, name_of: Callable[[str], str]) -> None:
    """The standings of every stage of a verified tournament; `name_of` says what an entrant's id is shown as."""
    from service.i18n.catalogue import translate

    def say(key: str, **values: object) -> str:
        return translate(terminal.locale, f"commands.tournament.{key}", **values)

    def holder(number: int) -> str:
        return name_of(report.holders[number])

    for name, rankings in report.rankings.items():
        for section, ranking in enumerate(rankings, 1):
            title = say("section", stage=name, section=section) if len(rankings) > 1 else say("stage", stage=name)
            print_standings(terminal, title, ranking.standings, holder, {})
    header = [say("column.rank"), say("column.number"), say("column.name")]
    for name, places in report.places.items():
        rows = [[str(place), str(number), holder(number)] for place, number in places]
        terminal.grid(say("stage", stage=name), header, rows, left=3)
    for name, order in report.ladders.items():
        ladder = [[str(at), str(number), holder(number)] for at, number in enumerate(order, 1)]
        terminal.grid(say("stage", stage=name), header, ladder, left=3)


def _fit_columns(header: list[str], rows: list[list[str]], width: int) -> list[list[int]]:
    """Which columns go into one table, so that none is lost at this width: each has rank, number, name and points."""
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
    """The rows with names cut so far that no column of numbers is lost at this width."""
    others = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    del others[NAME_COLUMN]
    room = max(width - sum(others) - COLUMN_GAP * len(others), LEAST_NAME)
    return [
        [cell if at != NAME_COLUMN or len(cell) <= room else f"{cell[: room - 1]}…" for at, cell in enumerate(row)]
        for row in rows
    ]

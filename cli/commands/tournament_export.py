"""`echtra tournament export`: a tournament as a file: its record, or for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, bilingual_option, refusal

if TYPE_CHECKING:
    from engine.words import Locale

KINDS = ("record", "csv", "json", "trf")


@bilingual_command("export", "usage.tournament_export.about")
@click.argument("name")
@bilingual_option("--as", "kind", type=click.Choice(KINDS), default="record", text="usage.tournament_export.as")
@bilingual_option("--stage", default="", metavar="STAGE", text="usage.tournament_standings.stage")
@bilingual_option("--out", type=click.Path(path_type=Path), metavar="FILE", text="usage.tournament_export.out")
def command(  # one parameter an option
    name: str,
    kind: str,
    stage: str,
    out: Path | None,
    locale: Locale,
    no_color: bool,  # noqa: ARG001  # every command takes it
) -> int:
    """Write a tournament into a file."""
    from cli.tournament_access import find_named, open_database, refuse_problems

    open_database(locale)
    row = find_named(name, locale)
    with refuse_problems(locale):
        data = make_export(row.id, kind, stage, locale)
    if out is None:
        click.echo(data, nl=False)
        return 0
    try:
        out.write_bytes(data)
    except OSError as error:
        raise refusal(locale, "commands.match_file.unwritable", path=out, why=error.strerror or error) from None
    return 0


def make_export(tournament: str, kind: str, stage: str, locale: Locale) -> bytes:
    """The bytes of a file of this kind."""
    from service.db.models.tournaments import TournamentRow
    from service.tournaments import export
    from service.tournaments.tournament_store import export_record
    from service.tournaments.views import overview

    if kind == "record":
        return export_record(tournament)
    row = TournamentRow.get_by_id(tournament)
    source = overview.export_source(row, locale)
    if kind == "json":
        return export.write_json(source).encode()
    found = overview.find_stage(tournament, stage).name
    text = export.write_csv(source, found) if kind == "csv" else export.write_stage_trf(source, found)
    return text.encode()

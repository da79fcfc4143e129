"""`echtra tournament export`: write a tournament into a file, as its record or for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import FILE, bilingual_command, bilingual_option, current_language, refuse_problems

if TYPE_CHECKING:
    from service.db.models.tournaments import TournamentRow

KINDS = ("record", "csv", "json", "trf")


@bilingual_command("export", "usage.tournament_export.about")
@click.argument("name")
@bilingual_option("--as", "kind", type=click.Choice(KINDS), default="record", text="usage.tournament_export.as")
@bilingual_option("--stage", default="", metavar="STAGE", text="usage.tournament_standings.stage")
@bilingual_option("--out", type=FILE, metavar="FILE", text="usage.tournament_export.out")
def command(name: str, kind: str, stage: str, out: Path | None) -> None:
    """Write a tournament into a file."""
    from cli.files import refuse_unwritable
    from cli.preflight import open_database
    from cli.tournament_access import find_tournament

    open_database()
    row = find_tournament(name)
    with refuse_problems():
        data = _export(row, kind, stage)
    if out is None:
        click.echo(data, nl=False)
        return
    with refuse_unwritable(out):
        out.write_bytes(data)


def _export(row: TournamentRow, kind: str, stage: str) -> bytes:
    """Return the content of a file of this kind."""
    from service.tournaments import export
    from service.tournaments.tournament_store import export_record
    from service.tournaments.views import overview

    if kind == "record":
        return export_record(row.id)
    source = overview.export_source(row, current_language())
    if kind == "json":
        return export.write_json(source).encode()
    stage = overview.find_stage(row.id, stage).name
    text = export.write_csv(source, stage) if kind == "csv" else export.write_stage_trf(source, stage)
    return text.encode()

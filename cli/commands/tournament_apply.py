"""`echtra tournament apply`: create a tournament from its document, or update it to match the document."""

from __future__ import annotations

from pathlib import Path

import click

from cli.command import FILE, bilingual_command, bilingual_option, localise, refuse_problems


@bilingual_command("apply", "usage.tournament_apply.about")
@click.argument("file", type=FILE)
@bilingual_option("--as", "player", required=True, metavar="PLAYER", text="usage.tournament_plan.as")
@bilingual_option("--if-match", metavar="ETAG", text="usage.tournament_apply.if_match")
def command(file: Path, player: str, if_match: str | None) -> None:
    """Apply a document."""
    from cli.preflight import open_database
    from cli.tournament_access import find_player, read_document_file
    from service.tournaments.lifecycle import apply_tournament

    config = open_database()
    organiser = find_player(player)
    document = read_document_file(file, organiser, config)
    with refuse_problems():
        row = apply_tournament(organiser, document, if_match, config)
    click.echo(localise("commands.tournament.applied", name=row.name, tournament=row.id, state=row.state))

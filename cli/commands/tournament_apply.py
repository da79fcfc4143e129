"""`echtra tournament apply`: make a tournament from its document, or bring it up to the document."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import bilingual_command, bilingual_option
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale


@bilingual_command("apply", "usage.tournament_apply.about")
@click.argument("file", type=click.Path(path_type=Path))
@bilingual_option("--as", "player", required=True, metavar="PLAYER", text="usage.tournament_plan.as")
@bilingual_option("--if-match", metavar="ETAG", text="usage.tournament_apply.if_match")
def command(
    file: Path,
    player: str,
    if_match: str | None,
    locale: Locale,
    no_color: bool,  # noqa: ARG001  # every command takes it
) -> int:
    """Apply a document."""
    from cli.tournament_access import find_organiser, open_database, read_document_file, refuse_problems
    from service.tournaments.lifecycle import apply_tournament

    config = open_database(locale)
    organiser = find_organiser(player, locale)
    document = read_document_file(file, organiser, config, locale)
    with refuse_problems(locale):
        row = apply_tournament(organiser, document, if_match, config)
    click.echo(translate(locale, "commands.tournament.applied", name=row.name, tournament=row.id, state=row.state))
    return 0

"""What commands about tournaments of this machine's database share: who applies, which tournament, refusals."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import Refusal, refusal, strip_control_characters
from service.i18n.catalogue import translate

if TYPE_CHECKING:
    from engine.words import Locale
    from service.config import Config
    from service.db.models.accounts import PlayerRow
    from service.db.models.tournaments import TournamentRow
    from service.tournaments.documents.document import BadDocument, TournamentDocument

MOST_DOCUMENT_BYTES = 64 * 1024
MOST_NAMED = 20


@contextmanager
def refuse_problems(locale: Locale) -> Iterator[None]:
    """Say a refusal of the service in the language of the call."""
    from service.problems import Problem

    try:
        yield
    except Problem as problem:
        raise Refusal(problem.detail_in(locale)) from None


def open_database(locale: Locale) -> Config:
    """The settings, once the database is there and up to date."""
    from cli import preflight

    config = preflight.load_config(locale)
    preflight.check_database(config, locale)
    return config


def find_organiser(text: str, locale: Locale) -> PlayerRow:
    """The player that `--as` names, by id or by a name that only one has."""
    from service.accounts.player_lookup import find_people
    from service.db.models.accounts import PlayerRow

    found = find_people([text])[text]
    if len(found) != 1:
        names = ", ".join(id_ for id_, _ in found[:MOST_NAMED])
        key = "commands.tournament.several_players" if found else "commands.tournament.no_player"
        raise refusal(locale, key, name=text, ids=names)
    return PlayerRow.get_by_id(found[0][0])


def read_document_file(file: Path, player: PlayerRow, config: Config, locale: Locale) -> TournamentDocument:
    """The document in a file; every fault of it is printed with its line before the call is refused."""
    from cli.tournament_files import read_tournament_file
    from service.tournaments.documents.document import BadDocument, read_document
    from service.tournaments.lifecycle import document_context

    data = read_tournament_file(file, locale, MOST_DOCUMENT_BYTES)
    try:
        return read_document(data, document_context(player, config))
    except BadDocument as bad:
        raise refuse_document(file, bad, locale) from None


def refuse_document(file: Path, bad: BadDocument, locale: Locale) -> Refusal:
    """The refusal of a file's document, once every fault of it is printed with its line."""
    for fault in bad.faults:
        click.echo(f"{file}: {strip_control_characters(fault.describe(locale))}", err=True)
    return refusal(locale, "commands.tournament.faults", path=file, count=len(bad.faults))


def find_named(name: str, locale: Locale) -> TournamentRow:
    """The tournament with this id, or the newest with this name; operators see those that are not listed too."""
    from service.db.models.tournaments import TournamentRow

    same = (TournamentRow.id == name) | (TournamentRow.name == name)
    found: TournamentRow | None = TournamentRow.select().where(same).order_by(TournamentRow.created_at.desc()).first()
    if found is None:
        raise refusal(locale, "commands.tournament.none", name=name)
    return found


def format_time(ms: int | None, locale: Locale) -> str:
    """A time as commands print it, or that it is not known yet."""
    from service.timestamps import rfc3339

    return translate(locale, "commands.tournament.open_time") if ms is None else str(rfc3339(ms))

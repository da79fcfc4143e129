"""Arguments of tournament commands: players, tournaments and documents."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cli.command import Refusal, current_language, localise, refusal, strip_control_characters

if TYPE_CHECKING:
    from service.config import Config
    from service.db.models.accounts import PlayerRow
    from service.db.models.tournaments import TournamentRow
    from service.tournaments.documents.document import BadDocument, TournamentDocument

MOST_DOCUMENT_BYTES = 64 * 1024
MOST_NAMED = 20


def find_player(text: str) -> PlayerRow:
    """Return the player that `--as` names, by id or by a name that only one player has."""
    from service.accounts.player_lookup import find_people
    from service.db.models.accounts import PlayerRow

    people = find_people([text])[text]
    if len(people) != 1:
        key = "commands.tournament.several_players" if people else "commands.tournament.no_player"
        raise refusal(key, name=text, ids=", ".join(id_ for id_, _ in people[:MOST_NAMED]))
    return PlayerRow.get_by_id(people[0][0])


def read_document_file(file: Path, player: PlayerRow, config: Config) -> TournamentDocument:
    """Read the document in a file. If it has faults, print them all and refuse it."""
    from cli.files import read_file
    from service.tournaments.documents.document import BadDocument, read_document
    from service.tournaments.lifecycle import document_context

    data = read_file(file, MOST_DOCUMENT_BYTES)
    try:
        return read_document(data, document_context(player, config))
    except BadDocument as bad:
        raise refuse_document(file, bad) from None


def refuse_document(file: Path, bad: BadDocument) -> Refusal:
    """Print every fault of a document with its line, and return the refusal of its file."""
    for fault in bad.faults:
        click.echo(f"{file}: {strip_control_characters(fault.describe(current_language()))}", err=True)
    return refusal("commands.tournament.faults", path=file, count=len(bad.faults))


def find_tournament(name: str) -> TournamentRow:
    """Return the tournament with this id, or the newest with this name, listed or not."""
    from service.db.models.tournaments import TournamentRow

    same = (TournamentRow.id == name) | (TournamentRow.name == name)
    row: TournamentRow | None = TournamentRow.select().where(same).order_by(TournamentRow.created_at.desc()).first()
    if row is None:
        raise refusal("commands.tournament.none", name=name)
    return row


def format_time(ms: int | None, zone: str = "") -> str:
    """Return a time as commands print it, in UTC or to the minute in a zone, or a text if it is not known yet."""
    from zoneinfo import ZoneInfo

    from service.timestamps import rfc3339

    if ms is None:
        return localise("commands.tournament.open_time")
    return (
        datetime.fromtimestamp(ms // 1000, ZoneInfo(zone)).isoformat(timespec="minutes") if zone else str(rfc3339(ms))
    )

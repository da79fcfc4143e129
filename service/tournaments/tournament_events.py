"""Events of tournaments: what streams and hooks hear of the lines of a log.

An event names the tournament and the line, and nothing of what a table hides; who hears it, may read the log.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from service.db.connection import write_transaction
from service.db.models.tournaments import EntrantRow, PairingSeatRow, TournamentRow
from service.events.log import Event, write_events
from service.tournaments.formats.log_lines import RULINGS_FOR_ALL, EndLine, OverLine, PairLine, Ruling, is_bot
from service.tournaments.formats.tournament_log import LogLine
from service.tournaments.formats.tournament_state import IN

OPENED, PAIRED, ROUND_OVER = "tournament.opened", "tournament.paired", "tournament.round-over"
RULED, OVER = "tournament.ruled", "tournament.over"


def write_line_events(row: TournamentRow, entries: Sequence[LogLine]) -> None:
    """Write the events of new lines, inside their transaction."""
    found: list[Event] = []
    paired: dict[str, int] = {}
    for entry in entries:
        line = entry.value
        if isinstance(line, PairLine):
            paired |= {player: entry.seq for player in line.seats if not is_bot(player)}
        elif isinstance(line, Ruling):
            found += _tell(row.id, sorted(_concerned(row, line)), entry.seq, RULED)
        elif isinstance(line, OverLine | EndLine):
            kind = ROUND_OVER if isinstance(line, OverLine) else OVER
            found += _tell(row.id, sorted(_everybody(row)), entry.seq, kind)
    for player, seq in sorted(paired.items()):
        found += _tell(row.id, [player], seq, PAIRED)
    write_events(found)


def write_opening(row: TournamentRow) -> None:
    """Tell the organisers of a tournament that it can be entered."""
    with write_transaction():
        write_events(_tell(row.id, sorted(_organisers(row)), row.head_seq, OPENED))


def _tell(tournament: str, players: Iterable[str], seq: int, kind: str) -> Iterator[Event]:
    return (Event(player, None, None, seq, kind, tournament) for player in players)


def _organisers(row: TournamentRow) -> set[str]:
    return {row.owner, *json.loads(row.document).get("organisers", ())}


def _everybody(row: TournamentRow) -> set[str]:
    """Return who is in, and who organises."""
    inside = EntrantRow.select(EntrantRow.player).where((EntrantRow.tournament == row.id) & (EntrantRow.status == IN))
    return _organisers(row) | {each.player for each in inside}


def _concerned(row: TournamentRow, ruling: Ruling) -> set[str]:
    """Return the organisers, and everybody or those whom the ruling names or who sit at the table that it names."""
    if ruling.what in RULINGS_FOR_ALL:
        return _everybody(row)
    mine = (EntrantRow.tournament == row.id) & EntrantRow.player.in_(ruling.subjects)
    people = {each.player for each in EntrantRow.select(EntrantRow.player).where(mine)}
    seats = PairingSeatRow.select(PairingSeatRow.player).where(PairingSeatRow.pairing.in_(ruling.subjects))
    return _organisers(row) | people | {each.player for each in seats}

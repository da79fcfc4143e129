"""Events of tournaments: what streams and webhooks receive about new log lines.

An event names only the tournament and the line, so it reveals nothing that a table hides. Recipients may read the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from service.db.connection import write_transaction
from service.db.models.tournaments import EntrantRow, PairingSeatRow, TournamentRow
from service.events.log import Event, write_events
from service.tournaments.formats.log_lines import RULINGS_FOR_ALL, EndLine, OverLine, PairLine, Ruling, is_bot
from service.tournaments.formats.tournament_log import LogLine
from service.tournaments.formats.tournament_state import IN
from service.tournaments.tournament_caches import list_organisers, list_rulers

OPENED, PAIRED, ROUND_OVER = "tournament.opened", "tournament.paired", "tournament.round-over"
RULED, OVER = "tournament.ruled", "tournament.over"


def write_line_events(row: TournamentRow, entries: Sequence[LogLine]) -> None:
    """Write the events of new lines, inside their transaction."""
    events: list[Event] = []
    paired: dict[str, int] = {}
    for entry in entries:
        line = entry.value
        if isinstance(line, PairLine):
            paired |= {player: entry.seq for player in line.seats if not is_bot(player)}
        elif isinstance(line, Ruling):
            events += _address_event(row.id, _concerned(row, line), entry.seq, RULED)
        elif isinstance(line, OverLine | EndLine):
            kind = ROUND_OVER if isinstance(line, OverLine) else OVER
            events += _address_event(row.id, _everybody(row), entry.seq, kind)
    # One event for each player, however many tables they have in the round.
    for player, seq in sorted(paired.items()):
        events += _address_event(row.id, [player], seq, PAIRED)
    write_events(events)


def write_opening(row: TournamentRow) -> None:
    """Write the event that entry is open, for the organisers."""
    with write_transaction():
        write_events(_address_event(row.id, list_organisers(row), row.head_seq, OPENED))


def _address_event(tournament: str, players: Iterable[str], seq: int, kind: str) -> Iterator[Event]:
    return (Event(player, None, None, seq, kind, tournament) for player in sorted(players))


def _everybody(row: TournamentRow) -> set[str]:
    """Return the organisers and everybody who is in."""
    inside = EntrantRow.select(EntrantRow.player).where((EntrantRow.tournament == row.id) & (EntrantRow.status == IN))
    return {*list_organisers(row), *(entrant.player for entrant in inside)}


def _concerned(row: TournamentRow, ruling: Ruling) -> set[str]:
    """Return the organisers, and everybody or those whom the ruling names directly or by their table."""
    if ruling.what in RULINGS_FOR_ALL:
        return _everybody(row)
    mine = (EntrantRow.tournament == row.id) & EntrantRow.player.in_(ruling.subjects)
    people = {entrant.player for entrant in EntrantRow.select(EntrantRow.player).where(mine)}
    seats = PairingSeatRow.select(PairingSeatRow.player).where(PairingSeatRow.pairing.in_(ruling.subjects))
    return {*list_rulers(row), *people, *(seat.player for seat in seats)}

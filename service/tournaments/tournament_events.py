"""Events of tournaments: what streams and hooks hear of the lines of a log.

An event names the tournament and the line, and nothing of what a table hides; who hears it, may read the log.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from service.db.connection import write_transaction
from service.db.models.tournaments import EntrantRow, PairingSeatRow, TournamentRow
from service.events.log import TournamentEvent, write_tournament_events
from service.tournaments.formats.tournament_log import LogLine
from service.tournaments.formats.tournament_state import BOT_PREFIX, IN

OPENED, PAIRED, ROUND_OVER = "tournament.opened", "tournament.paired", "tournament.round-over"
RULED, OVER = "tournament.ruled", "tournament.over"
FOR_ALL = frozenset({"pause", "resume", "extend", "repair", "cancel", "beacon"})
"""Rulings that concern everybody; others concern whom they name, and who sits at the table that they name."""


def write_line_events(row: TournamentRow, entries: Sequence[LogLine]) -> None:
    """Write the events of new lines, inside their transaction."""
    found: list[TournamentEvent] = []
    paired: dict[str, int] = {}
    for entry in entries:
        verb, *words = entry.line.split(" ")
        if verb == "pair":
            paired |= {player: entry.seq for player in words[3:] if not player.startswith(BOT_PREFIX)}
        elif verb in _LISTENERS:
            kind, find = _LISTENERS[verb]
            found += _tell(row.id, sorted(find(row, words)), entry.seq, kind)
    for player, seq in sorted(paired.items()):
        found += _tell(row.id, [player], seq, PAIRED)
    write_tournament_events(found)


def write_opening(row: TournamentRow) -> None:
    """Tell the organisers of a tournament that it can be entered."""
    with write_transaction():
        write_tournament_events(_tell(row.id, sorted(_organisers(row)), row.head_seq, OPENED))


def _tell(tournament: str, players: Iterable[str], seq: int, kind: str) -> Iterator[TournamentEvent]:
    return (TournamentEvent(player, tournament, seq, kind) for player in players)


def _organisers(row: TournamentRow) -> set[str]:
    return {row.owner, *json.loads(row.document).get("organisers", ())}


def _everybody(row: TournamentRow, _words: Sequence[str]) -> set[str]:
    """Who is in, and who organises."""
    inside = EntrantRow.select(EntrantRow.player).where((EntrantRow.tournament == row.id) & (EntrantRow.status == IN))
    return _organisers(row) | {each.player for each in inside}


def _concerned(row: TournamentRow, words: Sequence[str]) -> set[str]:
    """Whom a ruling concerns: everybody, or whom it names and who sits at the table that it names; and organisers."""
    if words and words[0] in FOR_ALL:
        return _everybody(row, words)
    named = words[1:]
    mine = (EntrantRow.tournament == row.id) & EntrantRow.player.in_(named)
    people = {each.player for each in EntrantRow.select(EntrantRow.player).where(mine)}
    seats = PairingSeatRow.select(PairingSeatRow.player).where(PairingSeatRow.pairing.in_(named))
    return _organisers(row) | people | {each.player for each in seats}


_LISTENERS: Mapping[str, tuple[str, Callable[[TournamentRow, Sequence[str]], set[str]]]] = {
    "over": (ROUND_OVER, _everybody),
    "ruling": (RULED, _concerned),
    "end": (OVER, _everybody),
}
"""What is told of a line, and to whom; of pairs each player hears once."""

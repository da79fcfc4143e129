"""How each seat of a finished match ended, read from its log."""

from __future__ import annotations

from engine.game import HOUSE
from service.play.match_log import select_entries
from service.play.table_store import table_of
from service.record.seat_endings import EndingLine, SeatEnding, find_seat_endings

OWN_LINES = "match = ? and seat >= 0 and (made_by like ? or made_by like ?) and line not like ? order by seq"


def read_seat_results(match: str) -> tuple[SeatEnding, ...]:
    """How each seat of a match that is over ended."""
    table = table_of(match)
    if not table.state.over:
        raise ValueError(match)
    own = {entry.seat for entry in select_entries(OWN_LINES, match, "signed %", "mail %", "keys %")}
    house = select_entries("match = ? and seat = ? order by seq", match, HOUSE)
    return find_seat_endings(table, own, [EndingLine(entry.seq, entry.at, entry.line) for entry in house])

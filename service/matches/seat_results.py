"""How each seat of a finished match ended, read from its log."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import HOUSE
from service.db.batches import batched
from service.db.connection import rows
from service.play.match_loader import load_match_states_at
from service.record.match_state import MatchState
from service.record.seat_endings import EndingLine, SeatEnding, find_seat_endings

MOST_TOGETHER = 100
"""Maximum number of matches read per statement."""
SELECT_HEADS = "select id, head_seq, head_hash from match where status = 'over' and id in ({holes})"
SELECT_LINES = (
    "select match, seat, seq, at, line from entry where match in ({holes}) and (seat = ? "
    "or (seat >= 0 and (made_by like ? or made_by like ?) and line not like ?)) order by match, seq"
)


def read_seat_results(match: str) -> tuple[SeatEnding, ...]:
    """Return how each seat of a finished match ended."""
    return read_all_seat_results([match])[match]


def read_all_seat_results(matches: Sequence[str]) -> dict[str, tuple[SeatEnding, ...]]:
    """Return how each seat of finished matches ended, by match, with four statements per hundred matches."""
    found: dict[str, tuple[SeatEnding, ...]] = {}
    for part in batched(matches, MOST_TOGETHER):
        found |= _read_together(part)
    return found


def _read_together(matches: Sequence[str]) -> dict[str, tuple[SeatEnding, ...]]:
    holes = ", ".join("?" * len(matches))
    heads = [(match, seq, hash_) for match, seq, hash_ in rows(SELECT_HEADS.format(holes=holes), *matches)]
    match_states: dict[str, MatchState] = {
        match_state.facts.id: match_state for match_state in load_match_states_at(heads)
    }
    unfinished = [match for match in matches if match not in match_states]
    if unfinished:
        raise ValueError(unfinished[0])
    movers: dict[str, set[int]] = {match: set() for match in matches}
    house: dict[str, list[EndingLine]] = {match: [] for match in matches}
    wanted = (*matches, HOUSE, "signed %", "mail %", "keys %")
    for match, seat, seq, at, line in rows(SELECT_LINES.format(holes=holes), *wanted):
        if seat == HOUSE:
            house[match].append(EndingLine(seq, at, line))
        else:
            movers[match].add(seat)
    return {match: find_seat_endings(match_states[match], movers[match], house[match]) for match in matches}

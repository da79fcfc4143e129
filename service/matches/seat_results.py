"""How each seat of a finished match ended, as a tournament counts it: place, score, and how it came about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.game import HOUSE, final_scores
from engine.house import BotTakes, End, Timeout
from engine.reading import read
from service.matches.paired_matches import ADJUDICATED, AS_IT_STANDS, LATE_LOSES, RULED, WITHDRAWN
from service.play.match_log import LogEntry, select_entries
from service.play.table_store import table_of
from service.play.timeouts import DUEL
from service.record.table import Table

OWN_LINES = "match = ? and seat >= 0 and (made_by like ? or made_by like ?) and line not like ? order by seq"
DECIDED = (ADJUDICATED, RULED)
"""How a match ended where an organiser gave the places."""


@dataclass(frozen=True)
class SeatEnding:
    """How one seat ended; as text it is `PLACE:SCORE:HOW`."""

    place: int
    """Ties as 1, 1, 3."""
    score: int
    how: str
    lost_by_time: bool = False
    """Whether whoever sat there let the time run out, and lost the seat by it."""

    def __str__(self) -> str:
        return f"{self.place}:{self.score}:{self.how}"


def read_seat_results(match: str) -> tuple[SeatEnding, ...]:
    """How each seat of a match that is over ended."""
    table = table_of(match)
    if not table.state.over:
        raise ValueError(match)
    late = _find_seats_lost_by_time(table)
    own = {entry.seat for entry in select_entries(OWN_LINES, match, "signed %", "mail %", "keys %")}
    scores = [score.total for score in final_scores(table.facts.game, table.state)]
    return tuple(
        SeatEnding(place, scores[seat], _describe_ending(table, seat, late, has_moved=seat in own), seat in late)
        for seat, place in enumerate(_rank_seats(table))
    )


def _rank_seats(table: Table) -> list[int]:
    """The place of each seat: by score and the game's own tie-breaks; who resigned comes after who did not."""
    state = table.state
    scores = final_scores(table.facts.game, state)
    decided = state.house.ended in DECIDED
    keys = [
        (decided or seat not in state.house.resigned, score.total, () if decided else score.ties)
        for seat, score in enumerate(scores)
    ]
    return [1 + sum(other > key for other in keys) for key in keys]


def _describe_ending(table: Table, seat: int, late: frozenset[int], *, has_moved: bool) -> str:
    state, begun = table.state, table.facts.header.places[seat]
    why = state.house.ended
    if why == RULED:
        return "ruled"
    if begun.bot:
        return "adjudicated" if why in (ADJUDICATED, AS_IT_STANDS) else "played"
    if not has_moved and (seat in late or _is_withdrawn(table, seat)):
        return "forfeit"
    if table.bots[seat] or (seat in state.house.resigned and table.facts.seats > DUEL):
        return "stand-in"
    if table.players[seat] != begun.player:
        return "substitute"
    return "adjudicated" if why in (ADJUDICATED, AS_IT_STANDS) else "played"


def _is_withdrawn(table: Table, seat: int) -> bool:
    """Whether the match ended because this seat was given up: its score is the least then."""
    scores = table.state.house.scores
    return table.state.house.ended == WITHDRAWN and bool(scores) and scores[seat] == min(scores)


def _find_seats_lost_by_time(table: Table) -> frozenset[int]:
    """The seats whose missed deadline had a consequence: a stand-in, or the end."""
    late: set[int] = set()
    before: list[tuple[LogEntry, Timeout]] = []
    for entry in select_entries("match = ? and seat = ? order by seq", table.facts.id, HOUSE):
        action = read(table.facts.game, entry.line, HOUSE)
        before = [] if before and not _follow(before[-1][0], entry) else before
        if isinstance(action, Timeout):
            before.append((entry, action))
            continue
        late |= _consequence(before, action)
        before = []
    return frozenset(late)


def _follow(one: LogEntry, two: LogEntry) -> bool:
    """Whether two entries were written together, one after the other."""
    return two.seq == one.seq + 1 and two.at == one.at


def _consequence(before: Sequence[tuple[LogEntry, Timeout]], action: object) -> set[int]:
    """The seats that a line takes from those whose missed deadlines were written just before it."""
    if isinstance(action, End) and action.why == LATE_LOSES:
        return {timeout.seat for _, timeout in before}
    if before and (isinstance(action, BotTakes) or (isinstance(action, End) and action.why == "forfeit")):
        return {before[-1][1].seat}
    return set()

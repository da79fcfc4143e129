"""How each seat of a finished match ended, as a tournament counts it, from the final state and its log alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from engine.game import HOUSE, final_scores
from engine.house import BotTakes, End, Timeout
from engine.reading import read
from service.record.match_state import MatchState

AS_IT_STANDS: Final = "as-it-stands"
LATE_LOSES = "late-loses"
ADJUDICATED = "adjudicated"
RULED = "ruled"
WITHDRAWN = "withdrawn"
LAPSED: Final = "lapsed"
"""Why the house ended a match."""
DECIDED = (ADJUDICATED, RULED)
"""The ending of a match in which an organiser assigned the places."""
TWO_SEATS = 2
OWN_MARKS = ("signed ", "mail ")
KEYS_LINE = "keys "


@dataclass(frozen=True)
class SeatEnding:
    """The ending of one seat; its text is `PLACE:SCORE:HOW`."""

    place: int
    """Place; ties share one, as in 1, 1, 3."""
    score: int
    how: str
    lost_by_time: bool = False
    """True if its occupant ran out of time and lost the seat."""

    def __str__(self) -> str:
        return f"{self.place}:{self.score}:{self.how}"


class EndingLine(NamedTuple):
    """A line of the house: its number in the log, its time and its text."""

    seq: int
    at: int
    line: str


def is_own_line(made_by: str, line: str) -> bool:
    """Return True if a person made this line of a seat themselves, and it is not just a `keys` line."""
    return made_by.startswith(OWN_MARKS) and not line.startswith(KEYS_LINE)


def find_seat_endings(
    match_state: MatchState, movers: Collection[int], house: Sequence[EndingLine]
) -> tuple[SeatEnding, ...]:
    """Return how each seat of a finished match ended; `movers` are the seats with a line of their own."""
    late = _find_seats_lost_by_time(match_state, house)
    scores = [score.total for score in final_scores(match_state.facts.game, match_state.state)]
    if match_state.state.house.ended == LAPSED:
        # Nobody has won: the ladder ended before the match did.
        return tuple(SeatEnding(1, score, LAPSED) for score in scores)
    return tuple(
        SeatEnding(
            place, scores[seat], _describe_ending(match_state, seat, late, has_moved=seat in movers), seat in late
        )
        for seat, place in enumerate(_rank_seats(match_state))
    )


def _rank_seats(match_state: MatchState) -> list[int]:
    """Rank the seats by score and the game's own tie-breaks. Seats that resigned come last."""
    state = match_state.state
    scores = final_scores(match_state.facts.game, state)
    decided = state.house.ended in DECIDED
    keys = [
        (decided or seat not in state.house.resigned, score.total, () if decided else score.ties)
        for seat, score in enumerate(scores)
    ]
    return [1 + sum(other > key for other in keys) for key in keys]


def _describe_ending(match_state: MatchState, seat: int, late: frozenset[int], *, has_moved: bool) -> str:
    state, begun = match_state.state, match_state.facts.header.places[seat]
    why = state.house.ended
    if why == RULED:
        return "ruled"
    if begun.bot:
        return "adjudicated" if why in (ADJUDICATED, AS_IT_STANDS) else "played"
    if not has_moved and (seat in late or _is_withdrawn(match_state, seat)):
        return "forfeit"
    if match_state.bots[seat] or (seat in state.house.resigned and match_state.facts.seats > TWO_SEATS):
        return "stand-in"
    if match_state.players[seat] != begun.player:
        return "substitute"
    return "adjudicated" if why in (ADJUDICATED, AS_IT_STANDS) else "played"


def _is_withdrawn(match_state: MatchState, seat: int) -> bool:
    """Return True if the match ended because this seat was given up. Its score is then the lowest."""
    scores = match_state.state.house.scores
    return match_state.state.house.ended == WITHDRAWN and bool(scores) and scores[seat] == min(scores)


def _find_seats_lost_by_time(match_state: MatchState, house: Sequence[EndingLine]) -> frozenset[int]:
    """Return the seats whose missed deadline had a consequence: a stand-in, or the end."""
    late: set[int] = set()
    before: list[tuple[EndingLine, Timeout]] = []
    for entry in house:
        action = read(match_state.facts.game, entry.line, HOUSE)
        before = [] if before and not _follow(before[-1][0], entry) else before
        if isinstance(action, Timeout):
            before.append((entry, action))
            continue
        late |= _consequence(before, action)
        before = []
    return frozenset(late)


def _follow(one: EndingLine, two: EndingLine) -> bool:
    """Return True if two entries were written together, one right after the other."""
    return two.seq == one.seq + 1 and two.at == one.at


def _consequence(before: Sequence[tuple[EndingLine, Timeout]], action: object) -> set[int]:
    """Return the seats, among those whose missed deadlines were written just before a line, that the line affects."""
    if isinstance(action, End) and action.why == LATE_LOSES:
        return {timeout.seat for _, timeout in before}
    if before and (isinstance(action, BotTakes) or (isinstance(action, End) and action.why == "forfeit")):
        return {before[-1][1].seat}
    return set()

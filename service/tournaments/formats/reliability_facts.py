"""Reliability of players: how often they answered in time and stayed to the end, counted from the lines of a match.

An answer is a run of lines that a person made at a seat, not interrupted by another seat. It is late if the house
recorded a missed deadline of the seat before it. A missed deadline without an answer counts as a late answer too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from engine.game import HOUSE

TWO_SEATS = 2
PEOPLE = ("signed ", "mail ")
"""Prefixes of `made_by` for lines made by a person."""
CANCELLED = "cancelled"
FORFEIT = "forfeit"


class MatchLine(NamedTuple):
    """The relevant parts of an entry: the seat, what made the line, and the line."""

    seat: int
    made_by: str
    line: str

    @property
    def verb(self) -> str:
        """Return the first word."""
        return self.line.split(" ", 1)[0]


@dataclass(frozen=True, slots=True)
class ReliabilityFacts:
    """Facts from one match about one player."""

    player: str
    answers: int = 0
    """Number of questions with a deadline that were answered, or missed for good."""
    late: int = 0
    """Number of these that were late."""
    finished: bool | None = None
    """True if they stayed to the end; None while that is open, or if the match was cancelled."""


@dataclass
class _Seats:
    """Seats during a walk over the lines: who sits there, and who has missed a deadline since their last answer."""

    sitting: list[str]
    overdue: set[int] = field(default_factory=set)
    resigned: set[int] = field(default_factory=set)
    last_late: int | None = None
    acting: int | None = None
    """Seat of the last line that a seat made."""
    ended: str = ""
    facts: dict[str, ReliabilityFacts] = field(default_factory=dict)

    def _facts_of(self, seat: int) -> ReliabilityFacts:
        return self.facts.get(self.sitting[seat]) or ReliabilityFacts(self.sitting[seat])

    def _add_answer(self, seat: int) -> None:
        """Count an answer of a seat, which is late if the seat is overdue."""
        facts = self._facts_of(seat)
        late = facts.late + (seat in self.overdue)
        self.facts[facts.player] = replace(facts, answers=facts.answers + 1, late=late)
        self.overdue.discard(seat)

    def _set_finished(self, seat: int, *, finished: bool | None) -> None:
        self.facts[self.sitting[seat]] = replace(self._facts_of(seat), finished=finished)

    def read_line(self, line: MatchLine) -> None:
        """Take the next line."""
        if line.seat == HOUSE:
            self._read_house_line(line.line.split(" "))
        elif line.seat >= 0 and line.verb != "keys":
            self._read_seat_line(line)

    def _read_seat_line(self, line: MatchLine) -> None:
        seat = line.seat
        if line.verb == "resign":
            self.resigned.add(seat)
        elif line.made_by.startswith(PEOPLE) and (seat != self.acting or seat in self.overdue):
            self._add_answer(seat)
        self.acting = seat

    def _read_house_line(self, words: Sequence[str]) -> None:
        if words[0] == "end":
            self.ended = words[1]
        elif words[0] == "timeout":
            self.last_late = int(words[1])
            self.overdue.add(self.last_late)
        elif words[0] in ("bot", "seat"):
            seat = int(words[1])
            self._miss_answer(seat)
            if self.sitting[seat]:
                self._set_finished(seat, finished=False)
            self.sitting[seat] = words[2] if words[0] == "seat" else ""

    def _miss_answer(self, seat: int) -> None:
        if seat in self.overdue and self.sitting[seat]:
            self._add_answer(seat)
        self.overdue.discard(seat)

    def close(self, *, over: bool) -> None:
        """Count what is still open after the last line."""
        for seat, player in enumerate(self.sitting):
            self._miss_answer(seat)
            if player and over:
                self._set_finished(seat, finished=None if self.ended == CANCELLED else not self._has_left(seat))

    def _has_left(self, seat: int) -> bool:
        """Return True if the player abandoned the others. With two seats, resigning is a normal end."""
        if self.ended == FORFEIT and seat == self.last_late:
            return True
        return seat in self.resigned and len(self.sitting) > TWO_SEATS


def count_reliability_facts(
    places: Sequence[str], lines: Iterable[MatchLine], *, over: bool, has_deadlines: bool
) -> tuple[ReliabilityFacts, ...]:
    """Return the facts about each player who sat at the table, by id. `places` are the first players, `''` for bots.

    With fewer than two people nobody waited, so there are no facts. Answers without a deadline do not count.
    """
    if sum(map(bool, places)) < TWO_SEATS:
        return ()
    seats = _Seats(list(places))
    for line in lines:
        seats.read_line(line)
    seats.close(over=over)
    facts = (seats.facts[player] for player in sorted(seats.facts))
    return tuple(each if has_deadlines else replace(each, answers=0, late=0) for each in facts)


def lines_to_last_timeout(lines: Sequence[MatchLine]) -> Sequence[MatchLine]:
    """Return the lines up to the last missed deadline and the bot that took the seat, or none if all were in time.

    This part of a running match counts already: a player who keeps others waiting must not look reliable until the end.
    """
    timeouts = [index for index, line in enumerate(lines) if line.seat == HOUSE and line.verb == "timeout"]
    if not timeouts:
        return ()
    end = timeouts[-1] + 1
    taken = end < len(lines) and lines[end].seat == HOUSE and lines[end].verb == "bot"
    return lines[: end + taken]

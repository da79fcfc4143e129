"""Conduct: how often players answered in time and whether they stayed to the end, counted from the lines of a match.

An answer is a run of lines that a person made at a seat, not interrupted by another seat. It is late where the house
wrote before it that the seat missed its deadline; a deadline that was missed and never made good is a late answer too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from engine.game import HOUSE

TWO_SEATS = 2
PEOPLE = ("signed ", "mail ")
"""How `made_by` begins where a person made the line."""
CANCELLED = "cancelled"
FORFEIT = "forfeit"


class MatchLine(NamedTuple):
    """What counts of an entry: the seat, what made the line, and the line."""

    seat: int
    made_by: str
    line: str

    @property
    def verb(self) -> str:
        """The first word."""
        return self.line.split(" ", 1)[0]


@dataclass(frozen=True, slots=True)
class ReliabilityFacts:
    """What one match says of one player."""

    player: str
    answers: int
    """How many questions with a deadline they answered, or missed for good."""
    late: int
    """How many of these too late."""
    finished: bool | None
    """Whether they were there at its end; nothing as long as that is open, or where the match was called off."""


@dataclass
class _Tally:
    answers: int = 0
    late: int = 0
    finished: bool | None = None

    def add_answer(self, *, late: bool) -> None:
        self.answers += 1
        self.late += late


@dataclass
class _Seats:
    """The seats while the lines go by: who sits there, and who has missed a deadline since their last answer."""

    sitting: list[str]
    overdue: set[int] = field(default_factory=set)
    resigned: set[int] = field(default_factory=set)
    last_late: int | None = None
    acting: int | None = None
    """The seat that made the last line of a seat."""
    ended: str = ""
    tallies: dict[str, _Tally] = field(default_factory=dict)

    def tally(self, seat: int) -> _Tally:
        return self.tallies.setdefault(self.sitting[seat], _Tally())

    def read_line(self, line: MatchLine) -> None:
        if line.seat == HOUSE:
            self._read_house_line(line.line.split(" "))
        elif line.seat >= 0 and line.verb != "keys":
            self._read_seat_line(line)

    def _read_seat_line(self, line: MatchLine) -> None:
        seat = line.seat
        if line.verb == "resign":
            self.resigned.add(seat)
        elif line.made_by.startswith(PEOPLE) and (seat != self.acting or seat in self.overdue):
            self.tally(seat).add_answer(late=seat in self.overdue)
            self.overdue.discard(seat)
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
                self.tally(seat).finished = False
            self.sitting[seat] = words[2] if words[0] == "seat" else ""

    def _miss_answer(self, seat: int) -> None:
        if seat in self.overdue and self.sitting[seat]:
            self.tally(seat).add_answer(late=True)
        self.overdue.discard(seat)

    def close(self, *, over: bool) -> None:
        for seat, player in enumerate(self.sitting):
            self._miss_answer(seat)
            if player and over:
                self.tally(seat).finished = None if self.ended == CANCELLED else not self._has_left(seat)

    def _has_left(self, seat: int) -> bool:
        """Whether who sits here gave the others up; with two seats resigning is an end like others."""
        if self.ended == FORFEIT and seat == self.last_late:
            return True
        return seat in self.resigned and len(self.sitting) > TWO_SEATS


def count_reliability_facts(
    places: Sequence[str], lines: Iterable[MatchLine], *, over: bool, has_deadlines: bool
) -> tuple[ReliabilityFacts, ...]:
    """What these lines say of each player who sat at the table, by id; `places` are the first ones, `''` for bots.

    Nothing is said where fewer than two people began: then nobody waited. Answers without a deadline do not count.
    """
    if sum(map(bool, places)) < TWO_SEATS:
        return ()
    seats = _Seats(list(places))
    for line in lines:
        seats.read_line(line)
    seats.close(over=over)
    return tuple(
        ReliabilityFacts(player, *((tally.answers, tally.late) if has_deadlines else (0, 0)), tally.finished)
        for player, tally in sorted(seats.tallies.items())
    )


def lines_to_last_timeout(lines: Sequence[MatchLine]) -> Sequence[MatchLine]:
    """The lines up to the last missed deadline and who took the seat for it; none where all were in time.

    So much of a running match counts already: who lets others wait is not reliable until it is over.
    """
    last = max((at for at, line in enumerate(lines) if line.seat == HOUSE and line.verb == "timeout"), default=None)
    if last is None:
        return ()
    follows = lines[last + 1 : last + 2]
    taken = bool(follows) and follows[0].seat == HOUSE and follows[0].verb == "bot"
    return lines[: last + 1 + taken]

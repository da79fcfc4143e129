"""The values that all formats share: who sat where in which round, and how each seat ended.

An entrant is its number in the tournament, from 1 on; a bot at a seat is `BOT`. A pairing of one seat is a bye that the
pairing gave. Who is neither paired nor asked for half a point missed the round.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from service.record.patterns import SCORE, parse_number
from service.tournaments.formats.faults import FormatFault

Number: TypeAlias = int
"""An entrant's number in the tournament, from 1 on."""

BOT: Number = 0
TWO_SEATS = 2


class BadResultText(FormatFault):
    """A text that is not `PLACE:SCORE:HOW`."""


class How(StrEnum):
    """How a seat came to its result."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    STAND_IN = "stand-in"
    SUBSTITUTE = "substitute"
    ADJUDICATED = "adjudicated"
    RULED = "ruled"
    BYE = "bye"
    LAPSED = "lapsed"


UNFINISHED = frozenset({How.FORFEIT, How.STAND_IN, How.SUBSTITUTE})
"""A seat that ended so was not finished by its entrant."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """How one seat ended: its place (ties as 1, 1, 3), the game's score, and how it came about."""

    place: int
    score: int
    how: How = How.PLAYED

    def __str__(self) -> str:
        return f"{self.place}:{self.score}:{self.how}"

    @property
    def finished(self) -> bool:
        """Whether the entrant finished the seat; if not, it scores as the last place."""
        return self.how not in UNFINISHED


def read_seat_result(text: str) -> SeatResult:
    """The result that `PLACE:SCORE:HOW` writes."""
    words = text.split(":")
    if len(words) != 3:  # noqa: PLR2004  # place, score, how
        raise BadResultText("result_form", text=text)
    place, score, how = words
    number = parse_number(place)
    if number is None or number < 1 or SCORE.fullmatch(score) is None or how not in set(How):
        raise BadResultText("result_form", text=text)
    return SeatResult(number, int(score), How(how))


def read_results(text: str) -> tuple[SeatResult, ...]:
    """Return the results of a table, one word a seat; an empty text gives none."""
    return tuple(read_seat_result(word) for word in text.split())


def write_results(results: Iterable[SeatResult]) -> str:
    """Return the results of a table as text, one word a seat."""
    return " ".join(map(str, results))


@dataclass(frozen=True, slots=True)
class Pairing:
    """Entrants by seat, and how each seat ended; no results yet while the match runs."""

    seats: tuple[Number, ...]
    results: tuple[SeatResult, ...] = ()
    section: int = 0

    @property
    def is_bye(self) -> bool:
        """Whether this is a bye that the pairing gave."""
        return len(self.seats) == 1

    @property
    def is_over(self) -> bool:
        """Whether the pairing has its result; a bye has it from the beginning."""
        return self.is_bye or bool(self.results)

    @property
    def is_forfeit(self) -> bool:
        """Whether a match of two did not take place because somebody never came: unplayed for both."""
        if len(self.seats) != TWO_SEATS or not self.results:
            return False
        one, other = self.results
        return one.how is How.FORFEIT or other.how is How.FORFEIT

    @property
    def is_played(self) -> bool:
        """Whether a match took place and is over."""
        return not self.is_bye and bool(self.results) and not self.is_forfeit


@dataclass(frozen=True, slots=True)
class StageRound:
    """One round of a stage: its pairings, and who asked for a bye of half a point."""

    number: int
    pairings: tuple[Pairing, ...]
    half_byes: frozenset[Number] = frozenset()


def rank_scores(scores: Iterable[int], hows: Iterable[How] | None = None) -> tuple[SeatResult, ...]:
    """The results of a table from the scores of its seats: the most points first, ties as 1, 1, 3."""
    points = tuple(scores)
    how = tuple(hows) if hows is not None else (How.PLAYED,) * len(points)
    return tuple(
        SeatResult(1 + sum(other > own for other in points), own, each) for own, each in zip(points, how, strict=True)
    )


def count_meetings(rounds: Iterable[StageRound]) -> dict[tuple[Number, Number], int]:
    """How often two entrants have met, the smaller number first; matches that a forfeit prevented do not count."""
    met: dict[tuple[Number, Number], int] = {}
    for each in rounds:
        for pairing in each.pairings:
            if pairing.is_bye or pairing.is_forfeit:
                continue
            people = sorted(seat for seat in pairing.seats if seat != BOT)
            for at, one in enumerate(people):
                for other in people[at + 1 :]:
                    met[one, other] = met.get((one, other), 0) + 1
    return met


def keep_entrants(rounds: Iterable[StageRound], numbers: Iterable[Number]) -> tuple[StageRound, ...]:
    """The same rounds with the pairings of these entrants only, as for one section of a stage."""
    kept = frozenset(numbers)
    return tuple(
        StageRound(
            each.number,
            tuple(one for one in each.pairings if not kept.isdisjoint(one.seats)),
            each.half_byes & kept,
        )
        for each in rounds
    )

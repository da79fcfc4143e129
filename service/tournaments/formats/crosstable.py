"""Values shared by all formats: the seats of each pairing and the result of each seat.

An entrant is a number in the tournament, from 1; a bot at a seat is `BOT`. A pairing with one seat is a bye given by
the pairing. An entrant who is neither paired nor has a half-point bye missed the round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import TypeAlias

from service.record.patterns import SCORE, parse_number
from service.tournaments.formats.faults import FormatFault

Number: TypeAlias = int
"""Number of an entrant in the tournament, from 1."""

BOT: Number = 0
TWO_SEATS = 2


class BadResultText(FormatFault):
    """A text that is not `PLACE:SCORE:HOW`."""


class How(StrEnum):
    """The way in which a seat got its result."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    STAND_IN = "stand-in"
    SUBSTITUTE = "substitute"
    ADJUDICATED = "adjudicated"
    RULED = "ruled"
    BYE = "bye"
    LAPSED = "lapsed"


UNFINISHED = frozenset({How.FORFEIT, How.STAND_IN, How.SUBSTITUTE})
"""Results of seats that the entrant did not finish."""


@dataclass(frozen=True, slots=True)
class SeatResult:
    """Result of one seat: its place (ties as 1, 1, 3), the score of the game, and how it came about."""

    place: int
    score: int
    how: How = How.PLAYED

    def __str__(self) -> str:
        return f"{self.place}:{self.score}:{self.how}"

    @property
    def finished(self) -> bool:
        """True if the entrant finished the seat. Otherwise it scores as the last place."""
        return self.how not in UNFINISHED


def read_seat_result(text: str) -> SeatResult:
    """Parse `PLACE:SCORE:HOW`."""
    words = text.split(":")
    if len(words) != 3:  # noqa: PLR2004  # place, score, how
        raise BadResultText("result_form", text=text)
    place, score, how = words
    number = parse_number(place)
    if number is None or number < 1 or SCORE.fullmatch(score) is None or how not in set(How):
        raise BadResultText("result_form", text=text)
    return SeatResult(number, int(score), How(how))


def read_results(text: str) -> tuple[SeatResult, ...]:
    """Parse the results of a table, one word per seat. An empty text gives none."""
    return tuple(read_seat_result(word) for word in text.split())


def write_results(results: Iterable[SeatResult]) -> str:
    """Return the results of a table as text, one word per seat."""
    return " ".join(map(str, results))


@dataclass(frozen=True, slots=True)
class Pairing:
    """Entrants by seat and the result of each seat. Without results the match is still running."""

    seats: tuple[Number, ...]
    results: tuple[SeatResult, ...] = ()
    section: int = 0

    @property
    def is_bye(self) -> bool:
        """True for a bye given by the pairing."""
        return len(self.seats) == 1

    @property
    def is_over(self) -> bool:
        """True if the pairing has its result. A bye has it from the beginning."""
        return self.is_bye or bool(self.results)

    @property
    def is_forfeit(self) -> bool:
        """True if a match of two was not played because a player never came. It is unplayed for both."""
        if len(self.seats) != TWO_SEATS or not self.results:
            return False
        one, other = self.results
        return one.how is How.FORFEIT or other.how is How.FORFEIT

    @property
    def is_played(self) -> bool:
        """True if a match took place and is over."""
        return not self.is_bye and bool(self.results) and not self.is_forfeit

    def list_meetings(self) -> Iterator[tuple[Number, Number]]:
        """Return the pairs of people at the table, the smaller number first."""
        return combinations(sorted(people_of(self.seats)), 2)


@dataclass(frozen=True, slots=True)
class StageRound:
    """One round of a stage: its pairings, and the entrants with a requested bye.

    A requested bye is worth half a point. In events of others it may be worth a whole one.
    """

    number: int
    pairings: tuple[Pairing, ...]
    half_byes: frozenset[Number] = frozenset()
    full_byes: frozenset[Number] = frozenset()


def people_of(seats: Iterable[Number]) -> tuple[Number, ...]:
    """Return the entrants at a table, without bots."""
    return tuple([number for number in seats if number != BOT])


def list_pairings(rounds: Iterable[StageRound]) -> Iterator[Pairing]:
    """Return the pairings of all rounds in order."""
    return (pairing for each in rounds for pairing in each.pairings)


def list_numbers(rounds: Iterable[StageRound]) -> set[Number]:
    """Return every number that was seated or had a requested bye, `BOT` included."""
    return {
        number
        for each in rounds
        for row in (each.half_byes, each.full_byes, *(one.seats for one in each.pairings))
        for number in row
    }


def lot_places(lots: Sequence[Number], others: Iterable[Number] = ()) -> dict[Number, int]:
    """Return the place of each entrant in a lot order. `others` who are not in it follow in their own order."""
    return {number: place for place, number in enumerate(dict.fromkeys((*lots, *others)))}


def rank_scores(scores: Iterable[int], hows: Iterable[How] | None = None) -> tuple[SeatResult, ...]:
    """Return the results of a table from the scores of its seats: the highest score first, ties as 1, 1, 3."""
    points = tuple(scores)
    return tuple(
        SeatResult(1 + sum(other > own for other in points), own, how)
        for own, how in zip(points, hows or (How.PLAYED,) * len(points), strict=True)
    )


def count_meetings(rounds: Iterable[StageRound]) -> Counter[tuple[Number, Number]]:
    """Count how often two entrants have met, the smaller number first. Forfeited matches do not count."""
    return Counter(
        pair for pairing in list_pairings(rounds) if not pairing.is_forfeit for pair in pairing.list_meetings()
    )


def keep_entrants(rounds: Iterable[StageRound], numbers: Iterable[Number]) -> tuple[StageRound, ...]:
    """Return the rounds with only the pairings of these entrants, for example of one section."""
    kept = frozenset(numbers)
    return tuple(
        StageRound(
            each.number,
            tuple(one for one in each.pairings if not kept.isdisjoint(one.seats)),
            each.half_byes & kept,
            each.full_byes & kept,
        )
        for each in rounds
    )

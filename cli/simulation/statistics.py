"""Statistics of many matches: mean and spread, shares, and their confidence intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from cli.simulation.runner import MatchOutcome
from engine.game import Seat


@dataclass(frozen=True)
class Spread:
    """Mean, standard deviation, minimum and maximum of some values."""

    mean: float
    deviation: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """Return the spread of these values; there must be at least one."""
        return cls(fmean(values), stdev(values) if len(values) > 1 else 0.0, min(values), max(values))


@dataclass(frozen=True)
class Summary:
    """The outcomes of many matches, with their statistics."""

    outcomes: tuple[MatchOutcome, ...]

    @classmethod
    def of(cls, outcomes: Sequence[MatchOutcome]) -> Summary:
        """Sort the outcomes by match, because processes return them in any order."""
        return cls(tuple(sorted(outcomes, key=lambda outcome: outcome.number)))

    def scores(self, seat: Seat) -> Spread:
        """Return the spread of a seat's scores."""
        return Spread.of(self.points(seat))

    def points(self, seat: Seat) -> tuple[int, ...]:
        """Return the scores of a seat."""
        return tuple(outcome.scores[seat] for outcome in self.outcomes)

    def wins(self, seat: Seat) -> int:
        """Return how often this seat won alone."""
        return sum(outcome.winners == (seat,) for outcome in self.outcomes)

    def shared(self, seat: Seat) -> int:
        """Return how often this seat shared the win."""
        return sum(seat in outcome.winners and len(outcome.winners) > 1 for outcome in self.outcomes)

    def share(self, seat: Seat) -> float:
        """Return the wins of a seat, a shared win counted as a fraction."""
        return sum(1 / len(outcome.winners) for outcome in self.outcomes if seat in outcome.winners)

    @property
    def lengths(self) -> tuple[int, ...]:
        """Number of moves of each match."""
        return tuple(outcome.moves for outcome in self.outcomes)

    @property
    def length(self) -> Spread:
        """Spread of the number of moves."""
        return Spread.of(self.lengths)

    @property
    def steps(self) -> int:
        """Number of moves of all matches."""
        return sum(self.lengths)

    @property
    def causes(self) -> Counter[str]:
        """How often matches ended in each way."""
        return Counter(outcome.cause for outcome in self.outcomes)

    @property
    def figures(self) -> dict[str, Spread]:
        """Spread of each other figure of the game, over the matches that have it."""
        names = dict.fromkeys(name for outcome in self.outcomes for name in outcome.figures)
        return {
            name: Spread.of([each.figures[name] for each in self.outcomes if name in each.figures]) for name in names
        }

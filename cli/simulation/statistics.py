"""The figures of many matches: mean and spread, shares, and how sure they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from cli.simulation.runner import MatchOutcome
from engine.game import Seat

Z_95 = 1.959963984540054
"""Standard deviations on either side that hold 95 % of a normal distribution."""


@dataclass(frozen=True)
class Spread:
    """Mean, standard deviation, least and most of some values."""

    mean: float
    deviation: float
    least: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Spread:
        """The spread of these values, of which there is at least one."""
        return cls(fmean(values), stdev(values) if len(values) > 1 else 0.0, min(values), max(values))


def wilson_interval(hits: float, tries: int) -> tuple[float, float]:
    """The 95 % Wilson interval of a share."""
    share, square = hits / tries, Z_95 * Z_95
    middle = share + square / (2 * tries)
    around = Z_95 * sqrt(share * (1 - share) / tries + square / (4 * tries * tries))
    return max((middle - around) / (1 + square / tries), 0.0), min((middle + around) / (1 + square / tries), 1.0)


@dataclass(frozen=True)
class Summary:
    """What the outcomes of many matches come to."""

    outcomes: tuple[MatchOutcome, ...]

    @classmethod
    def of(cls, outcomes: Sequence[MatchOutcome]) -> Summary:
        """The summary, in the order of the matches and not of their arrival."""
        return cls(tuple(sorted(outcomes, key=lambda outcome: outcome.number)))

    def scores(self, seat: Seat) -> Spread:
        """The scores of one seat."""
        return Spread.of([outcome.scores[seat] for outcome in self.outcomes])

    def wins(self, seat: Seat) -> int:
        """How often this seat won alone."""
        return sum(outcome.winners == (seat,) for outcome in self.outcomes)

    def shared(self, seat: Seat) -> int:
        """How often this seat shared the win."""
        return sum(seat in outcome.winners and len(outcome.winners) > 1 for outcome in self.outcomes)

    @property
    def length(self) -> Spread:
        """How many moves the matches took."""
        return Spread.of([outcome.moves for outcome in self.outcomes])

    @property
    def steps(self) -> int:
        """All moves of all matches."""
        return sum(outcome.moves for outcome in self.outcomes)

    @property
    def causes(self) -> Counter[str]:
        """How the matches ended."""
        return Counter(outcome.cause for outcome in self.outcomes)

    @property
    def figures(self) -> dict[str, Spread]:
        """What else the game counts, over the matches that have it."""
        names = dict.fromkeys(name for outcome in self.outcomes for name in outcome.figures)
        return {
            name: Spread.of([each.figures[name] for each in self.outcomes if name in each.figures]) for name in names
        }

"""Ratings: how strong a player is at a game and how sure that is, match by match, by the Plackett-Luce model.

Both figures are whole ten-thousandths of the model's unit. The model computes in floating point; what it gives is
rounded to that grid after every match, and the next match begins there. So the last digits of a float, which differ
from machine to machine, never add up, and a replay elsewhere gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

UNIT = 10_000
"""How many parts of the grid are one unit of the model."""
FIRST_MU = 25 * UNIT
FIRST_SIGMA = round(25 * UNIT / 3)
FIRST_RATING = 1_500
POINTS = 60
"""How many points are shown for one unit of the model."""
PROVISIONAL_MATCHES = 10
MODEL = PlackettLuce(mu=25.0, sigma=25.0 / 3.0, beta=25.0 / 6.0, tau=25.0 / 300.0)
"""The model with its usual figures, named here so that another release of the library cannot change them."""


@dataclass(frozen=True, slots=True)
class Skill:
    """What is known of a player at one game: the estimate, its spread, and from how many rated matches."""

    mu: int = FIRST_MU
    sigma: int = FIRST_SIGMA
    matches: int = 0

    @property
    def rating(self) -> int:
        """The estimate as people see it: 1500 for somebody new."""
        return FIRST_RATING + _round_points(self.mu - FIRST_MU)

    @property
    def deviation(self) -> int:
        """The spread as people see it: two of three times the true strength is within so much of the rating."""
        return _round_points(self.sigma)

    @property
    def provisional(self) -> bool:
        """Whether there are too few matches yet to go by it."""
        return self.matches < PROVISIONAL_MATCHES


NEW_SKILL = Skill()


def _round_points(parts: int) -> int:
    """So many parts of the grid as whole points, halves upwards."""
    return (2 * POINTS * parts + UNIT) // (2 * UNIT)


def rate_match(skills: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
    """The skills after a match that these players ended at these places; equal places are a draw.

    Sums of floats depend on their order: players are given in the order of their seats.
    """
    teams = [[MODEL.rating(mu=skill.mu / UNIT, sigma=skill.sigma / UNIT)] for skill in skills]
    rated = MODEL.rate(teams, ranks=[float(place) for place in places])
    return tuple(
        Skill(round(after.mu * UNIT), round(after.sigma * UNIT), before.matches + 1)
        for before, (after,) in zip(skills, rated, strict=True)
    )

"""Ratings of players by the Plackett-Luce model: strength and its uncertainty, updated match by match.

Both figures are integers, in ten-thousandths of the model's unit. The model computes in floating point, and its output
is rounded to this grid after every match. So the last digits of a float, which differ between machines, never add up,
and a replay elsewhere gives the same numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from openskill.models import PlackettLuce

UNIT = 10_000
"""Grid steps per unit of the model."""
FIRST_MU = 25 * UNIT
FIRST_SIGMA = round(25 * UNIT / 3)
FIRST_RATING = 1_500
POINTS = 60
"""Rating points shown per unit of the model."""
PROVISIONAL_MATCHES = 10
MODEL = PlackettLuce(mu=25.0, sigma=25.0 / 3.0, beta=25.0 / 6.0, tau=25.0 / 300.0)
"""The model with its usual parameters, fixed here so that a new release of the library cannot change them."""


@dataclass(frozen=True, slots=True)
class Skill:
    """Skill of a player at one game: the estimate, its deviation, and the number of rated matches."""

    mu: int = FIRST_MU
    sigma: int = FIRST_SIGMA
    matches: int = 0

    @property
    def rating(self) -> int:
        """Return the rating as shown: 1500 for a new player."""
        return FIRST_RATING + _round_points(self.mu - FIRST_MU)

    @property
    def deviation(self) -> int:
        """Return the rating deviation as shown: the true strength is within it about 68 % of the time."""
        return _round_points(self.sigma)

    @property
    def provisional(self) -> bool:
        """True if there are too few matches to rely on the rating."""
        return self.matches < PROVISIONAL_MATCHES


NEW_SKILL = Skill()


def _round_points(parts: int) -> int:
    """Return grid steps as whole points, halves rounded up."""
    return (2 * POINTS * parts + UNIT) // (2 * UNIT)


def rate_match(skills: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
    """Return the skills after a match that ended with these places. Equal places are a draw.

    Give players in the order of their seats: sums of floats depend on their order.
    """
    teams = [[MODEL.rating(mu=skill.mu / UNIT, sigma=skill.sigma / UNIT)] for skill in skills]
    rated = MODEL.rate(teams, ranks=[float(place) for place in places])
    return tuple(
        Skill(round(after.mu * UNIT), round(after.sigma * UNIT), before.matches + 1)
        for before, (after,) in zip(skills, rated, strict=True)
    )

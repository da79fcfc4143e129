"""The arithmetic of ratings: figures computed by hand with the formulas of the model, and what is shown of them."""

from __future__ import annotations

import math
from itertools import permutations

import pytest

from service.tournaments.formats.skill import NEW_SKILL, Skill, rate_match

HAND = {
    # places, then µ and σ in ten-thousandths, from c² = Σ(σ² + τ² + β²), with τ = 1/12 and β = 25/6
    (1, 2): ((276354, 80659), (223646, 80659)),
    (1, 1): ((250000, 80659), (250000, 80659)),
    (1, 2, 3, 4): ((277952, 82635), (265529, 81796), (246894, 80841), (209624, 80841)),
    (1, 2, 4, 4): ((277952, 82635), (265529, 81796), (228259, 80841), (228259, 80841)),
}


@pytest.mark.parametrize(("places", "after"), HAND.items())
def test_new_players_get_what_the_formulas_give(places: tuple[int, ...], after: tuple[tuple[int, int], ...]) -> None:
    assert rate_match([NEW_SKILL] * len(places), places) == tuple(Skill(*each, 1) for each in after)


def test_a_duel_follows_the_formula_of_the_model() -> None:
    winner, loser = Skill(281234, 34567, 20), Skill(243210, 61234, 4)
    mus, variances = (28.1234, 24.3210), [sigma**2 + (25 / 300) ** 2 for sigma in (3.4567, 6.1234)]
    spread = math.sqrt(sum(variances) + 2 * (25 / 6) ** 2)
    chance = math.exp(mus[0] / spread) / sum(math.exp(mu / spread) for mu in mus)
    expected = []
    for mu, variance, sign, matches in zip(mus, variances, (1, -1), (21, 5), strict=True):
        shrink = math.sqrt(variance) / spread * variance / spread**2 * chance * (1 - chance)
        sigma = math.sqrt(variance * (1 - shrink))
        expected.append(Skill(round((mu + sign * variance / spread * (1 - chance)) * 1e4), round(sigma * 1e4), matches))
    assert list(rate_match([winner, loser], [1, 2])) == expected
    assert rate_match([loser, winner], [2, 1]) == tuple(reversed(expected))


def test_only_the_order_of_places_counts() -> None:
    skills = [Skill(250000 + 7000 * number, 80000 - 9000 * number, number) for number in range(4)]
    assert rate_match(skills, [1, 2, 3, 4]) == rate_match(skills, [1, 5, 9, 70])
    assert rate_match(skills, [1, 1, 4, 4]) == rate_match(skills, [1, 1, 3, 3])


def test_seats_change_a_rating_by_no_more_than_the_grid() -> None:
    skills = [Skill(250000 + 7000 * number, 80000 - 9000 * number, number) for number in range(4)]
    places = [2, 1, 3, 3]
    straight = dict(enumerate(rate_match(skills, places)))
    for order in permutations(range(4)):
        moved = rate_match([skills[each] for each in order], [places[each] for each in order])
        for each, skill in zip(order, moved, strict=True):
            assert abs(skill.mu - straight[each].mu) <= 1
            assert abs(skill.sigma - straight[each].sigma) <= 1


@pytest.mark.parametrize(
    ("skill", "rating", "deviation", "provisional"),
    [
        (NEW_SKILL, 1500, 500, True),
        (Skill(276354, 80659, 1), 1658, 484, True),
        (Skill(223646, 80659, 9), 1342, 484, True),
        (Skill(250083, 15230, 10), 1500, 91, False),
        (Skill(250084, 15250, 11), 1501, 92, False),
        (Skill(249917, 15250, 11), 1500, 92, False),
        (Skill(-10000, 15250, 11), -60, 92, False),
    ],
)
def test_people_see_whole_points(skill: Skill, rating: int, deviation: int, provisional: bool) -> None:
    assert (skill.rating, skill.deviation, skill.provisional) == (rating, deviation, provisional)


def test_ratings_find_who_is_stronger_and_stay_within_bounds() -> None:
    strong, weak = NEW_SKILL, NEW_SKILL
    for number in range(300):
        strong, weak = rate_match([strong, weak], [1, 2] if number % 4 else [2, 1])
    assert strong.rating - weak.rating > 100
    assert strong.deviation < 120
    for _ in range(2000):
        strong, weak = rate_match([strong, weak], [1, 2])
    assert strong.sigma > 0
    assert strong.mu + weak.mu == pytest.approx(500000, abs=50000)

"""The wealth of the clans of Táin."""

from __future__ import annotations

from engine.game import Count, Score
from engine.games.tain.state import Tain
from engine.games.tain.tokens import BOY, DAUGHTER, MANY

CATTLE_POINTS, JEWEL_POINTS, BOY_POINTS, DAUGHTER_POINTS, BONUS = 2, 3, 1, 5, 3


def scores(state: Tain) -> tuple[Score, ...]:
    """Return the wealth of every clan. Loot still beside the boards does not count."""
    return tuple(
        wealth(state.cattle[seat], state.jewels[seat], state.prisoners[seat], len(state.unused[seat]))
        for seat in range(state.seats)
    )


def wealth(cattle: int, jewels: int, prisoners: tuple[str, ...], unused: int) -> Score:
    """Return the score of one clan: cattle, jewels, captives, and the bonus for a great herd."""
    kinds = [token[1] for token in prisoners]
    counts = (
        Count("cattle", CATTLE_POINTS * cattle),
        Count("jewels", JEWEL_POINTS * jewels),
        Count("boys", BOY_POINTS * kinds.count(BOY)),
        Count("daughters", DAUGHTER_POINTS * kinds.count(DAUGHTER)),
        Count("bonus", BONUS if cattle >= MANY else 0),
    )
    return Score(sum(count.points for count in counts), counts, (cattle, jewels, unused))

"""The count: Geas, regions, points of single cards, and tie-breaks."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from engine.game import Count, Score
from engine.games.tir_na_nog.rules.balor_points import balor_points
from engine.games.tir_na_nog.rules.cards import CARDS, COLOURS
from engine.games.tir_na_nog.rules.effects.registry import POINTS
from engine.games.tir_na_nog.rules.geas import GEAS
from engine.games.tir_na_nog.rules.saga import Here, Saga
from engine.games.tir_na_nog.rules.state import BALOR, TirNaNog

TWO_SEATS = 2
FEW_SEATS = 3
LEAST_REGION = 2


def scores(state: TirNaNog) -> tuple[Score, ...]:
    """Return the score of every seat as the table stands."""
    return tally(state.sagas, state.geas, state.edition, Rival(state.pile, state.balor) if state.solo else None)


class Rival(NamedTuple):
    """Balor in the count: his pile, and the difficulty, which some editions count."""

    pile: tuple[str, ...]
    difficulty: str


def tally(
    sagas: tuple[Saga, ...], geas: tuple[str, ...], edition: str, rival: Rival | None = None
) -> tuple[Score, ...]:
    """Count Geas by row, regions by colour and points of single cards. With a rival, seat 1 is Balor."""
    sizes = [saga.regions for saga in sagas]
    if rival is not None:
        sizes[BALOR] = pile_regions(rival.pile)
    prizes = region_prizes(edition, len(sagas))
    won = {colour: awards([each[colour] for each in sizes], prizes) for colour in COLOURS}
    scores = []
    for seat, saga in enumerate(sagas):
        if rival is not None and seat == BALOR:
            counts = [Count(slug, balor_points(slug, edition, rival.difficulty)) for slug in geas]
        else:
            counts = [Count(slug, GEAS[slug].score(saga)) for slug in geas]
        counts += [Count(colour, won[colour][seat]) for colour in COLOURS]
        counts.append(Count("misc", single_points(saga)))
        scores.append(Score(sum(count.points for count in counts), tuple(counts), (max(sizes[seat].values()),)))
    return tuple(scores)


def pile_regions(pile: tuple[str, ...]) -> dict[str, int]:
    """Return Balor's regions: the number of cards of each printed colour in his pile."""
    counts = Counter(CARDS[card].colour for card in pile)
    return {colour: counts[colour] for colour in COLOURS}


def single_points(saga: Saga) -> int:
    """Return the points that cards give by themselves."""
    return sum(
        POINTS[card](Here(saga, point)) for point, card in zip(saga.points, saga.cards, strict=True) if card in POINTS
    )


def region_prizes(edition: str, seats: int) -> tuple[int, ...]:
    """Return the awards of one colour, the largest first. The rulebooks give those for two seats."""
    if seats == TWO_SEATS:
        return 8, 3
    if edition in ("house-1", "house-2"):
        return (8, 3) if seats == FEW_SEATS else (8, 5, 2)
    return 8, 3, 1


def awards(sizes: list[int], prizes: tuple[int, ...]) -> list[int]:
    """Return the award of each seat for one colour. Seats that tie share an award and the next one, rounded down."""
    shared = (*prizes, 0)
    won, position = [0] * len(sizes), 0
    for size, count in sorted(Counter(sizes).items(), reverse=True):
        if size < LEAST_REGION or position >= len(prizes):
            break
        prize = prizes[position] if count == 1 else prizes[position] // 2 + shared[position + 1] // 2
        won = [prize if each == size else before for each, before in zip(sizes, won, strict=True)]
        position += 1 if count == 1 else 2
    return won

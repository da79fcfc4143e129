"""Ongoing effects: the worth of a card in its place, before its tokens."""

from __future__ import annotations

from engine.games.tir_na_nog.rules.cards import CARDS
from engine.games.tir_na_nog.rules.effects.registry import ONGOING, effect_of
from engine.games.tir_na_nog.rules.saga import Here


@effect_of(ONGOING, "water-kelpie")
def water_kelpie(here: Here) -> int:
    """Loses 6 as long as a green card lies beside it."""
    return here.printed - 6 * ("green" in here.near_colours())


@effect_of(ONGOING, "cu-sidhe-kennel")
def cu_sidhe_kennel(here: Here) -> int:
    """Gains 2 for every further card of the Saga that bears the Ailm, a second Kennel included."""
    return here.printed + 2 * (sum(CARDS[card].ailm for card in here.saga.cards) - CARDS[here.card].ailm)


@effect_of(ONGOING, "dolmen")
def dolmen(here: Here) -> int:
    """Gains 4 as long as its left and right neighbours are of one colour."""
    row, slot = here.point
    left, right = here.colour_at((row, slot - 1)), here.colour_at((row, slot + 1))
    return here.printed + 4 * (left == right != "")


@effect_of(ONGOING, "far-darrig")
def far_darrig(here: Here) -> int:
    """Is worth what the card on its left is worth; without one, what is printed."""
    return here.left if here.left >= 0 else here.printed


@effect_of(ONGOING, "cailleachs-crag")
def cailleachs_crag(here: Here) -> int:
    """Gains 3 for each different colour beside it."""
    return here.printed + 3 * len(here.near_colours())


@effect_of(ONGOING, "sidhe-court")
def sidhe_court(here: Here) -> int:
    """Gains 2 for each further card of its row that has its colour now."""
    return here.printed + 2 * (here.saga.colours[here.point[0]].count(here.colour) - 1)

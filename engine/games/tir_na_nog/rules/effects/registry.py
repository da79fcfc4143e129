"""Registry of card effects by card, for each moment at which cards act."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from engine.game import Action, Seat
    from engine.games.tir_na_nog.rules.saga import Here
    from engine.games.tir_na_nog.rules.state import TirNaNog

    Worth = Callable[[Here], int]
    Offer = Callable[[TirNaNog, Seat, Here], Iterable[Action[TirNaNog]]]
    Draft = Callable[[TirNaNog, Seat], Iterable[Action[TirNaNog]]]
    Rescue = Callable[[TirNaNog, Seat, str], Iterable[Action[TirNaNog]]]

F = TypeVar("F")

ONGOING: dict[str, Worth] = {}
"""The value of a card without its tokens, read whenever a value is needed."""
WHEN_PLAYED: dict[str, Offer] = {}
"""Offered right after the play: one offer is done at once, several are asked."""
JOURNEY_PHASE: dict[str, Offer] = {}
"""Offered beside the free spaces, once in each Journey Phase."""
SAGA_PHASE: dict[str, Offer] = {}
"""Offered in the owner's turn, before and after the play, once in each Saga Phase."""
FROM_HAND: dict[str, Draft] = {}
"""Offered at an ordinary take while the card is in hand: it opens the whole Otherworld to that take."""
ECHTRA: dict[str, Draft] = {}
"""Begins an Echtra turn of the owner with a draw, and offers the uses of the drawn card."""
LOST: dict[str, Rescue] = {}
"""Offered as soon as a Storyteller of the owner touches no card any more."""
SCORING: dict[str, Offer] = {}
"""Offered before the count."""
POINTS: dict[str, Worth] = {}
"""Points of a card by itself in the count."""


def effect_of(effects: dict[str, F], *slugs: str) -> Callable[[F], F]:
    """Return a decorator that registers a function as the effect of these cards."""

    def register(effect: F) -> F:
        effects.update(dict.fromkeys(slugs, effect))
        return effect

    return register
